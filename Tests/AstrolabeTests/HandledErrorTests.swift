import Astrolabe
import AstrolabeTelemetryModel
import AstrolabeTesting
import Foundation
import Testing

private struct Declined: Error, CustomStringConvertible {
    let amount: Int
    var description: String { "declined \(amount) EUR" }
}

/// Errors that an app catches and reports.
@Suite(.timeLimit(.minutes(5))) struct `A handled error` {
    private let collector = TelemetryCollector()
    private let telemetry: Telemetry

    init() {
        telemetry = collector.start(TelemetryConfiguration(serviceName: "shop"))
    }

    private var events: [Collected<LogRecordData>] { collector.events(named: "exception") }

    private func pay(_ amount: Int) {
        telemetry.recordError(Declined(amount: amount), attributes: ["demo.order.amount": amount])
    }

    @Test func `is an event with its type, message, place and breadcrumbs, of the current span`() async throws {
        telemetry.addBreadcrumb("opened the cart")
        let span = telemetry.tracer("shop").withSpan("checkout") { span in
            pay(12)
            return span.context
        }
        await telemetry.flush()
        let event = try #require(events.first)
        #expect(event.severityNumber == 17 && event.spanID == span.spanID && event.traceID == span.traceID)
        let attributes = event.attributes
        #expect(attributes["exception.type"]?.stringValue?.hasSuffix("Declined") == true)
        #expect(attributes["exception.message"] == "declined 12 EUR" && attributes["demo.order.amount"] == 12)
        #expect(attributes["code.file.path"]?.stringValue?.hasSuffix("HandledErrorTests.swift") == true)
        #expect(attributes["code.function.name"] == "pay(_:)" && attributes["code.line.number"] != nil)
        #expect(attributes["astrolabe.breadcrumbs"] != nil)
        let checkout = try #require(collector.spans(named: "checkout").first)
        #expect(checkout.status == .unset && checkout.events.isEmpty)
    }

    @Test func `has the group of others of its type and function, whatever its values`() async throws {
        pay(12)
        pay(13)
        telemetry.recordError(Declined(amount: 12))
        telemetry.recordError(URLError(.timedOut))
        telemetry.recordError(URLError(.notConnectedToInternet))
        await telemetry.flush()
        let groups = events.compactMap { $0.attributes["astrolabe.error.group"]?.stringValue }
        try #require(groups.count == 5)
        #expect(groups[0] == groups[1] && Set(groups).count == 4)
        #expect(groups[0].contains("Declined in pay(_:), ") && !groups[0].contains("12"))
    }

    @Test func `takes a group, a severity and attributes of the app`() async throws {
        telemetry.recordError(
            Declined(amount: 1), attributes: ["exception.type": "Payment"], severity: .warn, group: "payment")
        await telemetry.flush()
        let event = try #require(events.first)
        #expect(event.severityNumber == 13 && event.attributes["astrolabe.error.group"] == "payment")
        #expect(event.attributes["exception.type"] == "Payment" && event.attributes["astrolabe.breadcrumbs"] == nil)
    }

    @Test func `that is a cancellation is no failure`() async {
        telemetry.recordError(CancellationError())
        telemetry.recordError(URLError(.cancelled), severity: .debug)
        await telemetry.flush()
        #expect(events.map(\.severityNumber) == [9, 5])
    }

    @Test func `is redacted, and costs nothing where the SDK is disabled`() async throws {
        telemetry.recordError(NSError(domain: "Shop", code: 7, userInfo: ["NSLocalizedDescription": "pin=1234"]))
        Telemetry.disabled.recordError(Declined(amount: 1))
        await telemetry.flush()
        #expect(events.count == 1)
        let attributes = try #require(events.first).attributes
        #expect(attributes["exception.type"] == "Shop/7")
        #expect(attributes["exception.message"]?.stringValue?.contains("1234") == false)
    }
}
