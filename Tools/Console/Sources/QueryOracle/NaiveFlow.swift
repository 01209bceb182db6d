package import TelemetryQuery

/// Evaluates a flow path by path. It defines what is right.
package struct NaiveFlow {
    private struct Stop {
        let value: QueryValue
        let record: QueryRecord
        let values: NaiveValues
    }

    /// - Parameter sources: The datasets with their records, in the order of their arrival.
    package static func evaluate(
        _ query: FlowQuery, now: Int64, over sources: [(dataset: Dataset, records: [QueryRecord])],
        related: (any RelatedRecords)? = nil,
    ) throws(QueryError) -> FlowResult {
        let window = try query.window(now: now)
        var stops: [Stop] = []
        for (dataset, records) in sources {
            let values = NaiveValues(dataset: dataset, related: related)
            for record in records where window.contains(record.time) && values.holds(query.condition, for: record) {
                let value = values.value(of: query.field, in: record)
                if !value.isMissing { stops.append(Stop(value: value, record: record, values: values)) }
            }
        }
        var byKey = Dictionary(grouping: stops) { $0.values.value(of: query.key, in: $0.record) }
        let unlinked = byKey.removeValue(forKey: .missing)?.count ?? 0
        let paths = byKey.mapValues { stops in
            // The sort is stable.
            stops.sorted { $0.record.time < $1.record.time }.reduce(into: [Stop]()) { path, stop in
                if path.last?.value != stop.value { path.append(stop) }
            }
        }
        let visits = Dictionary(grouping: paths.values.flatMap { $0.prefix(query.depth).map(\.value) }) { $0 }
        let ranked = visits.sorted { left, right in
            left.value.count != right.value.count ? left.value.count > right.value.count : left.key < right.key
        }
        let shown = Set(ranked.prefix(query.limit).map(\.key))
        func label(_ stop: Stop) -> QueryValue { shown.contains(stop.value) ? stop.value : .missing }
        var nodes: [FlowNode] = []
        var links: [FlowLink] = []
        for depth in 0..<query.depth {
            let here = paths.filter { $0.value.count > depth }
            for (value, paths) in Dictionary(grouping: here, by: { label($0.value[depth]) }) {
                nodes.append(
                    FlowNode(
                        depth: depth, value: value, count: paths.count,
                        ended: paths.count { $0.value.count == depth + 1 }))
                guard depth + 1 < query.depth else { continue }
                let onward = Dictionary(grouping: paths.filter { $0.value.count > depth + 1 }) {
                    label($0.value[depth + 1])
                }
                for (next, paths) in onward {
                    let examples = paths.map { key, path in
                        let (record, values) = (path[depth + 1].record, path[depth + 1].values)
                        return JourneyExample(
                            key: key, session: values.text("session.id", in: record),
                            trace: values.text("trace.id", in: record), time: record.time)
                    }
                    let newest = examples.sorted { $0.time != $1.time ? $0.time > $1.time : $0.key < $1.key }
                    links.append(
                        FlowLink(
                            depth: depth, from: value, to: next, count: paths.count,
                            examples: Array(newest.prefix(FlowQuery.examples))))
                }
            }
        }
        return FlowResult(
            window: window, paths: paths.count, nodes: nodes.sorted(by: isBefore), links: links.sorted(by: isBefore),
            otherValues: max(0, ranked.count - query.limit), unlinkedRecords: unlinked)
    }

    private static func isBefore(_ left: FlowNode, _ right: FlowNode) -> Bool {
        (left.depth, -left.count, left.value) < (right.depth, -right.count, right.value)
    }

    private static func isBefore(_ left: FlowLink, _ right: FlowLink) -> Bool {
        (left.depth, -left.count, left.from, left.to) < (right.depth, -right.count, right.from, right.to)
    }
}
