import AstronomyShop
import DeviceSimulator
import Foundation
import ShopAPI

/// The backend and the shopper of a demo, and what is said about them.
struct DemoStage: Sendable {
    enum Act {
        case once
        /// The trip is made while nobody takes its telemetry.
        case onceUnplugged
        case untilStopped
    }

    let plug: ConsolePlug
    /// Only for those who watch: one trip needs none.
    let phone: DemoPhone?
    let consoleURL: String
    let shopPort: Int
    let seed: UInt64?

    /// - Throws: `DemoFailure` where a part cannot start or where the one trip or its telemetry failed.
    func run(_ act: Act) async throws {
        setenv("OTEL_EXPORTER_OTLP_ENDPOINT", consoleURL, 1)
        let shop = try ChildProcess("backend", arguments: ["shop-server", "--port", String(shopPort)])
        do {
            let port = try await shop.readyPort()
            let shopURL = "http://127.0.0.1:\(port)"
            switch act {
            case .once: try await makeOneTrip(shopURL, isUnplugged: false)
            case .onceUnplugged: try await makeOneTrip(shopURL, isUnplugged: true)
            case .untilStopped:
                try await phone?.start(shopPort: port, consolePort: await plug.port)
                try await keepShopping(shopURL)
            }
        } catch {
            await phone?.phone.switchOff()
            await shop.stop()
            throw error
        }
        await phone?.phone.switchOff()
        await shop.stop()
    }

    private func shopper(_ shopURL: String, _ options: [String]) throws -> ChildProcess {
        let seeding = seed.map { ["--seed", String($0)] } ?? []
        return try ChildProcess("shopper", arguments: ["shopper", "--shop", shopURL] + options + seeding)
    }

    private func makeOneTrip(_ shopURL: String, isUnplugged: Bool) async throws {
        say("Console  \(consoleURL)")
        say("Backend  \(shopURL)/api/products")
        say("Somebody goes shopping ...")
        if isUnplugged {
            try await plug.unplug()
            say("The console is unplugged.")
        }
        let shopper = try shopper(shopURL, ["--trips", "1", "--hurry"])
        if isUnplugged {
            // Longer than the trip, and shorter than the time that the shopper's phone is kept on for its telemetry.
            try await Task.sleep(for: .seconds(3))
            try await plug.plugIn()
            say("The console is plugged in again.")
        }
        var trip: TripSummary?
        for await case .trip(let summary) in shopper.messages { trip = summary }
        await shopper.stop()
        try Task.checkCancellation()
        guard let trip else { throw DemoFailure("the trip failed; its reason is above") }
        guard let store = await plug.store else { throw DemoFailure("the console is not there any more") }
        let evidence = try await TripEvidence.gather(for: trip, in: store, within: .seconds(60))
        say(evidence.summary(consoleURL: consoleURL))
    }

    private func keepShopping(_ shopURL: String) async throws {
        say(
            """

            Phone    \(consoleURL)/device/     (the app, live, and all that a phone can go through)
            Console  \(consoleURL)/            (sessions, live)
            Backend  \(shopURL)/api/products

            What to do:
              - open the phone, go shopping there, and follow a record into the console
              - switch it to airplane mode, go on, kill the app, relaunch it, switch back: nothing is lost
              - put ten Explorascopes into the cart, and look at Health: the crash, its line, its last seconds

            What to look for in the console:
              - a session with the phone's screens, taps and requests in order of time
              - in it, a failing card: the error is at the span that failed, in the app and in the backend
              - the trace of "tap Place Order": it starts on the phone and ends in the backend's charge and ship

            Somebody else is shopping, too, at a human pace. Ctrl-C stops everything.
            Type u and Return to unplug the console, and again to plug it in: nothing is lost.

            """)
        let shopper = try shopper(shopURL, ["--trips", "0"])
        let typing = Task { try await followTyping() }
        defer { typing.cancel() }
        for await case .trip(let trip) in shopper.messages {
            say("Order \(trip.orderID)  \(trip.total.formatted)  \(consoleURL)/traces/\(trip.checkoutTraceID)")
        }
        await shopper.stop()
        try Task.checkCancellation()
        throw DemoFailure("the shopper gave up; its reason is above")
    }

    private func followTyping() async throws {
        for await line in TypedLines.all where line == "u" {
            if await plug.isPluggedIn {
                try await plug.unplug()
                say("The console is unplugged: telemetry waits on the phone and in the backend.")
            } else {
                try await plug.plugIn()
                say("The console is plugged in again: what has waited arrives within seconds.")
            }
        }
    }
}

/// What a person types, line by line, to its end.
private enum TypedLines {
    static var all: AsyncStream<String> {
        let (lines, line) = AsyncStream.makeStream(of: String.self)
        let thread = Thread {
            while let text = readLine() { line.yield(text.trimmingCharacters(in: .whitespaces)) }
            line.finish()
        }
        thread.name = "typed-lines"
        thread.start()
        return lines
    }
}
