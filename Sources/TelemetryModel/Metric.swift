/// Whether each data point counts from the last export or from the start. Raw values are OTLP's.
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
    public var data: Points

    public enum Points: Hashable, Sendable {
        case gauge([NumberPoint])
        case sum([NumberPoint], temporality: AggregationTemporality?, isMonotonic: Bool)
        case histogram([HistogramPoint], temporality: AggregationTemporality?)
        /// A kind that this version does not read (exponential histogram, summary), with the number of its points.
        case unsupported(String, pointCount: Int)
    }

    public init(name: String, description: String = "", unit: String = "", data: Points) {
        self.name = name
        self.description = description
        self.unit = unit
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

    public init(
        attributes: Attributes = [:], startTimeUnixNano: UInt64 = 0, timeUnixNano: UInt64, value: MetricNumber,
    ) {
        self.attributes = attributes
        self.startTimeUnixNano = startTimeUnixNano
        self.timeUnixNano = timeUnixNano
        self.value = value
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

    public init(
        attributes: Attributes = [:], startTimeUnixNano: UInt64 = 0, timeUnixNano: UInt64, count: UInt64,
        sum: Double? = nil, min: Double? = nil, max: Double? = nil, bucketCounts: [UInt64] = [],
        explicitBounds: [Double] = [],
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
    }
}
