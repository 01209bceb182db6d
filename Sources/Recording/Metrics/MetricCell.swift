import AstrolabeTelemetryModel

/// The running aggregation of one set of attributes.
struct MetricCell: Sendable {
    private let aggregation: StreamAggregation
    private let shape: Shape
    /// Upper bounds of the buckets, if it has explicit ones.
    private let bounds: [Double]
    private(set) var isEmpty = true
    var number = MetricNumber.int(0)
    private var count: UInt64 = 0
    private var sum = 0.0
    private var minimum = Double.infinity
    private var maximum = -Double.infinity
    private var bucketCounts: [UInt64] = []
    private var exponential: ExponentialHistogram?
    private var reservoir: ExemplarReservoir?

    /// The aggregation of a measurement, in one byte, because each measurement reads it.
    private enum Shape {
        case last, sum, growingSum, buckets, exponential
    }

    init(_ aggregation: StreamAggregation) {
        self.aggregation = aggregation
        var bounds: [Double] = []
        switch aggregation {
        case .lastValue, .observedSum: shape = .last
        case .sum(let isMonotonic): shape = isMonotonic ? .growingSum : .sum
        case .histogram(let explicit, _):
            shape = .buckets
            bounds = explicit
            bucketCounts = Array(repeating: 0, count: explicit.count + 1)
        case .exponentialHistogram(let limits, _):
            shape = .exponential
            exponential = ExponentialHistogram(limits)
        }
        self.bounds = bounds
    }

    /// A cell of the same aggregation without measurements.
    var emptied: MetricCell { MetricCell(aggregation) }

    @inline(__always)
    mutating func add(_ value: MetricNumber) {
        isEmpty = false
        switch shape {
        case .last: number = value
        case .sum: number = number.adding(value)
        // Only a view can make a monotonic sum of values that may be negative, those of a histogram.
        case .growingSum: if value.doubleValue >= 0 { number = number.adding(value) }
        case .buckets:
            let measured = value.doubleValue
            let bucket = bucket(of: measured)
            count(measured)
            bucketCounts[bucket] += 1
        case .exponential:
            let measured = value.doubleValue
            count(measured)
            exponential?.add(measured)
        }
    }

    private func bucket(of value: Double) -> Int {
        var bucket = 0
        while bucket < bounds.count, value > bounds[bucket] { bucket += 1 }
        return bucket
    }

    private mutating func count(_ value: Double) {
        count += 1
        sum += value
        minimum = min(minimum, value)
        maximum = max(maximum, value)
    }

    /// Offers a measurement that has been added as an exemplar.
    ///
    /// - Returns: Whether there is one more.
    mutating func offer(_ offer: ExemplarOffer, _ value: MetricNumber, of point: Attributes, hasRoom: Bool) -> Bool {
        if shape == .growingSum, value.doubleValue < 0 { return false }
        if reservoir == nil { reservoir = ExemplarReservoir(aggregation) }
        let bucket = bucket(of: value.doubleValue)
        return reservoir?.offer(bucket: bucket, hasRoom: hasRoom, random: offer.random) {
            offer.exemplar(value, of: point)
        } ?? false
    }

    mutating func removeExemplars() {
        reservoir?.removeAll()
    }

    private var exemplars: [Exemplar] { reservoir?.exemplars ?? [] }
    var exemplarCount: Int { reservoir?.count ?? 0 }

    /// Adds to an observed total that of other attributes.
    mutating func accumulate(_ value: MetricNumber) {
        isEmpty = false
        number = number.adding(value)
    }

    func numberPoint(_ attributes: Attributes, start: UInt64 = 0, time: UInt64) -> NumberPoint {
        NumberPoint(
            attributes: attributes, startTimeUnixNano: start, timeUnixNano: time, value: number,
            exemplars: exemplars)
    }

    func histogramPoint(
        _ attributes: Attributes, bounds: [Double], recordsSum: Bool, start: UInt64, time: UInt64,
    ) -> HistogramPoint {
        HistogramPoint(
            attributes: attributes, startTimeUnixNano: start, timeUnixNano: time, count: count,
            sum: recordsSum ? sum : nil, min: minimum, max: maximum, bucketCounts: bucketCounts,
            explicitBounds: bounds, exemplars: exemplars)
    }

    func exponentialPoint(
        _ attributes: Attributes, recordsSum: Bool, start: UInt64, time: UInt64,
    ) -> ExponentialHistogramPoint? {
        guard let exponential else { return nil }
        return ExponentialHistogramPoint(
            attributes: attributes, startTimeUnixNano: start, timeUnixNano: time, count: count,
            sum: recordsSum ? sum : nil, min: minimum, max: maximum, scale: Int32(exponential.scale),
            zeroCount: exponential.zeroCount, positive: exponential.positive.encoded,
            negative: exponential.negative.encoded, exemplars: exemplars)
    }
}

extension ExponentialBuckets {
    fileprivate var encoded: ExponentialHistogramPoint.Buckets {
        ExponentialHistogramPoint.Buckets(offset: counts.isEmpty ? 0 : Int32(first), counts: counts)
    }
}

extension MetricNumber {
    /// The sum; integers stay integers until they would overflow.
    func adding(_ other: MetricNumber) -> MetricNumber {
        if case .int(let left) = self, case .int(let right) = other {
            let (sum, overflow) = left.addingReportingOverflow(right)
            if !overflow { return .int(sum) }
        }
        return .double(doubleValue + other.doubleValue)
    }

    /// The difference; integers stay integers until they would overflow.
    func subtracting(_ other: MetricNumber) -> MetricNumber {
        if case .int(let left) = self, case .int(let right) = other {
            let (difference, overflow) = left.subtractingReportingOverflow(right)
            if !overflow { return .int(difference) }
        }
        return .double(doubleValue - other.doubleValue)
    }
}
