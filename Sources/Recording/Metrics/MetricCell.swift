import AstrolabeTelemetryModel

/// The running aggregation of one set of attributes.
struct MetricCell: Sendable {
    private let aggregation: StreamAggregation
    private(set) var isEmpty = true
    var number = MetricNumber.int(0)
    private var count: UInt64 = 0
    private var sum = 0.0
    private var minimum = Double.infinity
    private var maximum = -Double.infinity
    private var bucketCounts: [UInt64] = []
    private var exponential: ExponentialHistogram?
    private var reservoir: ExemplarReservoir?

    init(_ aggregation: StreamAggregation) {
        self.aggregation = aggregation
        switch aggregation {
        case .histogram(let bounds, _): bucketCounts = Array(repeating: 0, count: bounds.count + 1)
        case .exponentialHistogram(let limits, _): exponential = ExponentialHistogram(limits)
        case .sum, .observedSum, .lastValue: break
        }
    }

    mutating func add(_ value: MetricNumber) {
        isEmpty = false
        switch aggregation {
        case .lastValue, .observedSum: number = value
        // Only a view can make a monotonic sum of values that may be negative, those of a histogram.
        case .sum(let isMonotonic): if !isMonotonic || value.doubleValue >= 0 { number = number.adding(value) }
        case .histogram(let bounds, _):
            let measured = value.doubleValue
            count(measured)
            bucketCounts[bounds.firstIndex { measured <= $0 } ?? bounds.count] += 1
        case .exponentialHistogram:
            let measured = value.doubleValue
            count(measured)
            exponential?.add(measured)
        }
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
        var bucket = 0
        switch aggregation {
        case .sum(isMonotonic: true) where value.doubleValue < 0: return false
        case .histogram(let bounds, _): bucket = bounds.firstIndex { value.doubleValue <= $0 } ?? bounds.count
        case .sum, .observedSum, .lastValue, .exponentialHistogram: break
        }
        if reservoir == nil { reservoir = ExemplarReservoir(aggregation) }
        return reservoir?.offer(bucket: bucket, hasRoom: hasRoom, random: offer.random) {
            offer.exemplar(value, of: point)
        } ?? false
    }

    mutating func removeExemplars() {
        reservoir?.removeAll()
    }

    private var exemplars: [Exemplar] { reservoir?.exemplars ?? [] }

    /// Adds to an observed total that of other attributes.
    mutating func accumulate(_ value: MetricNumber) {
        isEmpty = false
        number = number.adding(value)
    }

    /// Forgets what was measured, and keeps the memory of the buckets.
    mutating func reset() {
        (isEmpty, number, count, sum) = (true, .int(0), 0, 0)
        (minimum, maximum) = (.infinity, -.infinity)
        for index in bucketCounts.indices { bucketCounts[index] = 0 }
        exponential?.reset()
    }

    /// Both cells together. The last value is that of `other`.
    func merged(with other: MetricCell) -> MetricCell {
        var cell = self
        if case .sum = aggregation { cell.number = number.adding(other.number) } else { cell.number = other.number }
        cell.count += other.count
        cell.sum += other.sum
        cell.minimum = min(minimum, other.minimum)
        cell.maximum = max(maximum, other.maximum)
        for index in bucketCounts.indices { cell.bucketCounts[index] += other.bucketCounts[index] }
        if let histogram = other.exponential { cell.exponential?.merge(histogram) }
        return cell
    }

    func numberPoint(_ attributes: Attributes, start: UInt64 = 0, time: UInt64) -> NumberPoint {
        NumberPoint(
            attributes: attributes, startTimeUnixNano: start, timeUnixNano: time, value: number,
            exemplars: exemplars, )
    }

    func histogramPoint(
        _ attributes: Attributes, bounds: [Double], recordsSum: Bool, start: UInt64, time: UInt64,
    ) -> HistogramPoint {
        HistogramPoint(
            attributes: attributes, startTimeUnixNano: start, timeUnixNano: time, count: count,
            sum: recordsSum ? sum : nil, min: minimum, max: maximum, bucketCounts: bucketCounts,
            explicitBounds: bounds, exemplars: exemplars, )
    }

    func exponentialPoint(
        _ attributes: Attributes, recordsSum: Bool, start: UInt64, time: UInt64,
    ) -> ExponentialHistogramPoint? {
        guard let exponential else { return nil }
        return ExponentialHistogramPoint(
            attributes: attributes, startTimeUnixNano: start, timeUnixNano: time, count: count,
            sum: recordsSum ? sum : nil, min: minimum, max: maximum, scale: Int32(exponential.scale),
            zeroCount: exponential.zeroCount, positive: exponential.positive.encoded,
            negative: exponential.negative.encoded, exemplars: exemplars, )
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
