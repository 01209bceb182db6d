/// A metric with its latest values.
package struct MetricOverview: Sendable, Hashable {
    package let name: String
    package let description: String
    /// A UCUM unit such as `s`, `By` or `{request}`.
    package let unit: String
    package let kind: MetricKind
    /// The sum over all stored points of all series, also those that are not in `series`; `nil` unless `kind` is `sum`.
    package var total: MetricTotal?
    package var series: [MetricSeries]
    /// True if the metric has more series than requested.
    package let isTruncated: Bool

    package init(
        name: String, description: String, unit: String, kind: MetricKind, total: MetricTotal?, series: [MetricSeries],
        isTruncated: Bool,
    ) {
        self.name = name
        self.description = description
        self.unit = unit
        self.kind = kind
        self.total = total
        self.series = series
        self.isTruncated = isTruncated
    }
}

/// A series of a metric: one resource and one set of attributes over time.
package struct MetricSeries: Sendable, Hashable {
    package let id: Int64
    package let origin: Origin
    /// The `session.id` of the points or their resource; `nil` if there is none.
    package let session: String?
    package let attributesText: String
    package let isMonotonic: Bool
    /// True if values are cumulative rather than deltas.
    package let isCumulative: Bool
    /// The latest points, oldest first.
    package let points: [Point]
    /// The sum of `points`, for histograms and summaries.
    package let distribution: Distribution?
    /// The sum over all stored points of the series; `nil` unless the metric is a sum.
    package var total: MetricTotal?
    package let scope: Scope?
    /// The metric's metadata as JSON; empty if there is none.
    package let metadataText: String

    package init(
        id: Int64, origin: Origin, session: String?, attributesText: String, isMonotonic: Bool, isCumulative: Bool,
        points: [Point], distribution: Distribution?, total: MetricTotal?, scope: Scope?, metadataText: String,
    ) {
        self.id = id
        self.origin = origin
        self.session = session
        self.attributesText = attributesText
        self.isMonotonic = isMonotonic
        self.isCumulative = isCumulative
        self.points = points
        self.distribution = distribution
        self.total = total
        self.scope = scope
        self.metadataText = metadataText
    }

    package struct Point: Sendable, Hashable {
        package let timeUnixNano: UInt64
        /// When the measurements began; 0 if unknown.
        package let startUnixNano: UInt64
        /// The value, or the mean of a distribution; `nil` if the sender recorded no value.
        package let value: Double?
        /// The exact value, if the sender recorded an integer.
        package let integer: Int64?
        /// The number of measurements of a distribution; `nil` for other kinds.
        package let count: Int?
        /// The contents of a histogram, exponential histogram or summary as JSON; empty for other kinds.
        package let contentsText: String
        /// A list of exemplars as JSON; empty if there are none.
        package let exemplarsText: String

        package init(
            timeUnixNano: UInt64, startUnixNano: UInt64, value: Double?, integer: Int64?, count: Int?,
            contentsText: String, exemplarsText: String,
        ) {
            self.timeUnixNano = timeUnixNano
            self.startUnixNano = startUnixNano
            self.value = value
            self.integer = integer
            self.count = count
            self.contentsText = contentsText
            self.exemplarsText = exemplarsText
        }
    }
}
