/// The start of each data point: the last export, or the start of the process. Raw values are OTLP's.
public enum AggregationTemporality: Int32, Sendable, CaseIterable {
    /// Each data point counts from the previous export.
    case delta = 1
    /// Each data point counts from the start of the process.
    case cumulative = 2
}

/// A metric with its data points, as a reader of OTLP sees it.
public struct MetricData: Hashable, Sendable {
    public var name: String
    public var description: String
    /// A UCUM unit such as `s`, `By` or `{request}`.
    public var unit: String
    /// Facts about the metric itself, such as the type it has in another format.
    public var metadata: Attributes
    public var data: Points

    public enum Points: Hashable, Sendable {
        case gauge([NumberPoint])
        case sum([NumberPoint], temporality: AggregationTemporality?, isMonotonic: Bool)
        case histogram([HistogramPoint], temporality: AggregationTemporality?)
        case exponentialHistogram([ExponentialHistogramPoint], temporality: AggregationTemporality?)
        case summary([SummaryPoint])
        /// No points, or points of a kind that this version does not know.
        case unknown
    }

    public init(
        name: String, description: String = "", unit: String = "", metadata: Attributes = [:], data: Points,
    ) {
        self.name = name
        self.description = description
        self.unit = unit
        self.metadata = metadata
        self.data = data
    }
}

/// A measured number; both forms of OTLP.
public enum MetricNumber: Hashable, Sendable {
    case int(Int64)
    case double(Double)

    public var doubleValue: Double {
        switch self {
        case .int(let value): Double(value)
        case .double(let value): value
        }
    }
}

public struct NumberPoint: Hashable, Sendable {
    public var attributes: Attributes
    /// 0 where the sender does not say, as for a gauge.
    public var startTimeUnixNano: UInt64
    public var timeUnixNano: UInt64
    public var value: MetricNumber
    public var exemplars: [Exemplar]

    public init(
        attributes: Attributes = [:], startTimeUnixNano: UInt64 = 0, timeUnixNano: UInt64, value: MetricNumber,
        exemplars: [Exemplar] = [],
    ) {
        self.attributes = attributes
        self.startTimeUnixNano = startTimeUnixNano
        self.timeUnixNano = timeUnixNano
        self.value = value
        self.exemplars = exemplars
    }
}

public struct HistogramPoint: Hashable, Sendable {
    public var attributes: Attributes
    public var startTimeUnixNano: UInt64
    public var timeUnixNano: UInt64
    public var count: UInt64
    public var sum: Double?
    public var min: Double?
    public var max: Double?
    /// One more than `explicitBounds`: the last bucket has no upper bound.
    public var bucketCounts: [UInt64]
    /// Upper bounds, inclusive, ascending.
    public var explicitBounds: [Double]
    public var exemplars: [Exemplar]

    public init(
        attributes: Attributes = [:], startTimeUnixNano: UInt64 = 0, timeUnixNano: UInt64, count: UInt64,
        sum: Double? = nil, min: Double? = nil, max: Double? = nil, bucketCounts: [UInt64] = [],
        explicitBounds: [Double] = [], exemplars: [Exemplar] = [],
    ) {
        self.attributes = attributes
        self.startTimeUnixNano = startTimeUnixNano
        self.timeUnixNano = timeUnixNano
        self.count = count
        self.sum = sum
        self.min = min
        self.max = max
        self.bucketCounts = bucketCounts
        self.explicitBounds = explicitBounds
        self.exemplars = exemplars
    }
}
