import AstrolabeTelemetryModel

extension PreparedBatch {
    /// Prepares the rows of metric points. Rejects and counts points of unsupported kinds.
    init(metrics groups: [ResourceGroup<MetricData>]) {
        var indices: [StableHash: Int32] = [:]
        for group in groups {
            let resource = add(group.resource)
            for scopeGroup in group.scopes {
                let scope = add(scopeGroup.scope)
                for metric in scopeGroup.records {
                    add(metric, resource: resource, scope: scope, known: &indices)
                }
            }
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
        case .unsupported(let kind, let pointCount):
            rejection.add(
                pointCount,
                because: "metric \"\(metric.name)\" has the unsupported kind \(kind); expected gauge, sum or histogram",
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
                count: -1,
                histogram: Slice(),
            )
        )
    }

    /// Adds a histogram point. Its value is the mean if the histogram has a sum.
    private mutating func add(_ point: HistogramPoint, to series: Int32) {
        let sum = point.sum ?? 0
        let buckets = slice { text in
            text.object { text in
                if let sum = point.sum { text.member("sum") { $0.append(.double(sum)) } }
                if let min = point.min { text.member("min") { $0.append(.double(min)) } }
                if let max = point.max { text.member("max") { $0.append(.double(max)) } }
                text.member("counts") { $0.array(point.bucketCounts) { $0.append($1) } }
                text.member("bounds") { $0.array(point.explicitBounds) { $0.append(.double($1)) } }
            }
        }
        points.append(
            PointRow(
                series: series,
                time: Int64(nanoseconds: point.timeUnixNano),
                start: Int64(nanoseconds: point.startTimeUnixNano),
                value: point.count > 0 ? sum / Double(point.count) : 0,
                count: Int64(clamping: point.count),
                histogram: buckets,
            )
        )
    }
}
