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
    @inlinable package static var attributes: UInt32 { 9 }
    @inlinable package static var flags: UInt32 { 10 }
    @inlinable package static var min: UInt32 { 11 }
    @inlinable package static var max: UInt32 { 12 }
}
