package import AstrolabeTelemetryModel

/// A question about one metric over time.
package struct MetricDetailQuery: Sendable, Hashable {
    package let name: String
    /// The steps in time, ascending and adjacent, in nanoseconds since 1970. At least one.
    package let steps: [Range<Int64>]
    /// The attribute of the series, or of their resource, that groups them; `nil` for one group.
    package var group: String?
    /// The number of groups; the rest is one more. The first have the most measurements.
    package var groupLimit = 10

    package init(name: String, steps: [Range<Int64>], group: String? = nil) {
        self.name = name
        self.steps = steps
        self.group = group
    }
}

/// A metric over time, its series added up by group.
package struct MetricDetail: Sendable, Hashable {
    package let name: String
    package let description: String
    package let unit: String
    package let kind: MetricKind
    /// True if values are added up over time: a counter, whose `sum` is what it grew by.
    package let isCounter: Bool
    package let groups: [Group]
    /// The attributes that tell the series apart.
    package var keys: [String]
    /// The latest measurements with a trace, newest first.
    package let exemplars: [Exemplar]
    package var seriesCount: Int
    /// True if all points of the time were read. Reading ends after a bounded time or number of points.
    package var isComplete: Bool

    package init(
        name: String, description: String, unit: String, kind: MetricKind, isCounter: Bool, groups: [Group],
        keys: [String], exemplars: [Exemplar], seriesCount: Int, isComplete: Bool,
    ) {
        self.name = name
        self.description = description
        self.unit = unit
        self.kind = kind
        self.isCounter = isCounter
        self.groups = groups
        self.keys = keys
        self.exemplars = exemplars
        self.seriesCount = seriesCount
        self.isComplete = isComplete
    }

    package struct Group: Sendable, Hashable {
        /// The value of the attribute; `nil` if the series do not have it or there is one group.
        package let key: AttributeValue?
        package let isOther: Bool
        package let steps: [MetricSum]
        package let total: MetricSum

        package init(key: AttributeValue?, isOther: Bool, steps: [MetricSum], total: MetricSum) {
            self.key = key
            self.isOther = isOther
            self.steps = steps
            self.total = total
        }
    }

    package struct Exemplar: Sendable, Hashable {
        package let timeUnixNano: UInt64
        package let value: Double
        package let traceID: TraceID
        package let spanID: SpanID

        package init(timeUnixNano: UInt64, value: Double, traceID: TraceID, spanID: SpanID) {
            self.timeUnixNano = timeUnixNano
            self.value = value
            self.traceID = traceID
            self.spanID = spanID
        }
    }
}

/// The points of several series in a time, added up.
package struct MetricSum: Sendable, Hashable {
    /// The number of points.
    package private(set) var points = 0
    /// The number of measurements of distributions.
    package private(set) var count = 0.0
    /// The sum of the values, or what a counter grew by.
    package private(set) var sum = 0.0
    package private(set) var least: Double?
    package private(set) var most: Double?
    private var counts: [Ends: Double] = [:]

    /// The bounds of a bucket. Those of the outer ones are infinite.
    private struct Ends: Hashable {
        let from: Double
        let to: Double
    }

    package init() {}

    package mutating func add(value: Double) {
        points += 1
        sum += value
        least = min(least ?? value, value)
        most = max(most ?? value, value)
    }

    /// Adds a counter's growth.
    package mutating func add(growth: Double) {
        points += 1
        sum += growth
    }

    /// - Parameter extremes: The least and largest measurement, if the sender reports them for this time.
    package mutating func add(_ buckets: [Distribution.Bucket], extremes: (least: Double?, most: Double?)) {
        points += 1
        for bucket in buckets {
            counts[Ends(from: bucket.from, to: bucket.to), default: 0] += bucket.count
            count += bucket.count
        }
        if let value = extremes.least { least = min(least ?? value, value) }
        if let value = extremes.most { most = max(most ?? value, value) }
    }

    package static func += (left: inout MetricSum, right: MetricSum) {
        left.points += right.points
        left.count += right.count
        left.sum += right.sum
        if let value = right.least { left.least = min(left.least ?? value, value) }
        if let value = right.most { left.most = max(left.most ?? value, value) }
        left.counts.merge(right.counts, uniquingKeysWith: +)
    }

    /// The populated buckets, ascending. An infinite bound is the extreme measurement if that is known, and otherwise
    /// the bucket's other bound, or 0 if that is above.
    package var buckets: [Distribution.Bucket] {
        counts.map { ends, count in
            let to = ends.to.isFinite ? ends.to : max(most ?? ends.from, ends.from)
            let from = ends.from.isFinite ? ends.from : min(least ?? min(ends.to, 0), ends.to)
            return Distribution.Bucket(from: from, to: to, count: count)
        }.sorted { ($0.from, $0.to) < ($1.from, $1.to) }
    }

    /// Returns the value that a share of the measurements does not exceed, estimated from the buckets.
    package func quantile(_ quantile: Double) -> Double? {
        Distribution.quantile(quantile, of: buckets, least: least, most: most)
    }
}
