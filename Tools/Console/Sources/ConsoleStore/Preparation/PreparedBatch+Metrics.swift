import AstrolabeTelemetryModel
import ConsoleModel

extension PreparedBatch {
    /// Prepares the rows of metric points. A point without a time is placed at its arrival.
    init(metrics groups: [ResourceGroup<MetricData>], times: RecordTimes) {
        var indices: [StableHash: Int32] = [:]
        for group in groups {
            let resource = add(group.resource, schemaURL: group.schemaURL)
            for scopeGroup in group.scopes {
                let scope = add(scopeGroup.scope, schemaURL: scopeGroup.schemaURL)
                for metric in scopeGroup.records {
                    add(metric, resource: resource, scope: scope, known: &indices)
                }
            }
        }
        for index in points.indices where points[index].time == 0 {
            points[index].time = Int64(nanoseconds: times.arrival)
        }
    }

    private mutating func add(
        _ metric: MetricData, resource: Int32, scope: Int32, known indices: inout [StableHash: Int32],
    ) {
        switch metric.data {
        case .gauge(let numbers):
            let identity = SeriesIdentity(metric, .gauge, nil, false, resource, scope)
            for point in numbers { add(point, to: series(identity, point.attributes, &indices)) }
        case .sum(let numbers, let temporality, let isMonotonic):
            let identity = SeriesIdentity(metric, .sum, temporality, isMonotonic, resource, scope)
            for point in numbers { add(point, to: series(identity, point.attributes, &indices)) }
        case .histogram(let histograms, let temporality):
            let identity = SeriesIdentity(metric, .histogram, temporality, false, resource, scope)
            for point in histograms { add(point, to: series(identity, point.attributes, &indices)) }
        case .exponentialHistogram(let histograms, let temporality):
            let identity = SeriesIdentity(metric, .exponentialHistogram, temporality, false, resource, scope)
            for point in histograms { add(point, to: series(identity, point.attributes, &indices)) }
        case .summary(let summaries):
            let identity = SeriesIdentity(metric, .summary, nil, false, resource, scope)
            for point in summaries { add(point, to: series(identity, point.attributes, &indices)) }
        case .unknown:
            rejection.add(
                0,
                because: """
                    metric "\(metric.name)" has no points of a known kind; expected gauge, sum, histogram, exponential \
                    histogram or summary
                    """,
            )
        }
    }

    private struct SeriesIdentity {
        let metric: MetricData
        let kind: MetricKind
        let temporality: AggregationTemporality?
        let isMonotonic: Bool
        let resource: Int32
        let scope: Int32
        /// The metric's metadata as JSON; empty if there is none.
        let metadata: String

        init(
            _ metric: MetricData, _ kind: MetricKind, _ temporality: AggregationTemporality?, _ isMonotonic: Bool,
            _ resource: Int32, _ scope: Int32,
        ) {
            self.metric = metric
            self.kind = kind
            self.temporality = temporality
            self.isMonotonic = isMonotonic
            self.resource = resource
            self.scope = scope
            metadata = metric.metadata.isEmpty ? "" : PreparedBatch.canonicalText(metric.metadata)
        }
    }

    private mutating func series(
        _ identity: SeriesIdentity, _ attributes: Attributes, _ indices: inout [StableHash: Int32],
    ) -> Int32 {
        let attributeText = Self.canonicalText(attributes)
        var key = JSONText()
        key.append(identity.metric.name)
        key.append(identity.metric.unit)
        key.append(identity.kind.rawValue)
        key.append(identity.temporality?.rawValue ?? 0)
        key.append(identity.isMonotonic ? 1 : 0)
        key.append(resources[Int(identity.resource)].hash.high)
        key.append(raw: " ")
        key.append(scopes[Int(identity.scope)].hash.high)
        key.append(json: attributeText)
        key.append(json: identity.metadata)
        let hash = StableHash(key.string)
        if let index = indices[hash] { return index }
        let ownSession = sessions.index(of: IndexedAttributes(attributes).session)
        series.append(
            SeriesRow(
                hash: hash,
                name: identity.metric.name,
                description: identity.metric.description,
                unit: identity.metric.unit,
                kind: identity.kind,
                temporality: identity.temporality?.rawValue ?? 0,
                isMonotonic: identity.isMonotonic,
                session: ownSession >= 0 ? ownSession : resources[Int(identity.resource)].session,
                resource: identity.resource,
                scope: identity.scope,
                attributes: attributeText,
                metadata: identity.metadata,
                ledgerPart: identity.kind == .gauge ? PhoneLedger.Part(identity.metric.name, attributes) : nil,
            )
        )
        indices[hash] = Int32(series.count - 1)
        return Int32(series.count - 1)
    }

    private mutating func add(_ point: NumberPoint, to series: Int32) {
        points.append(
            PointRow(
                series: series,
                time: Int64(nanoseconds: point.timeUnixNano),
                start: Int64(nanoseconds: point.startTimeUnixNano),
                value: point.value.doubleValue,
                integer: point.value.integer,
                count: -1,
                histogram: Slice(),
                exemplars: slice(point.exemplars),
            )
        )
    }

    private mutating func add(_ point: HistogramPoint, to series: Int32) {
        let contents = slice { text in
            text.object { text in
                text.appendSums(count: point.count, sum: point.sum, min: point.min, max: point.max)
                text.member("counts") { $0.array(point.bucketCounts) { $0.append(exact: $1) } }
                text.member("bounds") { $0.array(point.explicitBounds) { $0.append(.double($1)) } }
            }
        }
        add(
            contents, of: point.count, sum: point.sum, start: point.startTimeUnixNano, time: point.timeUnixNano,
            exemplars: point.exemplars, to: series)
    }

    private mutating func add(_ point: ExponentialHistogramPoint, to series: Int32) {
        let contents = slice { text in
            text.object { text in
                text.appendSums(count: point.count, sum: point.sum, min: point.min, max: point.max)
                text.member("scale", point.scale)
                text.member("zeroCount") { $0.append(exact: point.zeroCount) }
                text.member("zeroThreshold") { $0.append(.double(point.zeroThreshold)) }
                text.member("positive") { $0.append(point.positive) }
                text.member("negative") { $0.append(point.negative) }
            }
        }
        add(
            contents, of: point.count, sum: point.sum, start: point.startTimeUnixNano, time: point.timeUnixNano,
            exemplars: point.exemplars, to: series)
    }

    private mutating func add(_ point: SummaryPoint, to series: Int32) {
        let contents = slice { text in
            text.object { text in
                text.appendSums(count: point.count, sum: point.sum, min: nil, max: nil)
                text.member("quantiles") { text in
                    text.array(point.quantiles) { text, quantile in
                        text.array([quantile.quantile, quantile.value]) { $0.append(.double($1)) }
                    }
                }
            }
        }
        add(
            contents, of: point.count, sum: point.sum, start: point.startTimeUnixNano, time: point.timeUnixNano,
            exemplars: [], to: series)
    }

    /// Adds the contents of a distribution. Its value is the mean if it has a sum.
    private mutating func add(
        _ contents: Slice, of count: UInt64, sum: Double?, start: UInt64, time: UInt64, exemplars: [Exemplar],
        to series: Int32,
    ) {
        points.append(
            PointRow(
                series: series,
                time: Int64(nanoseconds: time),
                start: Int64(nanoseconds: start),
                value: count > 0 ? (sum ?? 0) / Double(count) : 0,
                count: Int64(clamping: count),
                histogram: contents,
                exemplars: slice(exemplars),
            )
        )
    }

    private mutating func slice(_ exemplars: [Exemplar]) -> Slice {
        exemplars.isEmpty ? Slice() : slice { $0.array(exemplars) { $0.append($1) } }
    }
}

extension JSONText {
    /// Appends what all distributions have. The column of the count ends at 2^63, so a larger one is written here.
    fileprivate mutating func appendSums(count: UInt64, sum: Double?, min: Double?, max: Double?) {
        if count > UInt64(Int64.max) { member("count") { $0.append(exact: count) } }
        if let sum { member("sum") { $0.append(.double(sum)) } }
        if let min { member("min") { $0.append(.double(min)) } }
        if let max { member("max") { $0.append(.double(max)) } }
    }

    fileprivate mutating func append(_ buckets: ExponentialHistogramPoint.Buckets) {
        object { text in
            text.member("offset", buckets.offset)
            text.member("counts") { $0.array(buckets.counts) { $0.append(exact: $1) } }
        }
    }

    fileprivate mutating func append(_ exemplar: Exemplar) {
        object { text in
            text.member("time") { $0.append(exact: exemplar.timeUnixNano) }
            switch exemplar.value {
            case .int(let number)?: text.member("value") { $0.append(.int(number)) }
            case .double(let number)?: text.member("value") { $0.append(.double(number)) }
            case nil: break
            }
            if exemplar.traceID.isValid { text.member("traceId", exemplar.traceID.hex) }
            if exemplar.spanID.isValid { text.member("spanId", exemplar.spanID.hex) }
            text.member("attributes") { $0.append(exemplar.filteredAttributes) }
        }
    }
}

extension MetricNumber {
    fileprivate var integer: Int64? {
        if case .int(let number) = self { number } else { nil }
    }
}
