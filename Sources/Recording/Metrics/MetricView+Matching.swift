import AstrolabeTelemetryModel

extension MetricView.Aggregation {
    /// The specification's bounds of explicit buckets.
    package static let defaultBounds = Meter.Histogram.defaultBounds
}

extension MetricView {
    func matches(_ descriptor: InstrumentDescriptor) -> Bool {
        func isSame(_ wanted: String?, _ value: String) -> Bool { wanted.map { $0 == value } ?? true }
        return isSame(unit, descriptor.unit) && isSame(meter, descriptor.scope.name)
            && isSame(meterVersion, descriptor.scope.version)
            && isSame(meterSchemaURL, descriptor.scope.schemaURL)
            && kind.map { $0 == descriptor.kind.viewKind } ?? true
            && instrument.map { NamePattern($0.lowercased()).matches(descriptor.name.lowercased()) } ?? true
    }

    /// The metric that this view makes of an instrument; `nil` if the two do not go together.
    func stream(of descriptor: InstrumentDescriptor, _ histograms: HistogramAggregation) -> StreamPlan? {
        guard let aggregation = aggregation(for: descriptor.kind, histograms) else { return nil }
        var stream = StreamPlan(descriptor, aggregation: aggregation)
        if let name, !name.isEmpty { stream.descriptor.name = name }
        if let description { stream.descriptor.description = description }
        if let cardinalityLimit { stream.cardinalityLimit = min(max(cardinalityLimit, 1), 20_000) }
        if attributeKeys != nil || !excludedAttributeKeys.isEmpty {
            stream.filter = AttributeFilter(
                kept: attributeKeys.map(KeyPatterns.init), removed: KeyPatterns(excludedAttributeKeys))
        }
        return stream
    }

    private func aggregation(
        for kind: AstrolabeRecording.InstrumentKind, _ histograms: HistogramAggregation,
    ) -> StreamAggregation? {
        switch aggregation {
        case .default: kind.aggregation(histograms)
        case .drop: nil
        case .sum: kind.sum
        case .lastValue: .lastValue
        case .explicitBuckets(let bounds):
            kind.isObserved
                ? nil
                : .histogram(bounds: Meter.Histogram.cleaned(bounds), recordsSum: !kind.isNegativeUsual)
        case .base2Exponential(let maxSize, let maxScale):
            kind.isObserved
                ? nil
                : .exponentialHistogram(
                    ExponentialHistogram.Limits(maxSize: maxSize, maxScale: maxScale),
                    recordsSum: !kind.isNegativeUsual)
        }
    }
}

extension InstrumentKind {
    fileprivate var viewKind: MetricView.InstrumentKind {
        switch self {
        case .sum(isMonotonic: true): .counter
        case .sum(isMonotonic: false): .upDownCounter
        case .observedSum(isMonotonic: true): .observableCounter
        case .observedSum(isMonotonic: false): .observableUpDownCounter
        case .histogram: .histogram
        case .gauge: .gauge
        case .observedGauge: .observableGauge
        }
    }

    fileprivate var sum: StreamAggregation {
        switch self {
        case .sum(let isMonotonic): .sum(isMonotonic: isMonotonic)
        case .histogram: .sum(isMonotonic: true)
        case .gauge: .sum(isMonotonic: false)
        case .observedSum(let isMonotonic): .observedSum(isMonotonic: isMonotonic)
        case .observedGauge: .observedSum(isMonotonic: false)
        }
    }

    var isObserved: Bool {
        switch self {
        case .observedSum, .observedGauge: true
        case .sum, .histogram, .gauge: false
        }
    }

    /// True if negative measurements are usual, so that a histogram of them has no sum (specification, "Histogram
    /// Aggregations").
    fileprivate var isNegativeUsual: Bool {
        switch self {
        case .sum(isMonotonic: false), .observedSum(isMonotonic: false), .gauge, .observedGauge: true
        case .sum, .observedSum, .histogram: false
        }
    }
}
