extension QueryEngine {
    /// Counts the journeys that reach each step.
    ///
    /// The result equals that of `NaiveFunnel`.
    ///
    /// - Parameter now: Nanoseconds since 1970, the end of "last 1h".
    /// - Throws: `QueryError` if the query is not valid or exceeds a limit, or `CancellationError`.
    package func funnel(_ query: FunnelQuery, now: Int64, over sources: [JourneySource]) async throws -> FunnelResult {
        let scan = try JourneyScan(
            over: sources, window: try query.window(now: now), key: query.key, engine: self)
        let hits = try await scan.hits { query.selection(in: $0) }
        guard hits.labels.values.count <= limits.groups else {
            throw QueryError(
                "The funnel has more than \(limits.groups) groups. Group by another field.", at: .path("group"))
        }
        var counts = FunnelCounts(query, groups: hits.labels.values.count)
        let keys = hits.keys
        try await scan.turns.take { isOver in
            hits.forEachJourney(until: isOver) { counts.add(furthestAttempt(of: $0, query), keys: keys) }
        }
        return FunnelResult(
            window: scan.window, steps: counts.totals, groups: query.group == nil ? [] : counts.groups(hits.labels),
            examples: counts.examples.map { examples in
                FunnelExamples(
                    reached: scan.examples(examples.reached.sorted(keys), keys: keys),
                    dropped: scan.examples(examples.dropped.sorted(keys), keys: keys))
            }, unlinkedRecords: hits.unlinked)
    }

    /// Returns the hits of the first attempt that comes furthest, one for each step that it reaches.
    private func furthestAttempt(of journey: ArraySlice<JourneyHits.Hit>, _ query: FunnelQuery) -> [JourneyHits.Hit] {
        let journey = Array(journey)
        // For each step and hit, the next hit that fulfils the step; the number of hits if there is none.
        let next = query.steps.indices.map { step in
            var place = journey.count
            var places = [Int](repeating: place, count: journey.count)
            for index in journey.indices.reversed() {
                places[index] = place
                if journey[index].steps & 1 << UInt16(step) != 0 { place = index }
            }
            return places
        }
        var furthest: [Int] = []
        for start in journey.indices where journey[start].steps & 1 != 0 {
            var attempt = [start]
            var last = start
            for step in query.steps.indices.dropFirst() {
                last = next[step][last]
                guard last < journey.count, journey[last].time - journey[start].time <= query.bound else { break }
                attempt.append(last)
            }
            if attempt.count > furthest.count { furthest = attempt }
            if furthest.count == query.steps.count { break }
        }
        return furthest.map { journey[$0] }
    }
}

extension FunnelQuery {
    fileprivate func selection(in scan: SegmentScan) -> JourneyHits.Selection {
        var steps = [UInt16](repeating: 0, count: scan.rowCount)
        let common = condition.map(scan.mask) ?? .all
        for (index, step) in self.steps.enumerated() where step.dataset ?? scan.dataset == scan.dataset {
            common.intersection(scan.mask(of: step.condition)).mark(1 << UInt16(index), in: &steps)
        }
        // Only a record of the first step has a group.
        return JourneyHits.Selection(steps: steps, labels: group.map { scan.codes(of: $0) })
    }
}

/// The journeys of each group at each step.
private struct FunnelCounts {
    struct Examples {
        var reached = NewestHits(limit: FunnelExamples.limit)
        var dropped = NewestHits(limit: FunnelExamples.limit)
    }

    private let stepCount: Int
    private var reached: [Int]
    private var times: [[Int64]]
    private(set) var examples: [Examples]

    init(_ query: FunnelQuery, groups: Int) {
        stepCount = query.steps.count
        reached = Array(repeating: 0, count: stepCount * max(1, groups))
        times = Array(repeating: [], count: stepCount * max(1, groups))
        examples = Array(repeating: Examples(), count: stepCount)
    }

    mutating func add(_ attempt: [JourneyHits.Hit], keys: ValueTable) {
        guard let first = attempt.first, let last = attempt.last else { return }
        for (step, hit) in attempt.enumerated() {
            let cell = Int(first.label) * stepCount + step
            reached[cell] += 1
            if step > 0 { times[cell].append(hit.time - attempt[step - 1].time) }
            examples[step].reached.add(hit, keys: keys)
        }
        if attempt.count < stepCount { examples[attempt.count - 1].dropped.add(last, keys: keys) }
    }

    private func result(_ groups: [Int]) -> [FunnelStepResult] {
        (0..<stepCount).map { step in
            FunnelStepResult(
                reached: groups.reduce(0) { $0 + reached[$1 * stepCount + step] },
                times: groups.flatMap { times[$0 * stepCount + step] }.sorted())
        }
    }

    var totals: [FunnelStepResult] { result(Array(0..<(reached.count / stepCount))) }

    func groups(_ labels: ValueTable) -> [FunnelGroup] {
        let ranked = labels.values.indices.filter { reached[$0 * stepCount] > 0 }.sorted { left, right in
            let (one, other) = (reached[left * stepCount], reached[right * stepCount])
            return one != other ? one > other : labels.values[left] < labels.values[right]
        }
        var groups = ranked.prefix(FunnelQuery.groupLimit).map {
            FunnelGroup(value: labels.values[$0], isOther: false, steps: result([$0]))
        }
        let rest = Array(ranked.dropFirst(FunnelQuery.groupLimit))
        if !rest.isEmpty { groups.append(FunnelGroup(value: .missing, isOther: true, steps: result(rest))) }
        return groups
    }
}
