import AstronomyShop
import ConsoleStore
import Foundation
import ShopContract

/// The backend and the shopper of a demo, and what is said about them.
struct DemoStage: Sendable {
    let consoleURL: String
    let store: TelemetryStore
    let shopPort: Int
    let seed: UInt64?

    /// - Throws: `DemoFailure` where a part cannot start or, with `once`, where the trip or its telemetry failed.
    func run(once: Bool) async throws {
        setenv("OTEL_EXPORTER_OTLP_ENDPOINT", consoleURL, 1)
        let shop = try ChildProcess("backend", arguments: ["shop-server", "--port", String(shopPort)])
        do {
            let port = try await shop.readyPort()
            let shopURL = "http://127.0.0.1:\(port)"
            if once { try await makeOneTrip(shopURL) } else { try await keepShopping(shopURL) }
        } catch {
            await shop.stop()
            throw error
        }
        await shop.stop()
    }

    private func shopper(_ shopURL: String, _ options: [String]) throws -> ChildProcess {
        let seeding = seed.map { ["--seed", String($0)] } ?? []
        return try ChildProcess("shopper", arguments: ["shopper", "--shop", shopURL] + options + seeding)
    }

    private func makeOneTrip(_ shopURL: String) async throws {
        say("Console  \(consoleURL)")
        say("Backend  \(shopURL)/api/products")
        say("Somebody goes shopping ...")
        let shopper = try shopper(shopURL, ["--trips", "1", "--hurry"])
        var trip: TripSummary?
        for await case .trip(let summary) in shopper.messages { trip = summary }
        await shopper.stop()
        try Task.checkCancellation()
        guard let trip else { throw DemoFailure("the trip failed; its reason is above") }
        let evidence = try await TripEvidence.gather(for: trip, in: store, within: .seconds(30))
        say(evidence.summary(consoleURL: consoleURL))
    }

    private func keepShopping(_ shopURL: String) async throws {
        say(
            """

            Open     \(consoleURL)/            (sessions, live)
            Backend  \(shopURL)/api/products

            What to look for:
              - a session with the phone's screens, taps and requests in order of time
              - in it, a failing card: the error is at the span that failed, in the app and in the backend
              - the trace of "tap Place Order": it starts on the phone and ends in the backend's charge and ship

            Somebody is shopping at a human pace. Ctrl-C stops everything.

            """)
        let shopper = try shopper(shopURL, ["--trips", "0"])
        for await case .trip(let trip) in shopper.messages {
            say("Order \(trip.orderID)  \(trip.total.formatted)  \(consoleURL)/traces/\(trip.checkoutTraceID)")
        }
        await shopper.stop()
        try Task.checkCancellation()
        throw DemoFailure("the shopper gave up; its reason is above")
    }
}
