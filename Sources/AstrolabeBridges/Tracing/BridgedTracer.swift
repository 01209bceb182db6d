public import Instrumentation
import Recording
import ServiceContextModule
import TelemetryModel
public import Tracing

/// Starts our spans for swift-distributed-tracing, and carries W3C trace context and baggage for it.
public struct BridgedTracer: Tracing.Tracer {
    public typealias Span = BridgedSpan

    private let tracer: Recording.Tracer

    init(_ tracer: Recording.Tracer) {
        self.tracer = tracer
    }

    public func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: Tracing.SpanKind,
        at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt,
    ) -> BridgedSpan {
        var context = context()
        let scoped = TelemetryContext.taskLocal
        let parent = BridgedContext.innermost(of: context, within: scoped)
        let builder = tracer.spanBuilder(operationName).setSpanKind(TelemetryModel.SpanKind(kind))
            .setStartTime(timeUnixNano: instant().nanosecondsSinceEpoch)
        let span =
            if let parentSpan = parent.span { builder.setParent(parentSpan).startSpan() } else {
                builder.setNoParent().startSpan()
            }
        BridgedContext(span: span, baggage: parent.baggage, scope: BridgedContext.scopeID(of: scoped))
            .store(in: &context)
        return BridgedSpan(span, name: operationName, context: context)
    }

    public func activeSpan(identifiedBy context: ServiceContext) -> BridgedSpan? {
        guard let span = BridgedContext.of(context)?.span, span.isRecording else { return nil }
        return BridgedSpan(span, name: "", context: context)
    }

    public func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract,
    ) where Extract.Carrier == Carrier {
        let remote = W3CPropagator.extract { extractor.extract(key: $0, from: carrier) }
        guard remote.span != nil || !remote.baggage.isEmpty else { return }
        BridgedContext(
            span: remote.span, baggage: remote.baggage, scope: BridgedContext.scopeID(of: .taskLocal),
        ).store(in: &context)
    }

    public func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject,
    ) where Inject.Carrier == Carrier {
        W3CPropagator.inject(BridgedContext.innermost(of: context, within: .taskLocal)) { name, value in
            injector.inject(value, forKey: name, into: &carrier)
        }
    }

    /// Delivery has its own rhythm; `Telemetry.flush` is there for whoever must know.
    public func forceFlush() {}
}

extension TelemetryModel.SpanKind {
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
