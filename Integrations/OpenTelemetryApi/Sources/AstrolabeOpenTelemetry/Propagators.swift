import AstrolabeRecording
public import OpenTelemetryApi

/// W3C Trace Context: `traceparent` and `tracestate`.
///
/// A header that breaks a rule counts as absent.
public struct AstrolabeTraceContextPropagator: OpenTelemetryApi.TextMapPropagator {
    public let fields: Set<String> = ["traceparent", "tracestate"]

    /// Creates the propagator. `Telemetry.registerWithOpenTelemetry` registers one.
    public init() {}

    public func inject<S: Setter>(
        spanContext: OpenTelemetryApi.SpanContext, carrier: inout [String: String], setter: S,
    ) {
        TraceContextPropagator().inject(TelemetryContext(span: .nonRecording(.init(spanContext)))) { name, value in
            setter.set(carrier: &carrier, key: name, value: value)
        }
    }

    public func extract<G: Getter>(carrier: [String: String], getter: G) -> OpenTelemetryApi.SpanContext? {
        let context = TraceContextPropagator().extract { name in
            let values = getter.get(carrier: carrier, key: name) ?? []
            // A request has one parent. Other headers may come in parts.
            if name == "traceparent", values.count > 1 { return nil }
            return values.isEmpty ? nil : values.joined(separator: ",")
        }
        return context.span.map { .of($0.context) }
    }
}

/// W3C Baggage: `baggage`.
public struct AstrolabeBaggagePropagator: TextMapBaggagePropagator {
    public let fields: Set<String> = ["baggage"]

    /// Creates the propagator. `Telemetry.registerWithOpenTelemetry` registers one.
    public init() {}

    public func inject<S: Setter>(
        baggage: any OpenTelemetryApi.Baggage, carrier: inout [String: String], setter: S,
    ) {
        guard let header = AstrolabeRecording.Baggage(baggage).headerValue else { return }
        setter.set(carrier: &carrier, key: "baggage", value: header)
    }

    public func extract<G: Getter>(carrier: [String: String], getter: G) -> (any OpenTelemetryApi.Baggage)? {
        guard let values = getter.get(carrier: carrier, key: "baggage"), !values.isEmpty else { return nil }
        return AstrolabeRecording.Baggage(header: values.joined(separator: ",")).apiBaggage
    }
}
