import Astrolabe
import Logging
import ServiceContextModule
import Testing
import Tracing

@testable import AstrolabeBridges

/// Requests through a server such as Hummingbird: extract, server span, handler, log line, onward request.
@Suite struct RequestFlowTests {
    let recorder = BridgeRecorder()
    private let traceParent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    private func extract(_ headers: [String: String]) -> ServiceContext {
        var context = ServiceContext.current ?? .topLevel
        recorder.tracer.extract(headers, into: &context, using: HeaderCarrier())
        return context
    }

    @Test func `a request's trace goes through the server and on to the next one`() async throws {
        let headers = [
            "traceparent": traceParent, "tracestate": "vendor=1", "baggage": "session.id=s%201,synthetic_request=true",
        ]
        let logger = Logging.Logger(label: "shop.cart") { recorder.bridge.logHandler(label: $0) }
        let onward = await recorder.tracer.withSpan("POST /api/cart", context: extract(headers), ofKind: .server) {
            span in
            span.attributes["http.request.method"] = "POST"
            await Task.yield()
            logger.info("item added", metadata: ["demo.product.id": "OLJCESPC7Z"])
            return await recorder.tracer.withSpan("GET", ofKind: .client) { _ in
                var onward: [String: String] = [:]
                await Task.yield()
                recorder.tracer.inject(ServiceContext.current ?? .topLevel, into: &onward, using: HeaderCarrier())
                return onward
            }
        }

        let server = try recorder.span("POST /api/cart")
        let client = try recorder.span("GET")
        #expect(server.context.traceID.hex == "4bf92f3577b34da6a3ce929d0e0e4736")
        #expect(server.parentSpanID.hex == "00f067aa0ba902b7")
        #expect(server.context.traceState.header == "vendor=1")
        #expect(client.parentSpanID == server.context.spanID)
        #expect(onward["traceparent"] == "00-\(client.context.traceID.hex)-\(client.context.spanID.hex)-01")
        #expect(onward["tracestate"] == "vendor=1")
        #expect(onward["baggage"] == "session.id=s%201,synthetic_request=true")

        let line = try recorder.logLines.only
        #expect(line.scope == "shop.cart")
        #expect(line.record.traceID == server.context.traceID && line.record.spanID == server.context.spanID)
        #expect(line.record.attributes["demo.product.id"] == "OLJCESPC7Z")
    }

    @Test func `a handler reads the session from the context`() {
        let context = extract(["baggage": "session.id=0197f0a1"])
        recorder.tracer.withSpan("GET /api/cart", context: context, ofKind: .server) { span in
            #expect(span.context.baggage["session.id"] == "0197f0a1")
            #expect(ServiceContext.current?.baggage["session.id"] == "0197f0a1")
        }
        #expect(ServiceContext.topLevel.baggage.isEmpty)
    }

    @Test(arguments: [
        [:], ["traceparent": "00-0-0-01"], ["traceparent": "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"],
        ["tracestate": "vendor=1"], ["baggage": "session.id=1"],
    ])
    func `a request without a valid parent starts a trace`(headers: [String: String]) throws {
        recorder.tracer.withSpan("root", context: extract(headers), ofKind: .server) { _ in }
        let root = try recorder.span("root")
        #expect(root.parentSpanID == .invalid && root.context.isValid)
        #expect(root.context.traceState.isEmpty)
    }

    @Test func `a trace that the caller did not sample is not recorded`() throws {
        let unsampled = traceParent.dropLast() + "0"
        recorder.tracer.withSpan("server", context: extract(["traceparent": String(unsampled)])) { span in
            #expect(!span.isRecording)
            var onward: [String: String] = [:]
            recorder.tracer.inject(span.context, into: &onward, using: HeaderCarrier())
            #expect(onward["traceparent"]?.hasPrefix("00-4bf92f3577b34da6a3ce929d0e0e4736-") == true)
            #expect(onward["traceparent"]?.hasSuffix("-00") == true)
        }
        #expect(try recorder.spans.isEmpty)
    }

    @Test func `a scope of ours is what is injected inside it`() throws {
        var onward: [String: String] = [:]
        recorder.telemetry.tracer("ours").withSpan("ours") { _ in
            recorder.tracer.inject(ServiceContext.current ?? .topLevel, into: &onward, using: HeaderCarrier())
        }
        let span = try recorder.span("ours")
        #expect(onward["traceparent"] == TraceContextPropagator.traceParent(of: span.context))
    }

    @Test func `nothing is injected where there is nothing`() {
        var onward: [String: String] = [:]
        recorder.tracer.inject(.topLevel, into: &onward, using: HeaderCarrier())
        #expect(onward.isEmpty)
    }

    @Test func `requests that are served at once do not mix`() async throws {
        await withTaskGroup(of: Void.self) { group in
            for index in 1...40 {
                group.addTask {
                    let id = String(index, radix: 16)
                    let parent = String(repeating: "0", count: 16 - id.count) + id
                    let context = extract([
                        "traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-\(parent)-01",
                        "baggage": "session.id=\(index)",
                    ])
                    await recorder.tracer.withSpan("server \(index)", context: context, ofKind: .server) { _ in
                        await Task.yield()
                        #expect(TelemetryContext.current.baggage["session.id"] == "\(index)")
                        recorder.tracer.withSpan("child \(index)") { _ in }
                    }
                }
            }
        }
        for index in 1...40 {
            let server = try recorder.span("server \(index)")
            #expect(server.parentSpanID == SpanID(UInt64(index)))
            #expect(try recorder.span("child \(index)").parentSpanID == server.context.spanID)
        }
    }
}
