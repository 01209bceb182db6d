/// The groups that were found, and the accumulators of their cells.
struct GroupSums: Sendable {
    private(set) var keys: GroupKeys
    private let steps: Int
    private var accumulators: AccumulatorSet
    /// The number of records in each group, each counted once.
    private var records: [Int] = []

    init(plan: QueryPlan, steps: Int, fixedKeys: [[QueryValue]]?) {
        self.steps = steps
        keys = GroupKeys(plan.groups, fixed: fixedKeys)
        accumulators = AccumulatorSet(for: plan.calculations)
    }

    /// The number of groups, with that of all others.
    private var groupCount: Int { keys.count + (keys.isFixed ? 1 : 0) }

    /// The number of records in all groups, each counted once.
    private var recordCount: Int { records.reduce(0, +) }

    var byteCount: Int { accumulators.byteCount + keys.byteCount + records.count * 8 }

    /// The selected rows of a segment by step.
    struct Steps {
        /// The first step that rows may have.
        var first = 0
        /// The number of steps that they may have.
        var count = 1
        /// The step of each selected row, counted from the first. Empty if there is one.
        var codes: [UInt32] = []
    }

    /// Adds the selected rows of a segment.
    ///
    /// - Returns: Whether the groups are within the limit.
    mutating func add(
        _ rows: [Int32]?, of scan: SegmentScan, in stepsOfRows: Steps, weights: [Double]?, window: TimeWindow,
        groupLimit: Int,
    ) -> Bool {
        var groups = keys.rows(rows, of: scan)
        let codes = CodePairs(groups.codes, count: groups.codeCount, stepsOfRows.codes, width: stepsOfRows.count)
        let occurrences = codes.occurrences()
        var cells = Array(repeating: Int32(0), count: codes.count)
        var found = 0
        for (code, count) in occurrences.enumerated() where count > 0 {
            found += 1
            if found % 1_024 == 0 { scan.giveWay() }
            let (groupCode, step) = codes.pair(code)
            let group = keys.group(ofCode: groupCode, in: &groups)
            while records.count <= group { records.append(0) }
            records[group] += Int(count)
            cells[code] = Int32(group * steps + stepsOfRows.first + step)
        }
        if keys.count > groupLimit { return false }
        var batch = RowBatch(
            scan: scan, rows: rows, codes: codes.codes, cells: cells, occurrences: occurrences,
            cellCount: groupCount * steps, steps: steps, weights: weights, window: window)
        accumulators.add(&batch)
        return true
    }

    /// Adds the groups of another worker of the same pass.
    ///
    /// - Parameter isOver: Here and below, it is asked now and then, so that other queries may go first.
    mutating func merge(_ other: GroupSums, _ isOver: () -> Bool) {
        merge(other, targets: keys.merge(other.keys) + (keys.isFixed ? [keys.count] : []), isOver)
    }

    private mutating func merge(_ other: GroupSums, targets: [Int], _ isOver: () -> Bool) {
        records.append(contentsOf: repeatElement(0, count: max(0, groupCount - records.count)))
        for (group, count) in other.records.enumerated() { records[targets[group]] += count }
        let steps = steps
        var calls = 0
        accumulators.merge(other.accumulators, cellCount: groupCount * steps, steps: steps) { cell in
            calls += 1
            if calls % 1_024 == 0 { _ = isOver() }
            let group = cell / steps
            return group < targets.count ? targets[group] * steps + cell % steps : nil
        }
    }

    func finished(_ window: TimeWindow) -> GroupSums {
        var result = self
        result.accumulators.finish(window: window, steps: steps)
        return result
    }

    /// Returns the groups of the result, in order.
    private func top(of plan: QueryPlan, _ isOver: @escaping () -> Bool) -> [Int] {
        let reader = accumulators.reader(groups: keys.count, window: plan.window, steps: steps, isOver: isOver)
        let ranking = Ranking(
            keys: keys,
            numbers: plan.calculations.indices.map {
                plan.ranks($0) ? reader.totals(of: plan.calculations[$0]).map(\.number) : []
            })
        return plan.top(of: 0..<keys.count, ranking)
    }

    private struct Ranking: GroupRanking {
        let keys: GroupKeys
        let numbers: [[Double?]]

        func number(of calculation: Int, in group: Int) -> Double? { numbers[calculation][group] }
        func value(_ expression: Int, of group: Int) -> QueryValue { keys.value(expression, of: group) }
    }

    func topKeys(of plan: QueryPlan, _ isOver: @escaping () -> Bool) -> [[QueryValue]] {
        top(of: plan, isOver).map(keys.key)
    }

    /// The keys of all groups.
    var allKeys: [[QueryValue]] { (0..<keys.count).map(keys.key) }

    /// Returns the groups of the result in order, with the rest as the last.
    func keepingTop(of plan: QueryPlan, _ isOver: @escaping () -> Bool) -> GroupSums {
        let top = top(of: plan, isOver)
        var result = GroupSums(plan: plan, steps: steps, fixedKeys: top.map(keys.key))
        var targets = Array(repeating: top.count, count: keys.count)
        for (target, group) in top.enumerated() { targets[group] = target }
        result.merge(self, targets: targets, isOver)
        return result
    }

    /// Returns the result. The keys are in order, and the rest is the last group.
    func result(_ plan: QueryPlan, earlier: GroupSums?, _ isOver: @escaping () -> Bool) -> QueryResult {
        let current = values(plan, plan.window, isOver)
        let before = plan.comparisonWindow.flatMap { window in earlier.map { $0.values(plan, window, isOver) } }
        var rows = allKeys.enumerated().map { index, key in
            ResultRow(key: key, isOther: false, values: current[index], comparison: before?[index])
        }
        let rest = (records.dropFirst(keys.count).first ?? 0) + (earlier?.records.dropFirst(keys.count).first ?? 0)
        if plan.having == nil, rest > 0, let last = current.last {
            rows.append(ResultRow(key: [], isOther: true, values: last, comparison: before?.last))
        }
        return QueryResult(
            window: plan.window, comparisonWindow: plan.comparisonWindow, calculations: plan.query.calculations,
            groups: plan.query.groups, rows: rows, matchedRecords: recordCount,
            comparedRecords: earlier?.recordCount)
    }

    private func values(
        _ plan: QueryPlan, _ window: TimeWindow, _ isOver: @escaping () -> Bool,
    ) -> [ResultValues] {
        let reader = accumulators.reader(groups: groupCount, window: window, steps: steps, isOver: isOver)
        let calculations = plan.calculations.prefix(plan.query.calculations.count)
        let totals = calculations.map(reader.totals)
        let series = window.stepCount > 0 ? calculations.map(reader.series) : []
        return (0..<groupCount).map { group in
            ResultValues(
                totals: totals.map { $0[group] },
                series: series.isEmpty
                    ? [] : (0..<steps).map { step in series.map { $0[group * steps + step] } })
        }
    }
}
