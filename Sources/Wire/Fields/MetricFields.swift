/// The field numbers of `Metric`.
@usableFromInline
package enum MetricField {
    @inlinable package static var name: UInt32 { 1 }
    @inlinable package static var description: UInt32 { 2 }
    @inlinable package static var unit: UInt32 { 3 }
    @inlinable package static var gauge: UInt32 { 5 }
    @inlinable package static var sum: UInt32 { 7 }
    @inlinable package static var histogram: UInt32 { 9 }
    @inlinable package static var exponentialHistogram: UInt32 { 10 }
    @inlinable package static var summary: UInt32 { 11 }
    @inlinable package static var metadata: UInt32 { 12 }
}

/// The field numbers of `Gauge`, `Sum`, `Histogram`, `ExponentialHistogram` and `Summary`.
@usableFromInline
package enum PointsField {
    @inlinable package static var dataPoints: UInt32 { 1 }
    @inlinable package static var temporality: UInt32 { 2 }
    @inlinable package static var isMonotonic: UInt32 { 3 }
}

/// The field numbers of `NumberDataPoint`.
@usableFromInline
package enum NumberPointField {
    @inlinable package static var startTime: UInt32 { 2 }
    @inlinable package static var time: UInt32 { 3 }
    @inlinable package static var double: UInt32 { 4 }
    @inlinable package static var exemplars: UInt32 { 5 }
    @inlinable package static var int: UInt32 { 6 }
    @inlinable package static var attributes: UInt32 { 7 }
    @inlinable package static var flags: UInt32 { 8 }
}

/// The field numbers of `HistogramDataPoint`.
@usableFromInline
package enum HistogramPointField {
    @inlinable package static var startTime: UInt32 { 2 }
    @inlinable package static var time: UInt32 { 3 }
    @inlinable package static var count: UInt32 { 4 }
    @inlinable package static var sum: UInt32 { 5 }
    @inlinable package static var bucketCounts: UInt32 { 6 }
    @inlinable package static var explicitBounds: UInt32 { 7 }
    @inlinable package static var exemplars: UInt32 { 8 }
    @inlinable package static var attributes: UInt32 { 9 }
    @inlinable package static var flags: UInt32 { 10 }
    @inlinable package static var min: UInt32 { 11 }
    @inlinable package static var max: UInt32 { 12 }
}

/// The field numbers of `ExponentialHistogramDataPoint`.
@usableFromInline
package enum ExponentialHistogramPointField {
    @inlinable package static var attributes: UInt32 { 1 }
    @inlinable package static var startTime: UInt32 { 2 }
    @inlinable package static var time: UInt32 { 3 }
    @inlinable package static var count: UInt32 { 4 }
    @inlinable package static var sum: UInt32 { 5 }
    @inlinable package static var scale: UInt32 { 6 }
    @inlinable package static var zeroCount: UInt32 { 7 }
    @inlinable package static var positive: UInt32 { 8 }
    @inlinable package static var negative: UInt32 { 9 }
    @inlinable package static var flags: UInt32 { 10 }
    @inlinable package static var exemplars: UInt32 { 11 }
    @inlinable package static var min: UInt32 { 12 }
    @inlinable package static var max: UInt32 { 13 }
    @inlinable package static var zeroThreshold: UInt32 { 14 }
}

/// The field numbers of `ExponentialHistogramDataPoint.Buckets`.
@usableFromInline
package enum ExponentialBucketsField {
    @inlinable package static var offset: UInt32 { 1 }
    @inlinable package static var counts: UInt32 { 2 }
}

/// The field numbers of `SummaryDataPoint`.
@usableFromInline
package enum SummaryPointField {
    @inlinable package static var startTime: UInt32 { 2 }
    @inlinable package static var time: UInt32 { 3 }
    @inlinable package static var count: UInt32 { 4 }
    @inlinable package static var sum: UInt32 { 5 }
    @inlinable package static var quantiles: UInt32 { 6 }
    @inlinable package static var attributes: UInt32 { 7 }
    @inlinable package static var flags: UInt32 { 8 }
}

/// The field numbers of `SummaryDataPoint.ValueAtQuantile`.
@usableFromInline
package enum QuantileField {
    @inlinable package static var quantile: UInt32 { 1 }
    @inlinable package static var value: UInt32 { 2 }
}

/// The field numbers of `Exemplar`.
@usableFromInline
package enum ExemplarField {
    @inlinable package static var time: UInt32 { 2 }
    @inlinable package static var double: UInt32 { 3 }
    @inlinable package static var spanID: UInt32 { 4 }
    @inlinable package static var traceID: UInt32 { 5 }
    @inlinable package static var int: UInt32 { 6 }
    @inlinable package static var filteredAttributes: UInt32 { 7 }
}
