import AstrolabeTelemetryModel

/// The identity of an instrument; requests with the same scope, name and kind share the first one's.
struct InstrumentDescriptor: Equatable, Sendable {
    var scope: InstrumentationScope
    var name: String
    var unit: String
    var description: String
    var kind: InstrumentKind
}

enum InstrumentKind: Equatable, Sendable {
    case sum(isMonotonic: Bool)
    /// A sum whose total is observed before each collection.
    case observedSum(isMonotonic: Bool)
    case histogram(bounds: [Double])
    case gauge
    /// A gauge whose value is observed before each collection.
    case observedGauge

    /// The same for all histograms, since bounds are advice that does not tell one instrument from another.
    var identity: InstrumentKind {
        if case .histogram = self { .histogram(bounds: []) } else { self }
    }

    /// The aggregation of an instrument that nothing else is said about.
    func aggregation(_ histograms: HistogramAggregation) -> StreamAggregation {
        switch self {
        case .sum(let isMonotonic): .sum(isMonotonic: isMonotonic)
        case .observedSum(let isMonotonic): .observedSum(isMonotonic: isMonotonic)
        case .gauge, .observedGauge: .lastValue
        case .histogram(let bounds):
            switch histograms {
            case .explicitBuckets: .histogram(bounds: bounds, recordsSum: true)
            case .base2Exponential: .exponentialHistogram(ExponentialHistogram.Limits(), recordsSum: true)
            }
        }
    }
}

/// The aggregation of histograms that no view names.
package enum HistogramAggregation: String, Sendable, CaseIterable {
    case explicitBuckets = "explicit_bucket_histogram"
    case base2Exponential = "base2_exponential_bucket_histogram"
}

/// The aggregation of an instrument's measurements.
enum StreamAggregation: Equatable, Sendable {
    case sum(isMonotonic: Bool)
    /// A sum whose total is observed before each collection.
    case observedSum(isMonotonic: Bool)
    case lastValue
    case histogram(bounds: [Double], recordsSum: Bool)
    case exponentialHistogram(ExponentialHistogram.Limits, recordsSum: Bool)

    /// An up-down counter is always cumulative, as the specification's preference "delta" has it.
    func temporality(preferring temporality: AggregationTemporality) -> AggregationTemporality {
        switch self {
        case .sum(isMonotonic: false), .observedSum(isMonotonic: false): .cumulative
        case .sum, .observedSum, .lastValue, .histogram, .exponentialHistogram: temporality
        }
    }

    /// True if the values are totals, of which the last one counts.
    var isObserved: Bool {
        if case .observedSum = self { true } else { false }
    }
}
