import ArgumentParser
import Astrolabe
import AstronomyShop
import Foundation
import ShopAPI

/// A person with a phone: the app's own view models, driven step by step.
struct ShopperCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shopper", abstract: "Go shopping as the app does, without its screens.",
        discussion: "Telemetry goes where OTEL_EXPORTER_OTLP_ENDPOINT says; default http://localhost:4318.", )

    @Option(help: "The shop's address.")
    var shop = "http://127.0.0.1:8080"

    @Option(help: "How many trips to make; 0 goes on until it is stopped.")
    var trips = 1

    @Option(help: "Decides what is bought, where it goes, and with which phone; random where none is given.")
    var seed: UInt64?

    @Flag(help: "Do not stop to think between two steps.")
    var hurry = false

    @Flag(help: .hidden)
    var supervised = false

    func validate() throws {
        guard URL(string: shop)?.host?.isEmpty == false else {
            throw ValidationError("--shop: expected an address such as http://127.0.0.1:8080, found \(shop)")
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

    /// One trip by one of the phones, whose session and installation it carries on from its last trip.
    private func makeTrip(to base: URL, seed: UInt64) async throws {
        let phone = ShopperPhone.all[Int(seed % UInt64(ShopperPhone.all.count))]
        let telemetry = Telemetry.start(
            try TelemetryConfiguration.load { configuration in
                configuration.serviceName = "astronomy-shop"
                configuration.serviceVersion = configuration.serviceVersion ?? "1.0.0"
                configuration.flushInterval = 1
                configuration.redaction.recordedQueryItems = ["currencyCode", "productIds", "contextKeys"]
                configuration.resourceAttributes.merge(phone.attributes)
                configuration.storageDirectory = phone.storage
                // A demonstration shows everything, however the phone is doing.
                configuration.sampler = configuration.sampler ?? ParentBasedSampler(root: AlwaysOnSampler())
            })
        do {
            let summary = try await ShoppingTrip.run(
                baseURL: base, telemetry: telemetry, seed: seed,
                thinkTime: hurry ? Duration.zero...Duration.zero : ShoppingTrip.humanThinkTime, )
            await telemetry.shutdown()
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
