import AstronomyShop
import DeviceSimulator
import Foundation
import ShopAPI

/// The backend, the shopper and the phone of a demo, and the text printed about them.
struct DemoStage: Sendable {
    /// The way in which the demo runs.
    enum Mode {
        case once
        /// One trip, during which the console is unplugged.
        case onceUnplugged
        case untilStopped
    }

    let plug: ConsoleSwitch
    /// The phone to show; `nil` for a single trip.
    let phone: DemoPhone?
    let consoleURL: String
    let shopPort: Int
    let recorder: ShopRecorder
    let seed: UInt64?

    /// - Throws: `DemoFailure` if a process cannot start, or if the single trip or its telemetry fails.
    func run(_ mode: Mode) async throws {
        setenv("OTEL_EXPORTER_OTLP_ENDPOINT", consoleURL, 1)
        let shop = try ChildProcess(
            "backend", arguments: ["shop-server", "--port", String(shopPort)], environment: recorder.environment)
        do {
            let port = try await shop.readyPort()
            let shopURL = "http://127.0.0.1:\(port)"
            recorder.listens(at: port)
            switch mode {
            case .once: try await makeOneTrip(shopURL, isUnplugged: false)
            case .onceUnplugged: try await makeOneTrip(shopURL, isUnplugged: true)
            case .untilStopped:
                try await phone?.start(AppBackend(port: port), consolePort: await plug.port)
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
        if let address = await plug.grpcAddress { say("         \(address) (OTLP/gRPC)") }
        say("Backend  \(shopURL)/api/products")
        say("Shopping ...")
        if isUnplugged {
            try await plug.unplug()
            say("The console is unplugged.")
        }
        let shopper = try shopper(shopURL, ["--trips", "1", "--hurry"])
        if isUnplugged {
            // Longer than the trip, and shorter than the time that the shopper waits for its telemetry to be sent.
            try await Task.sleep(for: .seconds(3))
            try await plug.plugIn()
            say("The console is plugged in again.")
        }
        var trip: TripSummary?
        for await case .trip(let summary) in shopper.messages { trip = summary }
        await shopper.stop()
        try Task.checkCancellation()
        guard let trip else { throw DemoFailure("the shopping trip failed; see the error above") }
        guard let store = await plug.store else { throw DemoFailure("the console has stopped") }
        let evidence = try await TripReport.gather(for: trip, in: store, timeout: .seconds(60))
        say(evidence.summary(consoleURL: consoleURL))
    }

    private func keepShopping(_ shopURL: String) async throws {
        let output = phone.map { "\nOutput   \($0.phone.configuration.log.path)" } ?? ""
        let grpc = await plug.grpcAddress.map { "\n         \($0)  (OTLP/gRPC)" } ?? ""
        say(
            """

            Phone    \(consoleURL)/device/     (the running app, and the conditions you can change)
            Console  \(consoleURL)/            (live sessions)\(grpc)
            Backend  \(shopURL)/api/products\(output)

            Things to try:
              - Open the phone, buy something, and follow a record into the console.
              - Switch on airplane mode, keep shopping, kill the app, relaunch it, switch it off: no record is lost.
              - Add ten Explorascopes to the cart, then open Health: the crash, its source line, its last seconds.

            What to look for in the console:
              - a session with the phone's screens, taps and requests on one timeline
              - a declined card in it: the error is on the span that failed, in the app and in the backend
              - the trace of "tap Place Order": it starts on the phone and ends in the backend's charge and ship

            A simulated shopper is also running. Press Ctrl-C to stop everything.
            Type u and press Return to unplug the console; do it again to plug it in. No record is lost.

            """)
        let shopper = try shopper(shopURL, ["--trips", "0"])
        let typing = Task { try await plug.followTyping() }
        defer { typing.cancel() }
        for await case .trip(let trip) in shopper.messages {
            say("Order \(trip.orderID)  \(trip.total.formatted)  \(consoleURL)/traces/\(trip.checkoutTraceID)")
        }
        await shopper.stop()
        try Task.checkCancellation()
        throw DemoFailure("the shopper stopped; see the error above")
    }
}
