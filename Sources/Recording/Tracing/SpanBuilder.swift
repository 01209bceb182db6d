import AstrolabePlatform
public import AstrolabeTelemetryModel
public import Foundation

/// Says, step by step, how a span starts.
///
///     let span = tracer.spanBuilder("upload").setSpanKind(.client).setActive(true).startSpan()
///     defer { span.end() }
public struct SpanBuilder: Sendable {
    @usableFromInline let core: RecordingCore?
    @usableFromInline let scope: ScopeNumber
    @usableFromInline let name: String
    @usableFromInline let kind: SpanKind
    /// Options that few spans need; `nil` until they are asked for, and if the SDK is disabled.
    @usableFromInline var options: SpanOptions?

    @inlinable
    init(core: RecordingCore?, scope: ScopeNumber, name: String, kind: SpanKind, options: SpanOptions?) {
        self.core = core
        self.scope = scope
        self.name = name
        self.kind = kind
        self.options = options
    }

    /// Makes the span a child of `span` instead of the current one.
    public consuming func setParent(_ span: Tracer.Span) -> SpanBuilder {
        changing { $0.parent = span }
    }

    /// Makes the span a child of `context` instead of the current one; an invalid context makes it a root.
    public consuming func setParent(_ context: SpanContext) -> SpanBuilder {
        setParent(.nonRecording(context))
    }

    /// Makes the span the root of a new trace.
    @inlinable
    public consuming func setNoParent() -> SpanBuilder {
        setParent(Tracer.Span.none)
    }

    /// Sets what part the span has in a request or message. Default `internal`.
    @inlinable
    public func setSpanKind(_ kind: SpanKind) -> SpanBuilder {
        SpanBuilder(core: core, scope: scope, name: name, kind: kind, options: options)
    }

    /// Sets an attribute that the span starts with; `nil` sets nothing.
    public consuming func setAttribute(_ key: String, _ value: some AttributeConvertible) -> SpanBuilder {
        core == nil ? self : changing { $0.attributes.setAttribute(key, value) }
    }

    /// Relates the span to another one, of this or another trace.
    public consuming func addLink(_ context: SpanContext, attributes: Attributes = [:]) -> SpanBuilder {
        core == nil ? self : changing { $0.links.append(SpanLink(context: context, attributes: attributes)) }
    }

    /// Sets when the operation started. Default now.
    public consuming func setStartTime(_ time: Date) -> SpanBuilder {
        setStartTime(timeUnixNano: UInt64(nanosecondsSince1970: time))
    }

    /// Sets when the operation started, to the nanosecond.
    package consuming func setStartTime(timeUnixNano: UInt64) -> SpanBuilder {
        core == nil ? self : changing { $0.startTimeUnixNano = timeUnixNano }
    }

    /// With `true`, the span is the current one for what this task starts after it, until it ends. Default `false`.
    ///
    /// `withSpan` is the better way where it fits: its scope has an end that cannot be forgotten, and tasks started
    /// within it inherit the span.
    public consuming func setActive(_ isActive: Bool) -> SpanBuilder {
        core == nil ? self : changing { $0.isActive = isActive }
    }

    /// Starts the span. Where the SDK is disabled it records nothing, and passes on a parent that was set.
    @inlinable
    public func startSpan() -> Tracer.Span {
        if let options { return Self.start(name, kind: kind, core, scope, options) }
        return RecordingCore.start(name, kind: kind, scope: scope, core)
    }

    @usableFromInline
    static func start(
        _ name: String, kind: SpanKind, _ core: RecordingCore?, _ scope: ScopeNumber, _ options: SpanOptions,
    ) -> Tracer.Span {
        guard let core else { return options.parent ?? .none }
        return core.start(name, kind: kind, scope: scope, options)
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
    /// `nil` for the current span; `Span.none` for none.
    @usableFromInline var parent: Tracer.Span?
    var startTimeUnixNano: UInt64?
    var attributes: Attributes
    var links: [SpanLink]
    var isActive: Bool

    init(copying other: SpanOptions?) {
        parent = other?.parent
        startTimeUnixNano = other?.startTimeUnixNano
        attributes = other?.attributes ?? Attributes()
        links = other?.links ?? []
        isActive = other?.isActive ?? false
    }
}
