/// The eight W3C trace flags, of which two are defined.
public struct TraceFlags: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The caller recorded this trace; a receiver should record its part too.
    @inlinable public static var sampled: TraceFlags { TraceFlags(rawValue: 0x01) }
    /// The last 7 bytes of the trace id are random (W3C Trace Context level 2), so samplers may use them.
    @inlinable public static var random: TraceFlags { TraceFlags(rawValue: 0x02) }
}

/// The identity of a span to others: it travels in headers and in links.
public struct SpanContext: Hashable, Sendable {
    /// The trace that the span belongs to.
    public let traceID: TraceID
    /// The span within its trace.
    public let spanID: SpanID
    @usableFromInline package let flags: TraceFlags
    /// The `tracestate` that goes along with it.
    public let traceState: TraceState
    /// True where the context came from another process.
    public let isRemote: Bool

    @inlinable
    package init(
        traceID: TraceID, spanID: SpanID, flags: TraceFlags = [], traceState: TraceState = TraceState(),
        isRemote: Bool = false,
    ) {
        self.traceID = traceID
        self.spanID = spanID
        self.flags = flags
        self.traceState = traceState
        self.isRemote = isRemote
    }

    /// Creates a context, for a propagator of the app or the test of a sampler.
    ///
    /// - Parameters:
    ///   - isSampled: Whether the trace is recorded.
    ///   - traceState: The `tracestate` that goes along with it. Default empty.
    ///   - isRemote: True for the context of another process, as a propagator reads it. Default false.
    public init(
        traceID: TraceID, spanID: SpanID, isSampled: Bool, traceState: TraceState = TraceState(),
        isRemote: Bool = false,
    ) {
        self.init(
            traceID: traceID, spanID: spanID, flags: isSampled ? .sampled : [], traceState: traceState,
            isRemote: isRemote)
    }

    /// The context of no span.
    @inlinable public static var invalid: SpanContext { SpanContext(traceID: .invalid, spanID: .invalid) }

    /// True if both ids are valid.
    @inlinable public var isValid: Bool { traceID.isValid && spanID.isValid }
    /// True if the trace is recorded: the `sampled` flag of `traceparent`.
    @inlinable public var isSampled: Bool { flags.contains(.sampled) }
}
