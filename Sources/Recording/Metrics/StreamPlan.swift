import AstrolabeTelemetryModel

/// The plan of a metric of an instrument.
struct StreamPlan: Sendable {
    /// The specification's limit on sets of attributes.
    static let defaultCardinalityLimit = 2_000

    var descriptor: InstrumentDescriptor
    var aggregation: StreamAggregation
    /// The filter of attributes; `nil` if all are kept.
    var filter: AttributeFilter?
    var cardinalityLimit = defaultCardinalityLimit

    init(_ descriptor: InstrumentDescriptor, aggregation: StreamAggregation) {
        self.descriptor = descriptor
        self.aggregation = aggregation
    }

    /// The metrics of an instrument, and the first view that cannot be followed.
    static func plans(
        for descriptor: InstrumentDescriptor, views: [MetricView], histograms: HistogramAggregation,
    ) -> (plans: [StreamPlan], unusable: MetricView?) {
        var plans: [StreamPlan] = []
        var unusable: MetricView?
        var isUsual = true
        for view in views where view.matches(descriptor) {
            if let plan = view.stream(of: descriptor, histograms) {
                plans.append(plan)
            } else if view.aggregation != .drop {
                unusable = unusable ?? view
                continue
            }
            isUsual = false
        }
        if isUsual { plans = [StreamPlan(descriptor, aggregation: descriptor.kind.aggregation(histograms))] }
        return (plans, unusable)
    }
}
