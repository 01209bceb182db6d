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
        /// The number of turns in which segments are read at the same time.
        package var workers = 2
        /// The largest number of records that one turn reads, unless a segment has more.
        package var rowsOfTurn = Segment.rowLimit

        package init() {}

        /// Returns the segments that each turn reads, as ranges.
        ///
        /// A query of few records that are in many segments would wait many times otherwise.
        ///
        /// - Parameter rowCounts: The number of records of each segment.
        func turns(over rowCounts: [Int]) -> [Range<Int>] {
            var ranges: [Range<Int>] = []
            var (start, rows) = (0, 0)
            for (index, count) in rowCounts.enumerated() {
                if index > start, rows + count > rowsOfTurn {
                    ranges.append(start..<index)
                    (start, rows) = (index, 0)
                }
                rows += count
            }
            if start < rowCounts.count { ranges.append(start..<rowCounts.count) }
            return ranges
        }
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
            guard plan.comparisonWindow != nil else {
                return try await turns.take { isOver in
                    all.keepingTop(of: plan, isOver).result(plan, earlier: nil, isOver)
                }
            }
            kept = try await turns.take { isOver in all.keepingTop(of: plan, isOver) }
        } else {
            pass.groupLimit = limits.groups
            pass.steps = 1
            guard let totals = try await pass.run(over: segments) else {
                throw QueryError(
                    "The query has more than \(limits.groups) groups. Group by fewer fields, use bucket(), "
                        + "or narrow it with where.")
            }
            pass.steps = max(1, plan.window.stepCount)
            pass.fixedKeys = try await turns.take { isOver in totals.topKeys(of: plan, isOver) }
            guard let top = try await pass.run(over: segments) else {
                return try await turns.take { isOver in totals.result(plan, earlier: nil, isOver) }
            }
            kept = top
        }
        var earlier: GroupSums?
        if let window = plan.comparisonWindow {
            var comparison = Pass(plan: plan, window: window, limits: limits, turns: turns, related: related)
            comparison.condition = plan.comparisonCondition
            comparison.fixedKeys = kept.allKeys
            earlier = try await comparison.run(over: segments)
        }
        return try await turns.take { [earlier] isOver in kept.result(plan, earlier: earlier, isOver) }
    }
}

/// One evaluation of a condition and the plan's groups over all segments.
struct Pass: Sendable {
    let plan: QueryPlan
    var condition: Condition?
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
        condition = plan.condition
        self.window = window
        self.limits = limits
        self.turns = turns
        self.related = related
        steps = max(1, window.stepCount)
    }

    /// Returns the sums, or `nil` if there are more groups than the limit.
    func run(over segments: [Segment]) async throws -> GroupSums? {
        let relevant = plan.segments(segments, reaching: window)
        guard var parts = try await partialSums(of: relevant) else { return nil }
        return try await turns.take { isOver -> GroupSums? in
            // Taken out of the list, so that it is not copied.
            guard var all = parts.popLast() else { return nil }
            while let part = parts.popLast() {
                all.merge(part, isOver)
                if all.keys.count > groupLimit { return nil }
            }
            return all.finished(window)
        }
    }

    /// Returns the sums of each worker, or `nil` if there are more groups than the limit.
    private func partialSums(of segments: [Segment]) async throws -> [GroupSums]? {
        let ranges = limits.turns(over: segments.map(\.rowCount))
        let workers = max(1, min(limits.workers, ranges.count))
        return try await withThrowingTaskGroup(of: GroupSums?.self) { tasks -> [GroupSums]? in
            for worker in 0..<workers {
                tasks.addTask {
                    let own = stride(from: worker, to: ranges.count, by: workers).map { segments[ranges[$0]] }
                    return try await sums(of: own, workers: workers)
                }
            }
            var parts: [GroupSums] = []
            for try await part in tasks {
                guard let part else {
                    tasks.cancelAll()
                    return nil
                }
                parts.append(part)
            }
            return parts
        }
    }

    /// - Parameter reads: The segments that each turn reads.
    private func sums(of reads: [ArraySlice<Segment>], workers: Int) async throws -> GroupSums? {
        var sums = GroupSums(plan: plan, steps: steps, fixedKeys: fixedKeys)
        for segments in reads {
            let isWithinLimit = try await turns.take { isOver in
                for segment in segments {
                    guard scan(segment, into: &sums, isOver) else { return false }
                    guard sums.byteCount <= limits.bytes / workers else {
                        throw QueryError(
                            "The query needs more than \(limits.bytes >> 20) MB of memory. Ask for a shorter time or "
                                + "longer steps, group by fewer fields, or narrow it with where.")
                    }
                }
                return true
            }
            guard isWithinLimit else { return nil }
            try turns.hold(sums.byteCount * workers)
        }
        return sums
    }

    /// Returns whether the groups are within the limit.
    private func scan(_ segment: Segment, into sums: inout GroupSums, _ isOver: @escaping () -> Bool) -> Bool {
        let scan = SegmentScan(segment: segment, dataset: plan.query.dataset, related: related, isOver: isOver)
        var mask = condition.map(scan.mask) ?? .all
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
            rows, of: scan, in: stepsOfRows, weights: weights, window: window, groupLimit: groupLimit)
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
