package import AstrolabeTelemetryModel

/// W3C Trace Context: the headers `traceparent` and `tracestate`.
///
/// Level 1, with the random flag of level 2.
public struct TraceContextPropagator: TextMapPropagator {
    private static let traceParentHeader = "traceparent"
    private static let traceStateHeader = "tracestate"

    /// Creates the propagator.
    public init() {}

    public var fields: [String] { [Self.traceParentHeader, Self.traceStateHeader] }

    public func inject(_ context: TelemetryContext, set: (_ name: String, _ value: String) -> Void) {
        guard let span = context.span?.context, span.isValid else { return }
        set(Self.traceParentHeader, Self.traceParent(of: span))
        if !span.traceState.isEmpty { set(Self.traceStateHeader, span.traceState.header) }
    }

    /// Reads what another process sent. A `traceparent` that breaks a rule is treated as absent, and with it the
    /// `tracestate`; a `tracestate` that breaks a rule is dropped alone.
    public func extract(into context: TelemetryContext, get: (_ name: String) -> String?) -> TelemetryContext {
        guard let header = get(Self.traceParentHeader), let parent = Self.spanContext(traceParent: header) else {
            return context
        }
        let state = get(Self.traceStateHeader).flatMap(TraceState.init(header:)) ?? TraceState()
        let remote = SpanContext(
            traceID: parent.traceID, spanID: parent.spanID, flags: parent.flags, traceState: state, isRemote: true)
        return TelemetryContext(span: .nonRecording(remote), baggage: context.baggage)
    }

    /// `00-{32 hex}-{16 hex}-{2 hex}`, whose flags tell whether the span is really recorded.
    package static func traceParent(of context: SpanContext) -> String {
        let flags = context.flags.intersection([.sampled, .random]).rawValue
        return "00-\(context.traceID.hex)-\(context.spanID.hex)-0\(String(flags, radix: 16))"
    }

    /// Reads a `traceparent`; `nil` for a wrong length, upper case, an all-zero id, version `ff`, or a version 00 that
    /// has more than four parts. Higher versions may be longer, and only the known parts are read.
    package static func spanContext(traceParent header: String) -> SpanContext? {
        let parts = header.trimmingSpaces.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 4, let version = byte(parts[0]), version != 0xFF,
            version != 0 || parts.count == 4,
            let traceID = TraceID(hex: parts[1]), traceID.isValid,
            let spanID = SpanID(hex: parts[2]), spanID.isValid,
            let flags = byte(parts[3])
        else { return nil }
        let known = TraceFlags(rawValue: flags).intersection([.sampled, .random])
        return SpanContext(traceID: traceID, spanID: spanID, flags: known, isRemote: true)
    }

    private static func byte(_ text: Substring) -> UInt8? {
        guard text.utf8.count == 2, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        return UInt8(text, radix: 16)
    }
}

extension String {
    package var trimmingSpaces: Substring { self[...].trimmingSpaces() }
}
