import AstrolabeTelemetryModel

/// Invariants of everything that a decoder lets through, whatever the input.
enum Invariants {
    /// The first rule that `decoded` breaks.
    static func violation(in decoded: Decoded) -> String? {
        switch decoded {
        case .traces(let groups): violation(in: groups, violation(in:))
        case .logs(let groups): violation(in: groups) { violation(in: $0.attributes) ?? violation(in: $0.body) }
        case .metrics(let groups): violation(in: groups, violation(in:))
        }
    }

    private static func violation<Record>(
        in groups: [ResourceGroup<Record>], _ check: (Record) -> String?,
    ) -> String? {
        for group in groups {
            if let found = violation(in: group.resource.attributes) { return found }
            for scope in group.scopes {
                if let found = violation(in: scope.scope.attributes) { return found }
                for record in scope.records {
                    if let found = check(record) { return found }
                }
            }
        }
        return nil
    }

    private static func violation(in span: SpanData) -> String? {
        guard span.context.isValid else { return "a span without ids" }
        let lists = [span.attributes] + span.events.map(\.attributes) + span.links.map(\.attributes)
        return lists.lazy.compactMap { violation(in: $0) }.first
    }

    private static func violation(in metric: MetricData) -> String? {
        switch metric.data {
        case .gauge(let points), .sum(let points, _, _):
            return points.lazy.compactMap { violation(in: $0.attributes) }.first
        case .histogram(let points, _):
            for point in points {
                if let found = violation(in: point.attributes) { return found }
                let (buckets, bounds) = (point.bucketCounts.count, point.explicitBounds.count)
                if buckets != bounds + 1, buckets + bounds != 0 { return "\(buckets) buckets for \(bounds) bounds" }
            }
            return nil
        case .exponentialHistogram(let points, _):
            return points.lazy.compactMap { violation(in: $0.attributes) }.first
        case .summary(let points):
            return points.lazy.compactMap { violation(in: $0.attributes) }.first
        case .unknown:
            return nil
        }
    }

    private static func violation(in attributes: Attributes, depth: Int = 0) -> String? {
        if Set(attributes.map(\.key)).count != attributes.count { return "a key that occurs twice" }
        return attributes.lazy.compactMap { violation(in: $0.value, depth: depth) }.first
    }

    private static func violation(in value: AttributeValue, depth: Int = 0) -> String? {
        switch value {
        case .array(let values):
            if depth >= 32 { return "values nested deeper than 32" }
            return values.lazy.compactMap { violation(in: $0, depth: depth + 1) }.first
        case .map(let attributes):
            if depth >= 32 { return "values nested deeper than 32" }
            return violation(in: attributes, depth: depth + 1)
        default:
            return nil
        }
    }
}
