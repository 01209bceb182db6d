/// Evaluates queries over column segments, on all cores.
///
///     let result = try await QueryEngine().evaluate(try QueryPlan(query, now: now), over: table.segments())
///
/// The result equals that of `NaiveEvaluator`, except that a percentile is the middle of a log-linear bin and so
/// differs by up to 0.8 %. Cancelling the task ends the evaluation.
package struct QueryEngine: Sendable {
    /// What a query may use at most.
    package struct Limits: Sendable {
        /// Memory for groups, histograms and distinct values, in bytes. Columns are not part of it.
        package var bytes = 256 << 20
        package var groups = 200_000
        /// The groups that one pass computes completely. More are ranked first, and the best computed in a second pass.
        package var groupsOfOnePass = 1_000
        package var time: Duration = .seconds(30)
        /// The number of segments that are read at the same time.
        package var workers = 2

        package init() {}
    }

    let limits: Limits
    let related: (any RelatedRecords)?

    package init(limits: Limits = Limits(), related: (any RelatedRecords)? = nil) {
        self.limits = limits
        self.related = related
    }

    /// - Throws: `QueryError` if the query exceeds a limit, or `CancellationError`.
    package func evaluate(_ plan: QueryPlan, over segments: [Segment]) async throws -> QueryResult {
        let deadline = ContinuousClock.now + limits.time
        var pass = Pass(plan: plan, window: plan.window, limits: limits, deadline: deadline, related: related)
        // With few groups or without a series, one pass gives both the totals that rank groups and their series.
        pass.groupLimit = pass.steps == 1 ? limits.groups : max(plan.query.limit, limits.groupsOfOnePass)
        let kept: GroupSums
        if let all = try await pass.run(over: segments) {
            kept = all.keepingTop(of: plan)
        } else {
            pass.groupLimit = limits.groups
            pass.steps = 1
            guard let totals = try await pass.run(over: segments) else {
                throw QueryError(
                    "The query has more than \(limits.groups) groups. Group by fewer fields, use bucket(), "
                        + "or narrow it with where.")
            }
            pass.steps = max(1, plan.window.stepCount)
            pass.fixedKeys = totals.topKeys(of: plan)
            guard let top = try await pass.run(over: segments) else { return totals.result(plan, earlier: nil) }
            kept = top
        }
        var earlier: GroupSums?
        if let window = plan.comparisonWindow {
            var comparison = Pass(plan: plan, window: window, limits: limits, deadline: deadline, related: related)
            comparison.fixedKeys = kept.allKeys
            earlier = try await comparison.run(over: segments)
        }
        return kept.result(plan, earlier: earlier)
    }
}

/// One evaluation of the plan's condition and groups over all segments.
struct Pass: Sendable {
    let plan: QueryPlan
    let window: TimeWindow
    let limits: QueryEngine.Limits
    let deadline: ContinuousClock.Instant
    let related: (any RelatedRecords)?
    /// The number of steps of each group.
    var steps: Int
    var groupLimit = Int.max
    /// The only groups. All others are the group behind the last.
    var fixedKeys: [[QueryValue]]?

    init(
        plan: QueryPlan, window: TimeWindow, limits: QueryEngine.Limits, deadline: ContinuousClock.Instant,
        related: (any RelatedRecords)?,
    ) {
        self.plan = plan
        self.window = window
        self.limits = limits
        self.deadline = deadline
        self.related = related
        steps = max(1, window.stepCount)
    }

    /// Returns the sums, or `nil` if there are more groups than the limit.
    func run(over segments: [Segment]) async throws -> GroupSums? {
        let relevant = segments.filter { $0.minTime < window.end && $0.maxTime >= window.start }
        let workers = max(1, min(limits.workers, relevant.count))
        let share = limits.bytes / workers
        if workers == 1 { return try await sums(of: relevant[...], every: 1, bytes: share)?.finished(window) }
        return try await withThrowingTaskGroup(of: GroupSums?.self) { tasks in
            for worker in 0..<workers {
                tasks.addTask { try await sums(of: relevant[worker...], every: workers, bytes: share) }
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
                    all?.merge(part)
                }
                if let all, all.keys.count > groupLimit { return nil }
            }
            return all?.finished(window)
        }
    }

    private func sums(of segments: ArraySlice<Segment>, every stride: Int, bytes: Int) async throws -> GroupSums? {
        var sums = GroupSums(plan: plan, steps: steps, fixedKeys: fixedKeys)
        for index in Swift.stride(from: segments.startIndex, to: segments.endIndex, by: stride) {
            try limits.check(deadline)
            guard scan(segments[index], into: &sums) else { return nil }
            guard sums.byteCount <= bytes else {
                throw QueryError(
                    "The query needs more than \(limits.bytes >> 20) MB of memory. Ask for a shorter time or longer "
                        + "steps, group by fewer fields, or narrow it with where.")
            }
            // Other tasks, such as ingest, get their turn.
            await Task.yield()
        }
        // The last scan may have ended early.
        try limits.check(deadline)
        return sums
    }

    /// Returns whether the groups are within the limit.
    private func scan(_ segment: Segment, into sums: inout GroupSums) -> Bool {
        let scan = SegmentScan(segment: segment, related: related, deadline: deadline)
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
