import AstrolabeTelemetryModel

/// A metric as its fields are read, in either encoding: what kind of points it holds is known only by the field they
/// come in.
struct MetricBuilder {
    enum Kind {
        /// None of the kinds came, or one that OTLP added later.
        case unknown
        case gauge
        case sum
        case histogram
        case exponentialHistogram
        case summary
    }

    var name = ""
    var description = ""
    var unit = ""
    var metadata = AttributesBuilder()
    private(set) var kind = Kind.unknown
    var numberPoints: [NumberPoint] = []
    var histogramPoints: [HistogramPoint] = []
    var exponentialHistogramPoints: [ExponentialHistogramPoint] = []
    var summaryPoints: [SummaryPoint] = []
    var temporality: Int32 = 0
    var isMonotonic = false

    /// Turns to a kind; points of another kind that came before do not count, those of the same are added to.
    mutating func begin(_ kind: Kind) {
        guard kind != self.kind else { return }
        self.kind = kind
        numberPoints = []
        histogramPoints = []
        exponentialHistogramPoints = []
        summaryPoints = []
        temporality = 0
        isMonotonic = false
    }

    consuming func finish(_ budget: inout MemoryBudget) -> MetricData {
        let temporality = AggregationTemporality(rawValue: temporality)
        let points: MetricData.Points =
            switch kind {
            case .gauge: .gauge(numberPoints)
            case .sum: .sum(numberPoints, temporality: temporality, isMonotonic: isMonotonic)
            case .histogram: .histogram(histogramPoints, temporality: temporality)
            case .exponentialHistogram: .exponentialHistogram(exponentialHistogramPoints, temporality: temporality)
            case .summary: .summary(summaryPoints)
            case .unknown: .unknown
            }
        return MetricData(
            name: name, description: description, unit: unit, metadata: metadata.finish(&budget), data: points,
        )
    }
}

/// The flag of a point that says: there was nothing to record (`DATA_POINT_FLAGS_NO_RECORDED_VALUE_MASK`).
let noRecordedValue: UInt32 = 1

struct NumberPointBuilder {
    var attributes = AttributesBuilder()
    var startTimeUnixNano: UInt64 = 0
    var timeUnixNano: UInt64 = 0
    var value: MetricNumber?
    var exemplars: [Exemplar] = []
    var flags: UInt32 = 0

    /// `nil` where the point has no value to show.
    consuming func finish(_ budget: inout MemoryBudget) -> NumberPoint? {
        guard let value, flags & noRecordedValue == 0 else { return nil }
        return NumberPoint(
            attributes: attributes.finish(&budget), startTimeUnixNano: startTimeUnixNano, timeUnixNano: timeUnixNano,
            value: value, exemplars: exemplars,
        )
    }
}

struct HistogramPointBuilder {
    var attributes = AttributesBuilder()
    var startTimeUnixNano: UInt64 = 0
    var timeUnixNano: UInt64 = 0
    var count: UInt64 = 0
    var sum: Double?
    var min: Double?
    var max: Double?
    var bucketCounts: [UInt64] = []
    var explicitBounds: [Double] = []
    var exemplars: [Exemplar] = []
    var flags: UInt32 = 0

    /// `nil` where the point has no value to show.
    ///
    /// - Parameter offset: Where the point begins in the request.
    consuming func finish(
        at offset: Int, _ budget: inout MemoryBudget,
    ) throws(OTLPDecodingError) -> HistogramPoint? {
        guard flags & noRecordedValue == 0 else { return nil }
        guard
            bucketCounts.count == explicitBounds.count + 1 || (bucketCounts.isEmpty && explicitBounds.isEmpty)
        else {
            throw OTLPDecodingError(
                at: offset,
                "expected one bucket more than there are bounds, or neither, got \(bucketCounts.count) bucket(s) and "
                    + "\(explicitBounds.count) bound(s)",
            )
        }
        guard zip(explicitBounds, explicitBounds.dropFirst()).allSatisfy(<) else {
            throw OTLPDecodingError(at: offset, "expected bounds in ascending order")
        }
        return HistogramPoint(
            attributes: attributes.finish(&budget), startTimeUnixNano: startTimeUnixNano, timeUnixNano: timeUnixNano,
            count: count, sum: sum, min: min, max: max, bucketCounts: bucketCounts, explicitBounds: explicitBounds,
            exemplars: exemplars,
        )
    }
}
