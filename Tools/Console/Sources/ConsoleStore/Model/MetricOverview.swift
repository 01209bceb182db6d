/// A metric with its newest values.
package struct MetricOverview: Sendable, Hashable {
    package let name: String
    package let description: String
    /// A UCUM unit such as `s`, `By` or `{request}`.
    package let unit: String
    package let kind: MetricKind
    package let series: [MetricSeries]
    /// True where the metric has more series than were asked for.
    package let isTruncated: Bool
}

/// One line of a metric: the same resource and the same attributes over time.
package struct MetricSeries: Sendable, Hashable {
    package let id: Int64
    package let origin: Origin
    /// `session.id`, where the points or their resource name one.
    package let session: String?
    package let attributesText: String
    package let isMonotonic: Bool
    /// True where each value counts from the start rather than from the point before.
    package let isCumulative: Bool
    /// The newest points, oldest first.
    package let points: [Point]

    package struct Point: Sendable, Hashable {
        package let timeUnixNano: UInt64
        /// The number, or a histogram's mean; `nil` where the sender recorded no value.
        package let value: Double?
        /// Measurements, for a histogram.
        package let count: Int?
        /// A histogram's `sum`, `min`, `max`, `counts` and `bounds` as JSON; else empty.
        package let histogramText: String
    }
}
