public import AstrolabeTelemetryModel

/// The object behind a span that is more than numbers. By itself it has a context to pass on and records nothing;
/// `SpanRecorder` is the one that does.
@usableFromInline
class SpanHandle: ContextHolder, @unchecked Sendable {  // immutable; `SpanRecorder` says how it guards what it adds
    final let context: SpanContext
    /// For a local root that was sampled out: its parent in another process or, where its sampler broke a trace, in
    /// this one.
    final let parent: SpanContext
    /// The options of the builder of the span with `number`.
    final let options: SpanOptions?
    /// The number of the span that was sampled out for which the handle was made; those inside it may share it.
    final let number: UInt64

    init(context: SpanContext, parent: SpanContext = .invalid, options: SpanOptions? = nil, number: UInt64 = 0) {
        self.context = context
        self.parent = parent
        self.options = options
        self.number = number
        super.init()
    }

    override var telemetry: TelemetryContext {
        TelemetryContext(activeSpan: Tracer.Span(SpanRef(handle: self)), baggage: Baggage())
    }

    @usableFromInline
    func setAttribute(_ key: String, _ value: AttributeValue) {}

    var recorder: SpanRecorder? { nil }
}
