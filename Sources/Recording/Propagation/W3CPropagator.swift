package import AstrolabeTelemetryModel

/// Carries trace context and baggage in HTTP headers: `traceparent`, `tracestate` and `baggage`.
///
///     W3CPropagator.inject(.current) { name, value in request.setValue(value, forHTTPHeaderField: name) }
///     let remote = W3CPropagator.extract { name in request.headers[name] }
///
/// W3C Trace Context level 1 with the random flag of level 2, and W3C Baggage.
public enum W3CPropagator {
    package static let traceParentHeader = "traceparent"
    package static let traceStateHeader = "tracestate"
    package static let baggageHeader = "baggage"

    /// Gives each header to `set`; nothing for what is empty or invalid.
    public static func inject(_ context: TelemetryContext, set: (_ name: String, _ value: String) -> Void) {
        if let span = context.span?.context, span.isValid {
            set(traceParentHeader, traceParent(of: span))
            if !span.traceState.isEmpty { set(traceStateHeader, span.traceState.header) }
        }
        if let baggage = context.baggage.headerValue { set(baggageHeader, baggage) }
    }

    /// Reads what another process sent. A `traceparent` that breaks a rule is treated as absent, and with it the
    /// `tracestate`; a `tracestate` that breaks a rule is dropped alone.
    public static func extract(get: (_ name: String) -> String?) -> TelemetryContext {
        let baggage = get(baggageHeader).map(Baggage.init(header:)) ?? Baggage()
        guard let header = get(traceParentHeader), let parent = spanContext(traceParent: header) else {
            return TelemetryContext(baggage: baggage)
        }
        let state = get(traceStateHeader).flatMap(TraceState.init(header:)) ?? TraceState()
        let context = SpanContext(
            traceID: parent.traceID, spanID: parent.spanID, flags: parent.flags, traceState: state, isRemote: true, )
        return TelemetryContext(span: .nonRecording(context), baggage: baggage)
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
    var trimmingSpaces: Substring { self[...].trimmingSpaces() }
}
