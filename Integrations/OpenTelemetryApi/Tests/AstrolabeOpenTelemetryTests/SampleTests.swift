import Astrolabe
import AstrolabeOpenTelemetry
import AstrolabeTelemetryModel
import AstrolabeTesting
import Foundation
@preconcurrency import OpenTelemetryApi  // its globals are not marked as safe in 2.3
import OpenTelemetrySample
import Testing

/// The sample knows `OpenTelemetryApi` and nothing else. It runs on the SDK, and a collector decodes what that sends.
///
/// The API has one backend for the process, so these tests run one after the other.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SampleTests {
    private let collector = TelemetryCollector()
    private let telemetry: Telemetry

    init() {
        telemetry = collector.start(TelemetryConfiguration(serviceName: "sample"))
        telemetry.registerWithOpenTelemetry()
    }

    @Test func `spans nest over async, tasks and activation by hand`() async throws {
        _ = await Checkout().placeOrder()
        await telemetry.flush()
        #expect(
            collector.traces.map(\.description) == ["place order 42\n  quote\n  charge\n    check card"])
        let spans = Dictionary(uniqueKeysWithValues: collector.spans.map { ($0.name, $0) })
        let order = try #require(spans["place order 42"])
        #expect(order.kind == .client && order.status == .ok)
        #expect(order.attributes["demo.cart.items.count"] == 3)
        #expect(order.attributes["demo.order.tags"] == ["a", "b"])
        try #require(order.events.map(\.name) == ["exception", "placed"])
        #expect(order.events[0].attributes["exception.type"]?.stringValue?.contains("Declined") == true)
        let charge = try #require(spans["charge"])
        #expect(charge.status == .error("declined") && charge.attributes["is.active"] == true)
        #expect(spans["quote"]?.attributes["demo.shipping.amount"] == 8.99)
        #expect(order.scope.name == "shop.checkout" && order.scope.version == "2.0")
        #expect(order.scope.attributes == ["team": "payments"])
    }

    @Test func `context and baggage travel in headers, and a server goes on with them`() async throws {
        let headers = await Checkout().placeOrder()
        #expect(headers["baggage"] == "session.id=s%201")
        #expect(Checkout().handle(headers) == "s 1")
        #expect(Checkout().handle(["traceparent": "zz", "baggage": "=,;"]) == nil)
        await telemetry.flush()
        let order = try #require(collector.spans(named: "place order 42").first)
        let handled = collector.spans(named: "handle")
        try #require(handled.map(\.kind) == [.server, .server])
        #expect(handled[0].context.traceID == order.context.traceID)
        #expect(handled[0].parentSpanID == order.context.spanID && handled[0].links.count == 1)
        #expect(handled[1].parentSpanID == .invalid && handled[1].links.isEmpty)
        #expect(headers["traceparent"]?.contains(order.context.traceID.hex) == true)
    }

    @Test func `log records belong to the span and keep their severity`() async throws {
        _ = await Checkout().placeOrder()
        await telemetry.flush()
        let order = try #require(collector.spans(named: "place order 42").first)
        let lines = collector.events.filter { $0.body == "order placed" }
        #expect(lines.map(\.severityNumber) == [14] && lines.map(\.spanID) == [order.context.spanID])
        #expect(lines.first?.attributes["demo.order.id"] == "42")
    }

    @Test func `instruments of every kind measure`() async throws {
        let close = Checkout().measure()
        await telemetry.flush()
        #expect(collector.total(ofCounter: "demo.orders") == 2)
        #expect(collector.total(ofCounter: "demo.cpu.time") == 1.5)
        #expect(!collector.metrics(named: "demo.carts.open").isEmpty && !collector.metrics(named: "demo.stock").isEmpty)
        guard case .histogram(let points, _)? = collector.metrics(named: "demo.order.total").first?.data else {
            Issue.record("no histogram")
            return
        }
        #expect(points.first?.explicitBounds == [10, 100] && points.first?.bucketCounts == [0, 1, 0])
        close()
    }

    @Test func `spans of both APIs nest in one another`() async throws {
        let ours = telemetry.tracer("ours")
        let theirs = OpenTelemetry.instance.tracerProvider.get(instrumentationName: "theirs")
        await ours.withSpan("a") { _ in
            await theirs.spanBuilder(spanName: "b").withActiveSpan { _ in
                ours.withSpan("c") { _ in
                    OpenTelemetry.instance.contextProvider.activeSpan?.setAttribute(key: "of", value: "c")
                    theirs.spanBuilder(spanName: "d").startSpan().end()
                }
                await Task.yield()
            }
        }
        #expect(OpenTelemetry.instance.contextProvider.activeSpan == nil)
        await telemetry.flush()
        #expect(collector.traces.map(\.description) == ["a\n  b\n    c\n      d"])
        #expect(collector.spans(named: "c").first?.attributes["of"] == "c")
    }

    #if canImport(Darwin)
    private static func recordSpan(_ name: String) {
        OpenTelemetry.instance.tracerProvider.get(instrumentationName: "theirs").spanBuilder(spanName: name)
            .startSpan().end()
    }

    @Test func `what is made active by hand reaches tasks and queues, and no detached task`() async throws {
        let tracer = OpenTelemetry.instance.tracerProvider.get(instrumentationName: "theirs")
        let outer = tracer.spanBuilder(spanName: "outer").setActive(true).startSpan()
        async let child: Void = Self.recordSpan("in a child task")
        await child
        await Task { Self.recordSpan("in a task") }.value
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            DispatchQueue.global().async {
                Self.recordSpan("in a queue")
                continuation.resume()
            }
        }
        await Task.detached { Self.recordSpan("in a detached task") }.value
        outer.end()
        Self.recordSpan("after the end")
        await telemetry.flush()
        let id = try #require(collector.spans(named: "outer").first).context.spanID
        let children = collector.spans.filter { $0.parentSpanID == id }.map(\.name)
        #expect(children == ["in a child task", "in a task", "in a queue"])
    }
    #endif

    @Test func `an attribute that is set to nothing is removed, and a late change has no effect`() async throws {
        let tracer = OpenTelemetry.instance.tracerProvider.get(instrumentationName: "theirs")
        let span = tracer.spanBuilder(spanName: "upload").setAttribute(key: "a", value: 1).startSpan()
        span.setAttribute(key: "b", value: .int(2))
        span.setAttribute(key: "a", value: nil)
        span.end()
        span.name = "late"
        #expect(span.name == "upload")
        await telemetry.flush()
        let attributes = try #require(collector.spans(named: "upload").first).attributes
        #expect(attributes["a"] == nil && attributes["b"] == 2)
    }

    @Test func `a histogram takes no negative value`() async throws {
        let meter = OpenTelemetry.instance.meterProvider.get(name: "theirs")
        let histogram = (meter as? AstrolabeMeter)?.histogramBuilder(name: "sizes").build()
        for value in [3.0, -1, .nan] { histogram?.record(value: value) }
        await telemetry.flush()
        guard case .histogram(let points, _)? = collector.metrics(named: "sizes").first?.data else {
            Issue.record("no histogram")
            return
        }
        #expect(points.map(\.count) == [1] && points.map(\.sum) == [3])
    }

    @Test func `dates count on the clock of the spans`() async throws {
        let tracer = OpenTelemetry.instance.tracerProvider.get(instrumentationName: "theirs")
        let start = Date()
        let span = tracer.spanBuilder(spanName: "timed").setStartTime(time: start).startSpan()
        span.end(time: start.addingTimeInterval(3))
        let taken = -start.timeIntervalSinceNow
        await telemetry.flush()
        let seconds = Double(try #require(collector.spans(named: "timed").first).durationNano) / 1e9
        #expect(abs(seconds - 3) < taken + 0.1, "wrong by no more than the time that the test took")
    }

    @Test func `a foreign span is a parent, by its context`() async throws {
        let tracer = OpenTelemetry.instance.tracerProvider.get(instrumentationName: "theirs")
        let foreign = DefaultTracer.instance.spanBuilder(spanName: "foreign").startSpan()
        OpenTelemetry.instance.contextProvider.withActiveSpan(foreign) {
            #expect(OpenTelemetry.instance.contextProvider.activeSpan === foreign)
            let span = tracer.spanBuilder(spanName: "child").setNoParent().startSpan()
            let child = tracer.spanBuilder(spanName: "grandchild").setParent(span).startSpan()
            #expect(child.context.traceId == span.context.traceId && span.context.traceId != foreign.context.traceId)
            child.end()
            span.end()
        }
        await telemetry.flush()
        #expect(collector.spans.count == 2)
    }
}
