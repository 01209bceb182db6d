import Astrolabe
import AstrolabeTesting
import Foundation
import Testing

/// This file imports what an app and its tests import, and no module of the SDK beside it.
@Suite struct `The public surface` {
    private func total(_ bytes: Span<UInt8>) -> Int {
        bytes.indices.reduce(0) { $0 + Int(bytes[$1]) }
    }

    @Test func `leaves Span to the standard library`() {
        let bytes: ContiguousArray<UInt8> = [1, 2, 3]
        #expect(total(bytes.span) == 6)
    }

    @Test func `names spans and instruments within their tracer and meter`() {
        let span: Tracer.Span = Telemetry.disabled.tracer("shop").spanBuilder("checkout").startSpan()
        let gauge: Meter.Gauge = Telemetry.disabled.meter("shop").gauge("demo.cart.items.count")
        let counter: Meter.Counter = Telemetry.disabled.meter("shop").counter("demo.orders")
        gauge.record(2)
        counter.add(1)
        span.end()
        #expect(!span.isRecording)
    }

    @Test func `has the types of a configuration`() {
        var configuration = TelemetryConfiguration(serviceName: "shop")
        configuration.sampling = .ratio(0.5)
        configuration.limits.attributeCount = 64
        configuration.metricTemporality = .cumulative
        configuration.health.hangThresholds = HangThresholds()
        let session: SessionSnapshot? = Telemetry.disabled.session.current
        #expect(session == nil)
    }

    private struct Renaming: SpanProcessor, LogRecordProcessor {
        func onStart(_ span: Tracer.Span, parent: SpanContext?) { span.setAttribute("is.root", parent == nil) }
        func onEnd(_ span: FinishedSpan) {}
        func onEmit(_ record: inout LogRecord) { record.attributes["seen"] = true }
    }

    private struct Everything: Sampler {
        var description: String { "Everything" }

        func shouldSample(_ input: SamplingInput) -> SamplingResult {
            SamplingResult(
                input.attributes.isEmpty ? .recordAndSample : .recordOnly,
                traceState: input.parent?.traceState ?? TraceState())
        }
    }

    private struct PlainPropagator: TextMapPropagator {
        let fields = ["x-trace", "x-parent"]

        func inject(_ context: TelemetryContext, set: (String, String) -> Void) {
            guard let span = context.span?.context else { return }
            set("x-trace", span.traceID.hex)
            set("x-parent", span.spanID.hex)
        }

        func extract(into context: TelemetryContext, get: (String) -> String?) -> TelemetryContext {
            guard let trace = get("x-trace").flatMap({ TraceID(hex: $0) }),
                let parent = get("x-parent").flatMap({ SpanID(hex: $0) })
            else { return context }
            let remote = SpanContext(traceID: trace, spanID: parent, isSampled: true, isRemote: true)
            return TelemetryContext(span: .nonRecording(remote), baggage: context.baggage)
        }
    }

    @Test func `lets an app write a propagator`() throws {
        let headers = ["x-trace": "4bf92f3577b34da6a3ce929d0e0e4736", "x-parent": "00f067aa0ba902b7"]
        let context = PlainPropagator().extract { headers[$0] }
        let span = try #require(context.span?.context)
        #expect(span.isRemote && span.isSampled)
        var sent: [String: String] = [:]
        PlainPropagator().inject(context) { sent[$0] = $1 }
        #expect(sent == headers)
        #expect(PlainPropagator().extract { _ in "4BF9" }.span == nil)
    }

    private struct Clockwork: SpanProcessor, LogRecordProcessor {
        let see: @Sendable (_ start: Date, _ duration: Duration) -> Void

        func onEnd(_ span: FinishedSpan) { see(span.startTime, span.duration) }
        func onEmit(_ record: inout LogRecord) { see(record.time, .zero) }
    }

    @Test func `has times as dates and durations`() async {
        let moment = Date(timeIntervalSince1970: 1_795_251_000)
        let (seen, see) = AsyncStream.makeStream(of: [Double].self)
        let clockwork = Clockwork { start, duration in
            see.yield([start.timeIntervalSince(moment), duration / .seconds(1)])
        }
        var configuration = TelemetryConfiguration(serviceName: "shop")
        configuration.spanProcessors = [clockwork]
        configuration.logRecordProcessors = [clockwork]
        let collector = TelemetryCollector()
        let telemetry = collector.start(configuration)
        let span = telemetry.tracer("shop").spanBuilder("import").setStartTime(moment).startSpan()
        span.addEvent("half", at: moment + 0.5)
        span.recordException(CancellationError(), at: moment + 0.75)
        span.end(at: moment + 1)
        telemetry.logger("shop").emit("imported", at: moment + 2)
        await telemetry.shutdown()
        see.finish()
        #expect(await telemetry.report.ledger.isBalanced)
        let times: [[Double]] = await seen.reduce(into: []) { $0.append($1) }
        #expect(times.contains([0, 1]) && times.contains([2, 0]))
        let events = collector.spans(named: "import").first?.events ?? []
        #expect(events.map { $0.time.timeIntervalSince(moment) } == [0.5, 0.75])
        #expect(SpanEvent(name: "half", time: moment).time == moment)
    }

    @Test func `lets an app test its sampler, and ask a disabled SDK anything`() {
        let parent = SpanContext(traceID: .invalid, spanID: .invalid, isSampled: false)
        let input = SamplingInput(parent: parent, traceID: .invalid, name: "checkout", kind: .internal)
        #expect(Everything().shouldSample(input).decision == .recordAndSample)
        Telemetry.disabled.moveLifecycle(to: .background)
        #expect(Telemetry.disabled.policyDecision == nil)
        #expect(Telemetry.disabled.resource.attributes.isEmpty)
    }

    @Test func `lets an app write processors and samplers`() {
        var configuration = TelemetryConfiguration(serviceName: "shop")
        configuration.spanProcessors = [Renaming()]
        configuration.logRecordProcessors = [Renaming()]
        configuration.beforeSend.append { record in
            if case .span(let span) = record { return span.events.isEmpty && span.links.isEmpty }
            return true
        }
        configuration.sampler = ParentBasedSampler(root: Everything(), remoteParentNotSampled: RatioSampler(0.5))
        #expect(
            configuration.sampler?.description
                == "ParentBased{root:Everything,remoteParentNotSampled:RatioSampler{0.5}}")
    }
}
