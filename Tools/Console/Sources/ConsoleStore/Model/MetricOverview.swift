/// A metric with its latest values.
package struct MetricOverview: Sendable, Hashable {
    package let name: String
    package let description: String
    /// A UCUM unit such as `s`, `By` or `{request}`.
    package let unit: String
    package let kind: MetricKind
    package let series: [MetricSeries]
    /// Whether the metric has more series than requested.
    package let isTruncated: Bool
}

/// A series of a metric: one resource and one set of attributes over time.
package struct MetricSeries: Sendable, Hashable {
    package let id: Int64
    package let origin: Origin
    /// The `session.id` of the points or their resource; `nil` if there is none.
    package let session: String?
    package let attributesText: String
    package let isMonotonic: Bool
    /// Whether values are cumulative rather than deltas.
    package let isCumulative: Bool
    /// The latest points, oldest first.
    package let points: [Point]

    package struct Point: Sendable, Hashable {
        package let timeUnixNano: UInt64
        /// The value, or a histogram's mean; `nil` if the sender recorded no value.
        package let value: Double?
        /// The number of measurements of a histogram; `nil` for other kinds.
        package let count: Int?
        /// A histogram's `sum`, `min`, `max`, `counts` and `bounds` as JSON; empty for other kinds.
        package let histogramText: String
    }
}
