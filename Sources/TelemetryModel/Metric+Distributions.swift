/// One measurement behind a data point, with the span that was current when it was made.
public struct Exemplar: Hashable, Sendable {
    /// The attributes of the measurement that the data point does not have.
    public var filteredAttributes: Attributes
    public var timeUnixNano: UInt64
    /// `nil` where the sender gave none.
    public var value: MetricNumber?
    /// `.invalid` where the measurement was made in no trace.
    public var traceID: TraceID
    /// `.invalid` where the measurement was made in no span.
    public var spanID: SpanID

    public init(
        filteredAttributes: Attributes = [:], timeUnixNano: UInt64, value: MetricNumber?,
        traceID: TraceID = .invalid, spanID: SpanID = .invalid,
    ) {
        self.filteredAttributes = filteredAttributes
        self.timeUnixNano = timeUnixNano
        self.value = value
        self.traceID = traceID
        self.spanID = spanID
    }
}

/// A histogram whose bucket bounds are powers of `2^(2^-scale)`.
public struct ExponentialHistogramPoint: Hashable, Sendable {
    /// Buckets side by side. Bucket `offset + i` is for magnitudes over `base^(offset + i)` up to
    /// `base^(offset + i + 1)`.
    public struct Buckets: Hashable, Sendable {
        public var offset: Int32
        public var counts: [UInt64]

        public init(offset: Int32 = 0, counts: [UInt64] = []) {
            self.offset = offset
            self.counts = counts
        }
    }

    public var attributes: Attributes
    public var startTimeUnixNano: UInt64
    public var timeUnixNano: UInt64
    public var count: UInt64
    public var sum: Double?
    public var min: Double?
    public var max: Double?
    public var scale: Int32
    /// The number of measurements whose magnitude is at most `zeroThreshold`.
    public var zeroCount: UInt64
    public var zeroThreshold: Double
    public var positive: Buckets
    /// The buckets of negative measurements, by their magnitude.
    public var negative: Buckets
    public var exemplars: [Exemplar]

    public init(
        attributes: Attributes = [:], startTimeUnixNano: UInt64 = 0, timeUnixNano: UInt64, count: UInt64,
        sum: Double? = nil, min: Double? = nil, max: Double? = nil, scale: Int32, zeroCount: UInt64 = 0,
        zeroThreshold: Double = 0, positive: Buckets = Buckets(), negative: Buckets = Buckets(),
        exemplars: [Exemplar] = [],
    ) {
        self.attributes = attributes
        self.startTimeUnixNano = startTimeUnixNano
        self.timeUnixNano = timeUnixNano
        self.count = count
        self.sum = sum
        self.min = min
        self.max = max
        self.scale = scale
        self.zeroCount = zeroCount
        self.zeroThreshold = zeroThreshold
        self.positive = positive
        self.negative = negative
        self.exemplars = exemplars
    }
}

/// Quantiles that the sender computed.
public struct SummaryPoint: Hashable, Sendable {
    public struct Quantile: Hashable, Sendable {
        /// From 0, the minimum, to 1, the maximum.
        public var quantile: Double
        public var value: Double

        public init(quantile: Double, value: Double) {
            self.quantile = quantile
            self.value = value
        }
    }

    public var attributes: Attributes
    public var startTimeUnixNano: UInt64
    public var timeUnixNano: UInt64
    public var count: UInt64
    public var sum: Double
    public var quantiles: [Quantile]

    public init(
        attributes: Attributes = [:], startTimeUnixNano: UInt64 = 0, timeUnixNano: UInt64, count: UInt64, sum: Double,
        quantiles: [Quantile] = [],
    ) {
        self.attributes = attributes
        self.startTimeUnixNano = startTimeUnixNano
        self.timeUnixNano = timeUnixNano
        self.count = count
        self.sum = sum
        self.quantiles = quantiles
    }
}
