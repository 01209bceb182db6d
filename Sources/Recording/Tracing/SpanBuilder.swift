public import TelemetryModel

/// Says, step by step, how a span starts.
///
///     let span = tracer.spanBuilder("upload").setSpanKind(.client).setActive(true).startSpan()
///     defer { span.end() }
public struct SpanBuilder: Sendable {
    @usableFromInline let tracer: Tracer
    @usableFromInline let name: String
    @usableFromInline var kind = SpanKind.internal
    @usableFromInline var isActive = false
    /// What few spans need; `nil` until it is asked for, and where the SDK is disabled.
    @usableFromInline var options: SpanOptions?

    @inlinable
    init(tracer: Tracer, name: String) {
        self.tracer = tracer
        self.name = name
    }

    /// Makes the span a child of `span` instead of the current one.
    @inlinable
    public consuming func setParent(_ span: Span) -> SpanBuilder {
        setParent(span.context)
    }

    /// Makes the span a child of `context` instead of the current one; an invalid context makes it a root.
    public consuming func setParent(_ context: SpanContext) -> SpanBuilder {
        changing { $0.parent = context }
    }

    /// Makes the span the root of a new trace.
    @inlinable
    public consuming func setNoParent() -> SpanBuilder {
        setParent(.invalid)
    }

    /// Default `internal`.
    @inlinable
    public consuming func setSpanKind(_ kind: SpanKind) -> SpanBuilder {
        self.kind = kind
        return self
    }

    public consuming func setAttribute(key: String, value: AttributeValue) -> SpanBuilder {
        tracer.core == nil ? self : changing { $0.attributes[key] = value }
    }

    public consuming func addLink(_ context: SpanContext, attributes: Attributes = [:]) -> SpanBuilder {
        tracer.core == nil ? self : changing { $0.links.append(SpanLink(context: context, attributes: attributes)) }
    }

    /// Nanoseconds since 1970; default now.
    public consuming func setStartTime(timeUnixNano: UInt64) -> SpanBuilder {
        tracer.core == nil ? self : changing { $0.startTimeUnixNano = timeUnixNano }
    }

    /// With `true`, the span is the current one for what this task starts after it, until it ends. Default `false`.
    ///
    /// `withSpan` is the better way where it fits: its scope has an end that cannot be forgotten, and tasks started
    /// within it inherit the span.
    @inlinable
    public consuming func setActive(_ isActive: Bool) -> SpanBuilder {
        self.isActive = isActive
        return self
    }

    /// Starts the span. Where the SDK is disabled it records nothing, and passes on a parent that was set.
    @inlinable
    public func startSpan() -> Span {
        tracer.core == nil && options == nil ? .none : start()
    }

    @usableFromInline
    func start() -> Span {
        guard let core = tracer.core else { return .nonRecording(options?.parent ?? .invalid) }
        let span =
            if let options {
                start(core, options)
            } else {
                tracer.start(
                    name, kind: kind, parent: TelemetryContext.current.spanContext, startTimeUnixNano: nil, core, )
            }
        return isActive ? ActiveSpans.activate(span, startedBy: tracer) : span
    }

    private func start(_ core: RecordingCore, _ options: SpanOptions) -> Span {
        let span = tracer.start(
            name, kind: kind, parent: options.parent ?? TelemetryContext.current.spanContext,
            startTimeUnixNano: options.startTimeUnixNano, core, )
        span.setAttributes(options.attributes)
        for link in options.links { span.addLink(link.context, attributes: link.attributes) }
        return span
    }

    private consuming func changing(_ change: (SpanOptions) -> Void) -> SpanBuilder {
        if !isKnownUniquelyReferenced(&options) { options = SpanOptions(copying: options) }
        if let options { change(options) }
        return self
    }
}

/// The parts of a builder that few spans need, behind one reference so that other spans do not pay for them.
@usableFromInline
final class SpanOptions: @unchecked Sendable {  // changed only while a single builder refers to it
    /// `nil` for the current span; an invalid context for none.
    var parent: SpanContext?
    var startTimeUnixNano: UInt64?
    var attributes: Attributes
    var links: [SpanLink]

    init(copying other: SpanOptions?) {
        parent = other?.parent
        startTimeUnixNano = other?.startTimeUnixNano
        attributes = other?.attributes ?? Attributes()
        links = other?.links ?? []
    }
}
