import ArgumentParser
import Astrolabe
import AstrolabeRecording
import AstronomyShop
import Foundation
import ShopAPI

/// The command that shops automatically by driving the app's own view models step by step.
struct ShopperCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shopper", abstract: "Shop with the app's view models, without a user interface.",
        discussion: "Sends telemetry to OTEL_EXPORTER_OTLP_ENDPOINT (default: http://localhost:4318).")

    @Option(help: "The shop's URL.")
    var shop = "http://127.0.0.1:8080"

    @Option(help: "The number of shopping trips; 0 continues until stopped.")
    var trips = 1

    @Option(help: "The seed that selects the products, the address and the phone. (default: random)")
    var seed: UInt64?

    @Flag(help: "Do not pause between steps.")
    var hurry = false

    @Flag(help: .hidden)
    var supervised = false

    func validate() throws {
        guard URL(string: shop)?.host?.isEmpty == false else {
            throw ValidationError("--shop: expected a URL such as http://127.0.0.1:8080, found \(shop)")
        }
        guard trips >= 0 else { throw ValidationError("--trips: expected 0 or more, found \(trips)") }
    }

    func run() async throws {
        guard let base = URL(string: shop) else { return }
        try await UntilStopped.run(isSupervised: supervised) {
            try await UserFacingErrors.run {
                var trip = 0
                while trips == 0 || trip < trips {
                    try await makeTrip(to: base, seed: seed.map { $0 &+ UInt64(trip) } ?? .random(in: .min ... .max))
                    trip += 1
                }
            }
        }
    }

    /// Makes one trip with one of the phones, and continues that phone's session and installation.
    private func makeTrip(to base: URL, seed: UInt64) async throws {
        let phone = ShopperPhone.all[Int(seed % UInt64(ShopperPhone.all.count))]
        let telemetry = Telemetry.start(
            try TelemetryConfiguration.load { configuration in
                configuration.serviceName = "astronomy-shop"
                // The default of this command is this machine, in release builds too.
                configuration.isEndpointGiven = true
                configuration.serviceVersion = configuration.serviceVersion ?? "1.0.0"
                configuration.flushInterval = .seconds(1)
                configuration.redaction.recordedQueryItems = ["currencyCode", "productIds", "contextKeys"]
                configuration.resourceAttributes.merge(phone.attributes)
                configuration.storageDirectory = phone.storage
                // A demo shows every trace, whatever the device's conditions are.
                configuration.sampler = configuration.sampler ?? ParentBasedSampler(root: AlwaysOnSampler())
            })
        do {
            let summary = try await ShoppingTrip.run(
                baseURL: base, telemetry: telemetry, seed: seed,
                thinkTime: hurry ? Duration.zero...Duration.zero : ShoppingTrip.humanThinkTime)
            // The demo of a single trip expects all of its telemetry, and may plug the console in late.
            await telemetry.shutdown(timeout: supervised && trips > 0 ? .seconds(60) : .seconds(5))
            report(summary)
        } catch {
            await telemetry.shutdown()
            throw error
        }
    }

    private func report(_ summary: TripSummary) {
        if supervised { return ChildMessage.trip(summary).print() }
        let steps = summary.steps.count
        say("Order \(summary.orderID): \(summary.itemCount) items, \(summary.total.formatted), in \(steps) steps.")
        say("Trace \(summary.checkoutTraceID), session \(summary.sessionID).")
    }
}
