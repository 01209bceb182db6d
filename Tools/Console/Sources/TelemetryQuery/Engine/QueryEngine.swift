/// Evaluates queries over column segments, on all cores.
///
///     let result = try await QueryEngine().evaluate(try QueryPlan(query, now: now), over: table.segments())
///
/// The result equals that of `NaiveEvaluator`, except that a percentile is the middle of a log-linear bin and so
/// differs by up to 0.8 %. Cancelling the task ends the evaluation before the next segment.
package struct QueryEngine: Sendable {
    /// The limits of a query.
    package struct Limits: Sendable {
        /// Memory for groups, histograms and distinct values, in bytes. Columns are not part of it.
        package var bytes = 256 << 20
        package var groups = 200_000
        /// The groups that one pass computes completely. More are ranked first, and the best computed in a second pass.
        package var groupsOfOnePass = 1_000
        /// The time of all cores together. It is processor time if the query takes turns with others, and that of the
        /// clock if not.
        package var time: Duration = .seconds(30)
        /// The number of segments that are read at the same time.
        package var workers = 2

        package init() {}
    }

    let limits: Limits
    let related: (any RelatedRecords)?
    let turns: (any QueryAdmission)?

    /// - Parameter turns: The turns of one query among others; `nil` for evaluations that need not wait.
    package init(
        limits: Limits = Limits(), related: (any RelatedRecords)? = nil, turns: (any QueryAdmission)? = nil,
    ) {
        self.limits = limits
        self.related = related
        self.turns = turns
    }

    /// - Throws: `QueryError` if the query exceeds a limit, `CancellationError`, or what its turns throw.
    package func evaluate(_ plan: QueryPlan, over segments: [Segment]) async throws -> QueryResult {
        do {
            return try await evaluate(plan, over: segments, turns: evaluationAdmission())
        } catch let error as QueryError {
            throw error.naming(LargestColumn(of: plan, in: segments))
        }
    }

    private func evaluate(
        _ plan: QueryPlan, over segments: [Segment], turns: any QueryAdmission,
    ) async throws -> QueryResult {
        var pass = Pass(plan: plan, window: plan.window, limits: limits, turns: turns, related: related)
        // With few groups or without a series, one pass gives both the totals that rank groups and their series.
        pass.groupLimit = pass.steps == 1 ? limits.groups : max(plan.query.limit, limits.groupsOfOnePass)
        let kept: GroupSums
        if let all = try await pass.run(over: segments) {
            kept = try await turns.take { _ in all.keepingTop(of: plan) }
        } else {
            pass.groupLimit = limits.groups
            pass.steps = 1
            guard let totals = try await pass.run(over: segments) else {
                throw QueryError(
                    "The query has more than \(limits.groups) groups. Group by fewer fields, use bucket(), "
                        + "or narrow it with where.")
            }
            pass.steps = max(1, plan.window.stepCount)
            pass.fixedKeys = try await turns.take { _ in totals.topKeys(of: plan) }
            guard let top = try await pass.run(over: segments) else {
                return try await turns.take { _ in totals.result(plan, earlier: nil) }
            }
            kept = top
        }
        var earlier: GroupSums?
        if let window = plan.comparisonWindow {
            var comparison = Pass(plan: plan, window: window, limits: limits, turns: turns, related: related)
            comparison.fixedKeys = kept.allKeys
            earlier = try await comparison.run(over: segments)
        }
        return try await turns.take { [earlier] _ in kept.result(plan, earlier: earlier) }
    }
}

/// One evaluation of the plan's condition and groups over all segments.
struct Pass: Sendable {
    let plan: QueryPlan
    let window: TimeWindow
    let limits: QueryEngine.Limits
    let turns: any QueryAdmission
    let related: (any RelatedRecords)?
    /// The number of steps of each group.
    var steps: Int
    var groupLimit = Int.max
    /// The only groups. All others are the group behind the last.
    var fixedKeys: [[QueryValue]]?

    init(
        plan: QueryPlan, window: TimeWindow, limits: QueryEngine.Limits, turns: any QueryAdmission,
        related: (any RelatedRecords)?,
    ) {
        self.plan = plan
        self.window = window
        self.limits = limits
        self.turns = turns
        self.related = related
        steps = max(1, window.stepCount)
    }

    /// Returns the sums, or `nil` if there are more groups than the limit.
    func run(over segments: [Segment]) async throws -> GroupSums? {
        let relevant = segments.filter { $0.minTime < window.end && $0.maxTime >= window.start }
        let workers = max(1, min(limits.workers, relevant.count))
        let merged = try await withThrowingTaskGroup(of: GroupSums?.self) { tasks -> GroupSums? in
            for worker in 0..<workers {
                tasks.addTask { try await sums(of: relevant.dropFirst(worker), every: workers) }
            }
            var all: GroupSums?
            for try await part in tasks {
                guard let part else {
                    tasks.cancelAll()
                    return nil
                }
                if all == nil {
                    all = part
                } else {
                    try await turns.take { _ in _ = all?.merge(part) }
                }
                if let all, all.keys.count > groupLimit { return nil }
            }
            return all
        }
        guard let all = merged else { return nil }
        return try await turns.take { _ in all.finished(window) }
    }

    private func sums(of segments: ArraySlice<Segment>, every stride: Int) async throws -> GroupSums? {
        var sums = GroupSums(plan: plan, steps: steps, fixedKeys: fixedKeys)
        for index in Swift.stride(from: segments.startIndex, to: segments.endIndex, by: stride) {
            let isWithinLimit = try await turns.take { isOver in scan(segments[index], into: &sums, isOver) }
            guard isWithinLimit else { return nil }
            guard sums.byteCount <= limits.bytes / stride else {
                throw QueryError(
                    "The query needs more than \(limits.bytes >> 20) MB of memory. Ask for a shorter time or longer "
                        + "steps, group by fewer fields, or narrow it with where.")
            }
            try turns.hold(sums.byteCount * stride)
        }
        return sums
    }

    /// Returns whether the groups are within the limit.
    private func scan(_ segment: Segment, into sums: inout GroupSums, _ isOver: @escaping () -> Bool) -> Bool {
        let scan = SegmentScan(segment: segment, dataset: plan.query.dataset, related: related, isOver: isOver)
        var mask = plan.condition.map(scan.mask) ?? .all
        if case .none = mask { return true }
        var times: [Int64]?
        if segment.minTime < window.start || segment.maxTime >= window.end {
            let all = scan.times
            times = all
            let (start, end) = (window.start, window.end)
            mask = mask.intersection(.some(all.map { $0 >= start && $0 < end }))
        }
        let rows = mask.rows()
        if let rows, rows.isEmpty { return true }
        var weights = plan.query.isRaw ? nil : scan.weights
        weights = weights?.selected(rows)
        var stepsOfRows = GroupSums.Steps()
        if steps > 1 {
            // Rows outside the window are not selected, but the segment's bounds are of all rows.
            stepsOfRows.first = window.step(of: max(segment.minTime, window.start))
            stepsOfRows.count = window.step(of: min(segment.maxTime, window.end - 1)) - stepsOfRows.first + 1
            if stepsOfRows.count > 1 {
                stepsOfRows.codes = window.steps(of: (times ?? scan.times).selected(rows), from: stepsOfRows.first)
            }
        }
        return sums.add(
            rows, of: scan, in: stepsOfRows, weights: weights, window: window, groupLimit: groupLimit, )
    }
}

extension TimeWindow {
    /// Returns the steps of times that lie in the window, counted from a step on.
    fileprivate func steps(of times: [Int64], from first: Int) -> [UInt32] {
        guard let length = step else { return [] }
        let origin = origin + Int64(first) * length
        // Times that follow one another are mostly in the same step.
        var (step, start) = (UInt32(0), origin)
        return times.map { time in
            if time < start || time - start >= length {
                step = UInt32(truncatingIfNeeded: (time - origin) / length)
                start = origin + Int64(step) * length
            }
            return step
        }
    }
}
