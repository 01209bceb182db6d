/// W3C Baggage: the header `baggage`.
public struct BaggagePropagator: TextMapPropagator {
    private static let header = "baggage"

    /// Creates the propagator.
    public init() {}

    public var fields: [String] { [Self.header] }

    public func inject(_ context: TelemetryContext, set: (_ name: String, _ value: String) -> Void) {
        if let baggage = context.baggage.headerValue { set(Self.header, baggage) }
    }

    /// Adds the members of the header. Members that break the grammar are passed over.
    public func extract(into context: TelemetryContext, get: (_ name: String) -> String?) -> TelemetryContext {
        guard let baggage = get(Self.header).map(Baggage.init(header:)), !baggage.isEmpty else { return context }
        return TelemetryContext(span: context.span, baggage: context.baggage.merging(baggage))
    }
}
