public import AstrolabeRecording
import AstrolabeTelemetryModel

/// B3, the headers of Zipkin, which proxies of older service meshes read.
///
///     configuration.propagator = CompositePropagator([TraceContextPropagator(), BaggagePropagator(), B3Propagator()])
///
/// It writes one form and reads both, as the specification of OpenTelemetry asks; the single header wins. Trace ids of
/// 16 digits are read as their lower half. A sampling decision without ids, and the id of the parent, are passed over.
public struct B3Propagator: TextMapPropagator {
    /// The form that `inject` writes.
    public enum Form: Sendable {
        /// `b3: {trace id}-{span id}-{1 or 0}`.
        case singleHeader
        /// `X-B3-TraceId`, `X-B3-SpanId` and `X-B3-Sampled`.
        case multipleHeaders
    }

    private static let single = "b3"
    private static let traceID = "X-B3-TraceId"
    private static let spanID = "X-B3-SpanId"
    private static let sampled = "X-B3-Sampled"
    private static let flags = "X-B3-Flags"

    private let form: Form

    /// Creates the propagator.
    public init(_ form: Form = .singleHeader) {
        self.form = form
    }

    /// Both forms by the names that `OTEL_PROPAGATORS` and a declarative configuration have for them.
    package static let byName: [String: any TextMapPropagator] = [
        "b3": B3Propagator(.singleHeader), "b3multi": B3Propagator(.multipleHeaders),
    ]

    public var fields: [String] {
        switch form {
        case .singleHeader: [Self.single]
        case .multipleHeaders: [Self.traceID, Self.spanID, Self.sampled]
        }
    }

    public func inject(_ context: TelemetryContext, set: (_ name: String, _ value: String) -> Void) {
        guard let span = context.span?.context, span.isValid else { return }
        let sampled = span.isSampled ? "1" : "0"
        switch form {
        case .singleHeader: set(Self.single, "\(span.traceID.hex)-\(span.spanID.hex)-\(sampled)")
        case .multipleHeaders:
            set(Self.traceID, span.traceID.hex)
            set(Self.spanID, span.spanID.hex)
            set(Self.sampled, sampled)
        }
    }

    public func extract(into context: TelemetryContext, get: (_ name: String) -> String?) -> TelemetryContext {
        guard let remote = get(Self.single).flatMap(Self.spanContext) ?? Self.spanContext(get) else { return context }
        return TelemetryContext(span: .nonRecording(remote), baggage: context.baggage)
    }

    /// Reads `{trace id}-{span id}`, with a sampling state and the id of the parent after them, or without.
    private static func spanContext(_ header: String) -> SpanContext? {
        let parts = header.trimmingSpaces.split(separator: "-", omittingEmptySubsequences: false)
        guard (2...4).contains(parts.count), parts.count < 4 || SpanID(hex: parts[3]) != nil else { return nil }
        return spanContext(parts[0], parts[1], sampled: parts.count > 2 ? parts[2] : nil)
    }

    private static func spanContext(_ get: (_ name: String) -> String?) -> SpanContext? {
        guard let trace = get(traceID), let span = get(spanID) else { return nil }
        let isDebug = get(flags)?.trimmingSpaces == "1"
        return spanContext(
            trace.trimmingSpaces, span.trimmingSpaces, sampled: isDebug ? "d" : get(sampled)?.trimmingSpaces)
    }

    private static func spanContext(_ trace: Substring, _ span: Substring, sampled: Substring?) -> SpanContext? {
        let padded = trace.utf8.count == 16 ? String(repeating: "0", count: 16) + trace : String(trace)
        guard let traceID = TraceID(hex: padded), traceID.isValid, let spanID = SpanID(hex: span), spanID.isValid else {
            return nil
        }
        switch sampled {
        case "1", "d", "true":
            return SpanContext(traceID: traceID, spanID: spanID, flags: .sampled, isRemote: true)
        case nil, "0", "false":
            return SpanContext(traceID: traceID, spanID: spanID, flags: [], isRemote: true)
        default: return nil
        }
    }
}
