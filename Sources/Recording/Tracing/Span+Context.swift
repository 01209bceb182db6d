import AstrolabeTelemetryModel
import Atomics
import CAstrolabeCrashCapture

/// Makes a span the current one while a closure runs.
extension Tracer.Span {
    @usableFromInline
    func withContext<Result>(in core: RecordingCore?, _ body: (Tracer.Span) throws -> Result) rethrows -> Result {
        guard let core else { return try body(self) }
        let mark = recorder.map { ThreadSpan(entering: $0) }
        defer { mark?.leave() }
        return try ContextScope.run(holder(in: core)) { try body(self) }
    }

    @usableFromInline
    func withContext<Result>(
        in core: RecordingCore?, isolation: isolated (any Actor)?, _ body: (Tracer.Span) async throws -> Result,
    ) async rethrows -> Result {
        guard let core else { return try await body(self) }
        return try await ContextScope.run(holder(in: core), isolation: isolation) { try await body(self) }
    }

    private func holder(in core: RecordingCore) -> ContextHolder {
        let use = core.contextUse.load(ordering: .relaxed)
        let baggage =
            if use == 0 {
                Baggage()
            } else if use < ContextUse.externalContext {
                ContextScope.baggage
            } else {
                TelemetryContext.current.baggage
            }
        if let recorder, baggage.isEmpty, use < ContextUse.externalContext {
            recorder.use()
            return recorder
        }
        return ContextNode(TelemetryContext(activeSpan: self, baggage: baggage).opened())
    }
}

/// Shows the handlers of crashes and hangs which span a thread works in: three words of the thread's own.
///
/// A span with a synchronous closure is shown. One with an asynchronous closure is not, on the main actor neither:
/// while it waits, its thread does other work, and a crash had better have no span than another's.
private struct ThreadSpan {
    private let span: SpanID
    private let before: astrolabe_span_ids

    init(entering handle: SpanHandle) {
        let context = handle.context
        span = context.spanID
        let ids = astrolabe_span_ids(
            trace_high: context.traceID.high, trace_low: context.traceID.low, span: context.spanID.value)
        let last = astrolabe_enter_span(ids)
        // One before that has nothing to do with this one may be over by the time that this one ends.
        let isOfTrace = last.trace_high == ids.trace_high && last.trace_low == ids.trace_low
        before = isOfTrace ? last : astrolabe_span_ids()
    }

    func leave() {
        astrolabe_leave_span(span.value, before)
    }
}
