public import TelemetryModel

/// Says, step by step, how a span starts.
///
///     let span = tracer.spanBuilder("upload").setSpanKind(.client).setActive(true).startSpan()
///     defer { span.end() }
public struct SpanBuilder: Sendable {
    private let tracer: Tracer
    private let name: String
    private var kind = SpanKind.internal
    private var parent = Parent.current
    private var isActive = false
    private var startTimeUnixNano: UInt64?
    private var attributes = Attributes()
    private var links: [SpanLink] = []

    private enum Parent {
        case current
        case none
        case context(SpanContext)
    }

    init(tracer: Tracer, name: String) {
        self.tracer = tracer
        self.name = name
    }

    /// Makes the span a child of `span` instead of the current one.
    public func setParent(_ span: Span) -> SpanBuilder {
        setParent(span.context)
    }

    /// Makes the span a child of `context` instead of the current one; an invalid context makes it a root.
    public func setParent(_ context: SpanContext) -> SpanBuilder {
        with { $0.parent = context.isValid ? .context(context) : .none }
    }

    /// Makes the span the root of a new trace.
    public func setNoParent() -> SpanBuilder {
        with { $0.parent = .none }
    }

    /// Default `internal`.
    public func setSpanKind(_ kind: SpanKind) -> SpanBuilder {
        with { $0.kind = kind }
    }

    public func setAttribute(key: String, value: AttributeValue) -> SpanBuilder {
        with { $0.attributes[key] = value }
    }

    public func addLink(_ context: SpanContext, attributes: Attributes = [:]) -> SpanBuilder {
        with { $0.links.append(SpanLink(context: context, attributes: attributes)) }
    }

    /// Nanoseconds since 1970; default now.
    public func setStartTime(timeUnixNano: UInt64) -> SpanBuilder {
        with { $0.startTimeUnixNano = timeUnixNano }
    }

    /// With `true`, the span is the current one for what this task starts after it, until it ends. Default `false`.
    ///
    /// `withSpan` is the better way where it fits: its scope has an end that cannot be forgotten, and tasks started
    /// within it inherit the span.
    public func setActive(_ isActive: Bool) -> SpanBuilder {
        with { $0.isActive = isActive }
    }

    public func startSpan() -> Span {
        guard tracer.core != nil else { return .none }
        let parentContext: SpanContext? =
            switch parent {
            case .current: TelemetryContext.current.span?.context
            case .none: nil
            case .context(let context): context
            }
        let span = tracer.start(name, kind: kind, parent: parentContext, startTimeUnixNano: startTimeUnixNano)
        if !attributes.isEmpty { span.setAttributes(attributes) }
        for link in links { span.addLink(link.context, attributes: link.attributes) }
        if isActive { ActiveSpans.activate(span) }
        return span
    }

    private func with(_ change: (inout SpanBuilder) -> Void) -> SpanBuilder {
        var copy = self
        change(&copy)
        return copy
    }
}
