/// A stored point of a metric.
package struct StoredPoint: Sendable, Hashable {
    package let seq: Int64
    package let timeUnixNano: Int64
    package let name: String
    package let unit: String
    package let kind: MetricKind
    /// The series' attributes as JSON; empty if there are none.
    package let attributesText: String
    /// The amount that the point adds to its series: its value, or the difference to the point before if the series is
    /// cumulative. The value of a gauge; `nil` for a distribution.
    package let value: Double?
    /// The number of measurements of a distribution that the point adds; `nil` for other metrics.
    package let count: Double?
    /// The sum of these measurements; `nil` if the sender does not report it.
    package let sum: Double?
    /// The least and the largest measurement, and percentiles; `nil` for a cumulative series, whose points are about
    /// all measurements since its start.
    package let min: Double?
    package let max: Double?
    package let median: Double?
    package let p95: Double?
    package let session: String?
    package let origin: Int64
    package let scope: Int64

    package init(
        seq: Int64, timeUnixNano: Int64, name: String, unit: String, kind: MetricKind, attributesText: String,
        value: Double?, count: Double?, sum: Double?, min: Double?, max: Double?, median: Double?, p95: Double?,
        session: String?, origin: Int64, scope: Int64,
    ) {
        self.seq = seq
        self.timeUnixNano = timeUnixNano
        self.name = name
        self.unit = unit
        self.kind = kind
        self.attributesText = attributesText
        self.value = value
        self.count = count
        self.sum = sum
        self.min = min
        self.max = max
        self.median = median
        self.p95 = p95
        self.session = session
        self.origin = origin
        self.scope = scope
    }
}
