import Astrolabe
import AstrolabeBridges
import AstrolabeTelemetryModel
import AstrolabeTesting
import Instrumentation
import Logging
import ServiceContextModule
import Testing
import Tracing

/// A server keeps its part of traces that its callers did not sample, and sends what fails or what it is asked for.
@Suite(.timeLimit(.minutes(5))) struct `The flight recorder of a server` {
    private struct Declined: Error {}

    private static let key = "a-key-of-the-recorder"
    private let collector = TelemetryCollector()

    private func start(isRecording: Bool? = true) -> Telemetry {
        var configuration = TelemetryConfiguration(serviceName: "shop")
        configuration.isServer = true
        configuration.recorder.isEnabled = isRecording
        return collector.start(configuration)
    }

    /// Serves a request of a trace that is not sampled, as a web framework does.
    private func serve(_ telemetry: Telemetry, trace: String, failing: Bool = false) {
        let bridge = TelemetryBridge(telemetry)
        var context = ServiceContext.topLevel
        bridge.tracer.extract(
            ["traceparent": "00-\(trace)-00f067aa0ba902b7-00"], into: &context, using: HeaderCarrier())
        try? bridge.tracer.withSpan("POST /api/cart", context: context, ofKind: .server) { _ in
            Logging.Logger(label: "shop.cart") { bridge.logHandler(label: $0) }.info("item added")
            try bridge.tracer.withSpan("SELECT carts", ofKind: .client) { _ in if failing { throw Declined() } }
        }
    }

    private static func id(_ number: Int) -> String { "4bf92f3577b34da6a3ce929d0e0e473\(number)" }

    /// The lines that have arrived.
    private var lines: [Collected<LogRecordData>] { collector.events.filter { $0.body == "item added" } }

    private func ask(
        _ telemetry: Telemetry, for ids: [String], key: String = Self.key,
    ) throws -> RecorderPromotion.Response {
        let promotion = try #require(RecorderPromotion(telemetry, key: Self.key))
        let list = ids.map { "\"\($0)\"" }.joined(separator: ",")
        return promotion.respond(authorization: "Bearer \(key)", body: Array("{\"traces\":[\(list)]}".utf8))
    }

    @Test func `sends the trace in which something fails, and the one that it is asked for`() async throws {
        let telemetry = start()
        serve(telemetry, trace: Self.id(1))
        serve(telemetry, trace: Self.id(2), failing: true)
        serve(telemetry, trace: Self.id(3))
        await telemetry.flush()
        #expect(collector.spans.map { $0.context.traceID.hex } == [Self.id(2), Self.id(2)])
        #expect(lines.map { $0.traceID.hex } == [Self.id(2)])

        let answer = try ask(telemetry, for: [Self.id(3), Self.id(9)])
        #expect(answer.status == 200 && answer.body == #"{"accepted":2,"refused":0,"service":"shop"}"#)
        await telemetry.flush()
        let asked = collector.spans.filter { $0.context.traceID.hex == Self.id(3) }
        #expect(asked.map { $0.name }.sorted() == ["POST /api/cart", "SELECT carts"])
        #expect(asked.allSatisfy { $0.attributes["astrolabe.recorder.trigger"] == "remote" && !$0.context.isSampled })
        #expect(lines.count == 2)
        #expect(!collector.spans.contains { $0.context.traceID.hex == Self.id(1) })
        #expect(await telemetry.shutdown().ledger.isBalanced)
    }

    @Test func `is off unless the server turns it on`() async throws {
        let telemetry = start(isRecording: nil)
        serve(telemetry, trace: Self.id(2), failing: true)
        #expect(try ask(telemetry, for: [Self.id(2)]).status == 404)
        await telemetry.flush()
        #expect(collector.spans.isEmpty)
        // Log lines are sent as ever.
        #expect(lines.count == 1)
        await telemetry.shutdown()
    }

    @Test func `refuses a request without the key, and a list that is too long or wrong`() async throws {
        let telemetry = start()
        for key in ["", "a-key-of-the-recordes", "a-key-of-the-recorder-", "a-key"] {
            let answer = try ask(telemetry, for: [Self.id(1)], key: key)
            #expect(answer.status == 401 && !answer.body.contains(Self.key))
        }
        let promotion = try #require(RecorderPromotion(telemetry, key: Self.key))
        #expect(promotion.respond(authorization: nil, body: []).status == 401)
        #expect(promotion.respond(authorization: "Basic \(Self.key)", body: []).status == 401)
        #expect(try ask(telemetry, for: []).body == #"{"accepted":0,"refused":0,"service":"shop"}"#)
        #expect(try ask(telemetry, for: Array(repeating: Self.id(1), count: 257)).status == 400)
        #expect(try ask(telemetry, for: ["4BF9"]).status == 400)
        for (body, status) in [("", 400), ("[]", 400), (String(repeating: "x", count: 65_537), 413)] {
            #expect(promotion.respond(authorization: "bearer \(Self.key)", body: Array(body.utf8)).status == status)
        }
        #expect(RecorderPromotion(telemetry, key: "short") == nil)
        await telemetry.shutdown()
    }
}
