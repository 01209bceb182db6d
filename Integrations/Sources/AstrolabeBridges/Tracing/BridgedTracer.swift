import AstrolabeRecording
import AstrolabeTelemetryModel
public import Instrumentation
import ServiceContextModule
public import Tracing

/// Starts our spans for swift-distributed-tracing, and carries trace context and baggage for it.
public struct BridgedTracer: Tracing.Tracer {
    public typealias Span = BridgedSpan

    private let tracer: AstrolabeRecording.Tracer

    private let propagator: any TextMapPropagator

    init(_ tracer: AstrolabeRecording.Tracer, propagator: any TextMapPropagator) {
        self.tracer = tracer
        self.propagator = propagator
    }

    public func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> ServiceContext,
        ofKind kind: Tracing.SpanKind, at instant: @autoclosure () -> Instant, function: String, file fileID: String,
        line: UInt,
    ) -> BridgedSpan {
        var context = context()
        let parent = BridgedContext.telemetry(for: context)
        let time = BridgedTime(tracer)
        let span = tracer.spanBuilder(operationName).setSpanKind(AstrolabeTelemetryModel.SpanKind(kind))
            .setParent(parent.span?.context ?? .invalid)
            .setStartTime(timeUnixNano: time.nanoseconds(of: instant()))
            .startSpan()
        let state = BridgedSpan.State(name: operationName)
        BridgedContext(TelemetryContext(span: span, baggage: parent.baggage), spanState: state).store(in: &context)
        return BridgedSpan(span, state: state, context: context, time: time)
    }

    /// The innermost span of `context`: one that was started by way of this tracer or, inside that, by our own API.
    public func activeSpan(identifiedBy context: ServiceContext) -> BridgedSpan? {
        guard let span = BridgedContext.telemetry(for: context).span, span.isRecording else { return nil }
        let bridged = BridgedContext.of(context)
        let isBridged = bridged?.telemetry.span?.context == span.context
        let state = isBridged ? bridged?.spanState : nil
        return BridgedSpan(
            span, state: state ?? BridgedSpan.State(name: ""), context: context, time: BridgedTime(tracer))
    }

    public func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract,
    ) where Extract.Carrier == Carrier {
        let remote = propagator.extract { extractor.extract(key: $0, from: carrier) }
        guard remote.span != nil || !remote.baggage.isEmpty else { return }
        BridgedContext(remote).store(in: &context)
    }

    public func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject,
    ) where Inject.Carrier == Carrier {
        propagator.inject(BridgedContext.telemetry(for: context)) { name, value in
            injector.inject(value, forKey: name, into: &carrier)
        }
    }

    /// Does nothing: delivery sends records by its own schedule. Use `Telemetry.flush` to wait until they are sent.
    public func forceFlush() {}
}

extension AstrolabeTelemetryModel.SpanKind {
    init(_ kind: Tracing.SpanKind) {
        switch kind {
        case .server: self = .server
        case .client: self = .client
        case .producer: self = .producer
        case .consumer: self = .consumer
        case .internal: self = .internal
        }
    }
}
