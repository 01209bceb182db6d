import Astrolabe
import AstrolabeRecording
import AstrolabeTelemetryModel
import AstrolabeTesting
import Foundation
import Testing

private struct Declined: Error, CustomStringConvertible {
    var description: String { "card declined" }
}

/// Breadcrumbs that an error takes along, over the real path to a collector.
@Suite(.timeLimit(.minutes(5))) struct `Breadcrumbs of the SDK` {
    private let collector = TelemetryCollector()
    private let device = SimulatedDevice()

    private func start(_ change: (inout TelemetryConfiguration) -> Void = { _ in }) -> Telemetry {
        var configuration = TelemetryConfiguration(serviceName: "shop")
        configuration.conditions = device
        change(&configuration)
        return collector.start(configuration, samplesSessions: true)
    }

    private func crumbs(in attributes: Attributes?) throws -> [[String: Any]] {
        guard case .array(let texts)? = attributes?["astrolabe.breadcrumbs"] else { return [] }
        return try texts.map { text in
            let object = try JSONSerialization.jsonObject(with: Data((text.stringValue ?? "").utf8))
            return try #require(object as? [String: Any])
        }
    }

    @Test func `go with an error event, oldest first, and with no other`() async throws {
        let telemetry = start()
        telemetry.addBreadcrumb("opened the cart", category: "navigation", attributes: ["items": 3])
        telemetry.addBreadcrumb("changed the currency")
        telemetry.logger("shop").emit("demo.noticed", severity: .warn)
        telemetry.logger("shop").emit("demo.failed", severity: .error)
        await telemetry.flush()
        let found = try crumbs(in: collector.events(named: "demo.failed").first?.attributes)
        #expect(found.map { $0["message"] as? String } == ["opened the cart", "changed the currency"])
        #expect(found.map { $0["category"] as? String } == ["navigation", "app"])
        #expect((found[0]["attributes"] as? [String: Any])?["items"] as? Int == 3)
        let warning = try #require(collector.events(named: "demo.noticed").first)
        #expect(warning.attributes["astrolabe.breadcrumbs"] == nil)
    }

    @Test func `go with the first exception of a trace, though it was sampled out`() async throws {
        let telemetry = start { $0.policy.samplingRates = .init(full: 0, normal: 0, reduced: 0, minimal: 0) }
        telemetry.addBreadcrumb("opened the cart")
        let tracer = telemetry.tracer("shop")
        _ = try? tracer.withSpan("checkout") { _ in try tracer.withSpan("charge") { _ in throw Declined() } }
        await telemetry.flush()
        let inner = try #require(collector.spans(named: "charge").first?.events.first)
        let outer = try #require(collector.spans(named: "checkout").first?.events.first)
        #expect(try crumbs(in: inner.attributes).map { $0["message"] as? String } == ["opened the cart"])
        #expect(outer.attributes["exception.message"] == "card declined")
        #expect(outer.attributes["astrolabe.breadcrumbs"] == nil)
    }

    @Test func `tell of each screen once, while it stays`() async {
        let telemetry = start()
        for name in ["Home", "Home", "Cart", nil, "Home"] { telemetry.setScreen(name) }
        #expect(
            telemetry.breadcrumbs.map { "\($0.category): \($0.message)" } == [
                "screen: Home", "screen: Cart", "screen: Home",
            ])
        await telemetry.shutdown()
    }

    @Test func `tell of the network, of the app's life and of taps, in a mode that records no taps too`() async throws {
        let telemetry = start()
        device.goOnline(over: NetworkPath(.cellular, radio: .lte))
        device.enterBackground()
        #expect(telemetry.policyDecision?.mode == .reduced)
        telemetry.logger("shop").emit("app.widget.click", attributes: ["app.widget.name": "Place Order"])
        #expect(
            telemetry.breadcrumbs.map { "\($0.category): \($0.message)" } == [
                "network: wifi to cellular (lte)", "lifecycle: active to inactive", "lifecycle: inactive to background",
                "tap: Place Order",
            ])
        telemetry.logger("shop").emit("demo.failed", severity: .error)
        await telemetry.flush()
        #expect(try crumbs(in: collector.events(named: "demo.failed").first?.attributes).count == 4)
    }

    @Test func `are fewer where the device runs short of memory`() {
        let telemetry = start()
        for number in 1...150 { telemetry.addBreadcrumb("\(number)") }
        #expect(telemetry.breadcrumbs.map(\.message) == (51...150).map(String.init))
        device.runShortOfMemory(.warning)
        #expect(telemetry.breadcrumbs.map(\.message) == (101...150).map(String.init))
        device.runShortOfMemory(.critical)
        #expect(telemetry.breadcrumbs.map(\.message) == (131...150).map(String.init))
        device.regainMemory()
        for number in 151...200 { telemetry.addBreadcrumb("\(number)") }
        #expect(telemetry.breadcrumbs.count == 70)
    }

    @Test func `hold no card, security code or e-mail address, in memory or on the wire`() async throws {
        let telemetry = start()
        telemetry.addBreadcrumb(
            "paid with 4432-8015-6152-0454, cvv: 672", category: "galileo@example.com",
            attributes: ["mail": "galileo@example.com", "card": 4_432_801_561_520_454, "creditCardCvv": 672])
        telemetry.addBreadcrumb(String(repeating: "x", count: 245) + " galileo@example.com")
        telemetry.logger("shop").emit("demo.failed", severity: .error)
        telemetry.tracer("shop").spanBuilder("pay").startSpan().recordException(Declined())
        await telemetry.flush()
        let event = try #require(collector.events(named: "demo.failed").first)
        // Without what is made by chance or by the clock, which may hold any three digits.
        let sent = try crumbs(in: event.attributes).map { $0.filter { $0.key != "time" } }
        #expect(sent.count == 2)
        let kept = telemetry.breadcrumbs.map { "\($0.category) \($0.message) \($0.attributes)" }
        for text in ["\(kept)", "\(sent)"] {
            #expect(text.contains("REDACTED"))
            for secret in ["galileo", "6152", "672", "4432"] { #expect(!text.contains(secret), "\(secret)") }
        }
    }

    @Test func `of a disabled SDK are none`() {
        Telemetry.disabled.addBreadcrumb("nothing")
        #expect(Telemetry.disabled.breadcrumbs.isEmpty)
    }
}
