/// The sum of a counter over time and over its series.
///
/// Delta points are added. Cumulative points are differenced: see ``CumulativeRun``. A cumulative sum that can fall has
/// no total over time, so its latest values are added.
package struct MetricTotal: Sendable, Hashable {
    package private(set) var value = 0.0
    /// The exact value, if all points are integers.
    package private(set) var integer: Int128?
    /// From when on the measurements are counted; 0 if a series does not say.
    package private(set) var fromUnixNano: UInt64 = 0
    package private(set) var throughUnixNano: UInt64 = 0
    /// The number of series with points.
    package private(set) var series = 0

    /// The total of no series.
    package init() {
        integer = 0
    }

    package init(
        value: Double, integer: Int128?, fromUnixNano: UInt64, throughUnixNano: UInt64, series: Int = 1,
    ) {
        self.value = value
        self.integer = integer
        self.fromUnixNano = fromUnixNano
        self.throughUnixNano = throughUnixNano
        self.series = series
    }

    package static func += (left: inout MetricTotal, right: MetricTotal) {
        left.value += right.value
        left.integer = left.integer.flatMap { one in right.integer.map { one + $0 } }
        left.fromUnixNano =
            left.series == 0 ? right.fromUnixNano : min(left.fromUnixNano, right.fromUnixNano)
        left.throughUnixNano = max(left.throughUnixNano, right.throughUnixNano)
        left.series += right.series
    }
}
