import AstrolabeTelemetryModel

struct ExponentialHistogramPointBuilder {
    var attributes = AttributesBuilder()
    var startTimeUnixNano: UInt64 = 0
    var timeUnixNano: UInt64 = 0
    var count: UInt64 = 0
    var sum: Double?
    var min: Double?
    var max: Double?
    var scale: Int32 = 0
    var zeroCount: UInt64 = 0
    var zeroThreshold: Double = 0
    var positive = ExponentialHistogramPoint.Buckets()
    var negative = ExponentialHistogramPoint.Buckets()
    var exemplars: [Exemplar] = []
    var flags: UInt32 = 0

    /// `nil` where the point has no value to show.
    consuming func finish(_ budget: inout MemoryBudget) -> ExponentialHistogramPoint? {
        guard flags & noRecordedValue == 0 else { return nil }
        return ExponentialHistogramPoint(
            attributes: attributes.finish(&budget), startTimeUnixNano: startTimeUnixNano, timeUnixNano: timeUnixNano,
            count: count, sum: sum, min: min, max: max, scale: scale, zeroCount: zeroCount,
            zeroThreshold: zeroThreshold, positive: positive, negative: negative, exemplars: exemplars,
        )
    }
}

struct SummaryPointBuilder {
    var attributes = AttributesBuilder()
    var startTimeUnixNano: UInt64 = 0
    var timeUnixNano: UInt64 = 0
    var count: UInt64 = 0
    var sum: Double = 0
    var quantiles: [SummaryPoint.Quantile] = []
    var flags: UInt32 = 0

    /// `nil` where the point has no value to show.
    consuming func finish(_ budget: inout MemoryBudget) -> SummaryPoint? {
        guard flags & noRecordedValue == 0 else { return nil }
        return SummaryPoint(
            attributes: attributes.finish(&budget), startTimeUnixNano: startTimeUnixNano, timeUnixNano: timeUnixNano,
            count: count, sum: sum, quantiles: quantiles,
        )
    }
}

struct ExemplarBuilder {
    var filteredAttributes = AttributesBuilder()
    var timeUnixNano: UInt64 = 0
    var value: MetricNumber?
    var traceID = TraceID.invalid
    var spanID = SpanID.invalid

    consuming func finish(_ budget: inout MemoryBudget) -> Exemplar {
        Exemplar(
            filteredAttributes: filteredAttributes.finish(&budget), timeUnixNano: timeUnixNano, value: value,
            traceID: traceID, spanID: spanID,
        )
    }
}
