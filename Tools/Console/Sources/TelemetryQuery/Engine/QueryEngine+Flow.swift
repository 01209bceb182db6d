extension QueryEngine {
    /// Counts the paths from value to value.
    ///
    /// The result equals that of `NaiveFlow`.
    ///
    /// - Parameter now: Nanoseconds since 1970, the end of "last 1h".
    /// - Throws: `QueryError` if the query is not valid or exceeds a limit, or `CancellationError`.
    package func flow(_ query: FlowQuery, now: Int64, over sources: [JourneySource]) async throws -> FlowResult {
        let scan = try JourneyScan(
            over: sources, window: try query.window(now: now), key: query.key, engine: self)
        let hits = try await scan.hits { query.selection(in: $0) }
        let (keys, labels) = (hits.keys, hits.labels)
        // Twice over the paths: the values have to be known before links are counted.
        var visits = [Int](repeating: 0, count: labels.values.count)
        var paths = 0
        try await scan.turns.take { isOver in
            hits.forEachJourney(until: isOver) { journey in
                paths += 1
                for stop in Self.stops(of: journey).prefix(query.depth) { visits[Int(stop.label)] += 1 }
            }
        }
        let ranked = visits.indices.filter { visits[$0] > 0 }.sorted { left, right in
            visits[left] != visits[right] ? visits[left] > visits[right] : labels.values[left] < labels.values[right]
        }
        let shown = Set(ranked.prefix(query.limit).map { Int32($0) })
        var counts = FlowCounts()
        try await scan.turns.take { isOver in
            hits.forEachJourney(until: isOver) { journey in
                counts.add(Self.stops(of: journey), depth: query.depth, shown: shown, keys: keys)
            }
        }
        func value(_ label: Int32) -> QueryValue { label < 0 ? .missing : labels.values[Int(label)] }
        let nodes = counts.nodes.map { place, node in
            FlowNode(depth: place.depth, value: value(place.label), count: node.count, ended: node.ended)
        }
        let links = counts.links.map { place, link in
            FlowLink(
                depth: place.depth, from: value(place.from), to: value(place.to), count: link.count,
                examples: scan.examples(link.examples.sorted(keys), keys: keys))
        }
        return FlowResult(
            window: scan.window, paths: paths, nodes: nodes.sorted(by: FlowNode.isBefore),
            links: links.sorted(by: FlowLink.isBefore), otherValues: max(0, ranked.count - query.limit),
            unlinkedRecords: hits.unlinked)
    }

    /// Returns the first hit of each run of one value.
    private static func stops(of journey: ArraySlice<JourneyHits.Hit>) -> [JourneyHits.Hit] {
        var stops: [JourneyHits.Hit] = []
        for hit in journey where stops.last?.label != hit.label { stops.append(hit) }
        return stops
    }
}

extension FlowQuery {
    fileprivate func selection(in scan: SegmentScan) -> JourneyHits.Selection {
        var steps = [UInt16](repeating: 0, count: scan.rowCount)
        let labels = scan.codes(of: field)
        (condition.map(scan.mask) ?? .all).intersection(labels.mask { !$0.isMissing }).mark(1, in: &steps)
        return JourneyHits.Selection(steps: steps, labels: labels)
    }
}

extension FlowNode {
    static func isBefore(_ left: FlowNode, _ right: FlowNode) -> Bool {
        if left.depth != right.depth { return left.depth < right.depth }
        return left.count != right.count ? left.count > right.count : left.value < right.value
    }
}

extension FlowLink {
    static func isBefore(_ left: FlowLink, _ right: FlowLink) -> Bool {
        if left.depth != right.depth { return left.depth < right.depth }
        if left.count != right.count { return left.count > right.count }
        return left.from != right.from ? left.from < right.from : left.to < right.to
    }
}

private struct FlowCounts {
    struct Place: Hashable {
        let depth: Int
        /// -1 for all other values.
        let label: Int32
    }

    struct Pair: Hashable {
        let depth: Int
        let from: Int32
        let to: Int32
    }

    struct Node {
        var count = 0
        var ended = 0
    }

    struct Link {
        var count = 0
        var examples = NewestHits(limit: FlowQuery.examples)
    }

    private(set) var nodes: [Place: Node] = [:]
    private(set) var links: [Pair: Link] = [:]

    mutating func add(_ stops: [JourneyHits.Hit], depth: Int, shown: Set<Int32>, keys: ValueTable) {
        func label(_ stop: JourneyHits.Hit) -> Int32 { shown.contains(stop.label) ? stop.label : -1 }
        for (index, stop) in stops.prefix(depth).enumerated() {
            let place = Place(depth: index, label: label(stop))
            nodes[place, default: Node()].count += 1
            if index == stops.count - 1 { nodes[place, default: Node()].ended += 1 }
            guard index > 0 else { continue }
            let pair = Pair(depth: index - 1, from: label(stops[index - 1]), to: label(stop))
            links[pair, default: Link()].count += 1
            links[pair, default: Link()].examples.add(stop, keys: keys)
        }
    }
}
