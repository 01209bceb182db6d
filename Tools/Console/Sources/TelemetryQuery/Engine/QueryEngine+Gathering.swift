extension QueryEngine {
    /// Reads the segments that reach into the plan's window with several tasks, and returns what each gathered.
    ///
    /// - Parameters:
    ///   - segments: Those of the plan's dataset.
    ///   - add: Called once for each segment.
    /// - Throws: `QueryError` after the time limit, `CancellationError`, or what `add` throws.
    func gather<Part: Sendable>(
        _ plan: QueryPlan, from segments: [Segment], into empty: Part,
        _ add: @escaping @Sendable (_ scan: SegmentScan, _ part: inout Part) throws -> Void,
    ) async throws -> [Part] {
        let relevant = plan.segments(segments, reaching: plan.window)
        let turns = evaluationAdmission()
        let ranges = limits.turns(over: relevant.map(\.rowCount))
        let workers = max(1, min(limits.workers, ranges.count))
        return try await withThrowingTaskGroup(of: Part.self) { tasks in
            for worker in 0..<workers {
                tasks.addTask {
                    var part = empty
                    for number in stride(from: worker, to: ranges.count, by: workers) {
                        try await turns.take { isOver in
                            for segment in relevant[ranges[number]] {
                                let scan = SegmentScan(
                                    segment: segment, dataset: plan.query.dataset, related: related,
                                    isOver: isOver)
                                try add(scan, &part)
                            }
                        }
                    }
                    return part
                }
            }
            return try await tasks.reduce(into: []) { $0.append($1) }
        }
    }
}

extension SegmentScan {
    /// Returns the rows that fulfil a condition in a window.
    func mask(of condition: Condition?, in window: TimeWindow) -> RowMask {
        let mask = condition.map(mask) ?? .all
        guard segment.minTime < window.start || segment.maxTime >= window.end else { return mask }
        if case .none = mask { return .none }
        let (start, end) = (window.start, window.end)
        return mask.intersection(.some(times.map { $0 >= start && $0 < end }))
    }
}
