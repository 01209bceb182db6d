import AstrolabeTelemetryModel
import ConsoleModel

extension MetricData {
    /// Reads a row of `StoreExport.metrics` as a metric with one point; `nil` if it cannot be read.
    init?(_ row: ExportRow) {
        var row = row
        let (name, description, unit) = (row.text(), row.text(), row.text())
        let kind = UInt8(exactly: row.integer()).flatMap { MetricKind(rawValue: $0) }
        let temporality = Int32(exactly: row.integer()).flatMap { AggregationTemporality(rawValue: $0) }
        let (isMonotonic, metadata) = (row.isTrue(), row.attributes())
        let point = ExportedPoint(&row)
        guard row.isIntact, let kind else { return nil }
        let data: Points =
            switch kind {
            case .gauge: .gauge([point.number])
            case .sum: .sum([point.number], temporality: temporality, isMonotonic: isMonotonic)
            case .histogram: .histogram([point.histogram], temporality: temporality)
            case .exponentialHistogram: .exponentialHistogram([point.exponential], temporality: temporality)
            case .summary: .summary([point.summary])
            }
        self.init(name: name, description: description, unit: unit, metadata: metadata, data: data)
    }
}

extension MetricData: Groupable {
    /// Adds the points to those of the same metric if they follow them.
    func add(to metrics: inout [MetricData]) {
        guard let last = metrics.last, let points = last.data.adding(data), last.hasIdentity(of: self) else {
            return metrics.append(self)
        }
        metrics[metrics.count - 1].data = points
    }

    private func hasIdentity(of other: MetricData) -> Bool {
        name == other.name && description == other.description && unit == other.unit && metadata == other.metadata
    }
}

extension MetricData.Points {
    /// Returns these points and `other`; `nil` if they are of another kind.
    fileprivate func adding(_ other: MetricData.Points) -> MetricData.Points? {
        switch (self, other) {
        case (.gauge(let points), .gauge(let more)): .gauge(points + more)
        case (.sum(let points, let temporality, let isMonotonic), .sum(let more, let other, let isOtherMonotonic))
        where temporality == other && isMonotonic == isOtherMonotonic:
            .sum(points + more, temporality: temporality, isMonotonic: isMonotonic)
        case (.histogram(let points, let temporality), .histogram(let more, let other)) where temporality == other:
            .histogram(points + more, temporality: temporality)
        case (.exponentialHistogram(let points, let temporality), .exponentialHistogram(let more, let other))
        where temporality == other:
            .exponentialHistogram(points + more, temporality: temporality)
        case (.summary(let points), .summary(let more)): .summary(points + more)
        default: nil
        }
    }
}

/// A stored point, which is of one of the kinds.
private struct ExportedPoint {
    private let attributes: Attributes
    private let time: UInt64
    private let start: UInt64
    private let value: MetricNumber
    private let contents: AttributeValue
    private let storedCount: UInt64
    private let exemplars: [Exemplar]

    init(_ row: inout ExportRow) {
        attributes = row.attributes()
        (time, start) = (row.nanoseconds(), row.nanoseconds())
        // SQLite stores NaN as NULL.
        let number = row.number() ?? .nan
        value = row.optionalInteger().map { .int($0) } ?? .double(number)
        storedCount = UInt64(clamping: row.integer())
        contents = row.structure()
        exemplars = row.structure().elements.map { Exemplar($0) }
    }

    private var count: UInt64 { contents["count"] == .empty ? storedCount : contents["count"].uint64 }

    private func double(_ member: String) -> Double? { contents[member].doubleValue }

    var number: NumberPoint {
        NumberPoint(
            attributes: attributes, startTimeUnixNano: start, timeUnixNano: time, value: value, exemplars: exemplars)
    }

    var histogram: HistogramPoint {
        HistogramPoint(
            attributes: attributes, startTimeUnixNano: start, timeUnixNano: time, count: count, sum: double("sum"),
            min: double("min"), max: double("max"), bucketCounts: contents["counts"].elements.map(\.uint64),
            explicitBounds: contents["bounds"].elements.compactMap(\.doubleValue), exemplars: exemplars)
    }

    var exponential: ExponentialHistogramPoint {
        ExponentialHistogramPoint(
            attributes: attributes, startTimeUnixNano: start, timeUnixNano: time, count: count, sum: double("sum"),
            min: double("min"), max: double("max"), scale: Int32(clamping: contents["scale"].intValue ?? 0),
            zeroCount: contents["zeroCount"].uint64, zeroThreshold: double("zeroThreshold") ?? 0,
            positive: .init(contents["positive"]), negative: .init(contents["negative"]), exemplars: exemplars)
    }

    var summary: SummaryPoint {
        SummaryPoint(
            attributes: attributes, startTimeUnixNano: start, timeUnixNano: time, count: count,
            sum: double("sum") ?? 0,
            quantiles: contents["quantiles"].elements.compactMap { pair in
                let numbers = pair.elements.compactMap(\.doubleValue)
                return numbers.count == 2 ? SummaryPoint.Quantile(quantile: numbers[0], value: numbers[1]) : nil
            })
    }
}

extension ExponentialHistogramPoint.Buckets {
    fileprivate init(_ stored: AttributeValue) {
        self.init(
            offset: Int32(clamping: stored["offset"].intValue ?? 0), counts: stored["counts"].elements.map(\.uint64))
    }
}

extension Exemplar {
    fileprivate init(_ stored: AttributeValue) {
        let value: MetricNumber? =
            switch stored["value"] {
            case .int(let number): .int(number)
            case .double(let number): .double(number)
            default: nil
            }
        self.init(
            filteredAttributes: stored["attributes"].members ?? [:], timeUnixNano: stored["time"].uint64, value: value,
            traceID: TraceID(stored: stored["traceId"]), spanID: SpanID(stored: stored["spanId"]))
    }
}
