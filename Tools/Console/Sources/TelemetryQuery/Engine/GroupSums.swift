/// The groups that were found, and the accumulators of their cells.
struct GroupSums: Sendable {
    private(set) var keys: [[QueryValue]]
    private var indexes: [[QueryValue]: Int] = [:]
    /// Whether `keys` is complete, and other keys are one more group.
    private let isFixed: Bool
    private let expressions: [Expression]
    private let steps: Int
    private var accumulators: AccumulatorSet
    /// The number of records in each group, each counted once.
    private var records: [Int] = []
    private var bytesOfKeys = 0

    init(plan: QueryPlan, steps: Int, fixedKeys: [[QueryValue]]?) {
        self.steps = steps
        expressions = plan.groups
        // Without fields to group by, there is one group, even of nothing.
        keys = fixedKeys ?? (plan.groups.isEmpty ? [[]] : [])
        isFixed = fixedKeys != nil
        accumulators = AccumulatorSet(for: plan.calculations)
        for (index, key) in keys.enumerated() { indexes[key] = index }
    }

    /// The number of groups, with that of all others.
    var groupCount: Int { keys.count + (isFixed ? 1 : 0) }

    var byteCount: Int { accumulators.byteCount + bytesOfKeys + keys.count * (96 + 32 * expressions.count) }

    mutating func add(_ batch: inout RowBatch, groups: [Int32]) {
        if records.count < groupCount {
            records.append(contentsOf: repeatElement(0, count: groupCount - records.count))
        }
        for group in groups { records[Int(group)] += 1 }
        accumulators.add(&batch)
    }

    private mutating func index(of key: [QueryValue]) -> Int {
        if let index = indexes[key] { return index }
        if isFixed { return keys.count }
        let index = keys.count
        keys.append(key)
        indexes[key] = index
        for case .string(let text) in key where text.utf8.count > 15 { bytesOfKeys += text.utf8.count + 32 }
        return index
    }

    /// Returns the group of each selected row.
    mutating func groups(of rows: [Int32]?, in scan: SegmentScan) -> [Int32] {
        let count = rows?.count ?? scan.rowCount
        guard let first = expressions.first else { return Array(repeating: 0, count: count) }
        var combined = scan.codes(of: first)
        if let rows { combined.codes = rows.map { combined.codes[Int($0)] } }
        var codes = combined.codes
        var tuples = combined.values.map { [$0] }
        for expression in expressions.dropFirst() {
            var next = scan.codes(of: expression)
            if let rows { next.codes = rows.map { next.codes[Int($0)] } }
            (codes, tuples) = Self.combine(codes, tuples, with: next)
        }
        var known = [Int32](repeating: -1, count: tuples.count)
        for position in codes.indices {
            let code = Int(codes[position])
            if known[code] < 0 { known[code] = Int32(index(of: tuples[code])) }
            codes[position] = UInt32(bitPattern: known[code])
        }
        return codes.map { Int32(bitPattern: $0) }
    }

    /// Gives each pair of codes that occurs a code of its own.
    private static func combine(
        _ codes: [UInt32], _ tuples: [[QueryValue]], with next: SegmentScan.Codes,
    ) -> ([UInt32], [[QueryValue]]) {
        var result: [[QueryValue]] = []
        var combined = codes
        let width = next.values.count
        func pair(_ number: Int) -> [QueryValue] { tuples[number / width] + [next.values[number % width]] }
        if tuples.count * width <= 1 << 18 {
            var table = [UInt32](repeating: .max, count: tuples.count * width)
            for index in codes.indices {
                let number = Int(codes[index]) * width + Int(next.codes[index])
                if table[number] == .max {
                    table[number] = UInt32(result.count)
                    result.append(pair(number))
                }
                combined[index] = table[number]
            }
        } else {
            var table: [Int: UInt32] = [:]
            for index in codes.indices {
                let number = Int(codes[index]) * width + Int(next.codes[index])
                if let code = table[number] {
                    combined[index] = code
                } else {
                    combined[index] = UInt32(result.count)
                    table[number] = UInt32(result.count)
                    result.append(pair(number))
                }
            }
        }
        return (combined, result)
    }

    /// Adds the groups of another worker of the same pass.
    mutating func merge(_ other: GroupSums) {
        // The group of all others is behind the last key in both.
        let targets = other.keys.map { index(of: $0) } + (isFixed ? [keys.count] : [])
        merge(other, targets: targets.map { $0 })
    }

    private mutating func merge(_ other: GroupSums, targets: [Int?]) {
        records.append(contentsOf: repeatElement(0, count: max(0, groupCount - records.count)))
        for (group, count) in other.records.enumerated() {
            if let target = targets[group] { records[target] += count }
        }
        let steps = steps
        accumulators.merge(other.accumulators, cellCount: groupCount * steps, steps: steps) { cell in
            let group = cell / steps
            return group < targets.count ? targets[group].map { $0 * steps + cell % steps } : nil
        }
    }

    func finished(_ window: TimeWindow) -> GroupSums {
        var result = self
        result.accumulators.finish(window: window, steps: steps)
        return result
    }

    /// Returns the groups of the result and their places here, in order.
    private func top(of plan: QueryPlan) -> [(key: [QueryValue], index: Int)] {
        let totals = accumulators.values(
            of: plan.calculations, groups: keys.count, window: plan.window, steps: steps, hasSeries: false, )
        return keys.indices
            .map { (key: keys[$0], values: totals[$0].totals, index: $0) }
            .filter { plan.isIncluded($0.values) }
            .sorted { plan.isBefore(($0.key, $0.values), ($1.key, $1.values)) }
            .prefix(plan.query.limit).map { ($0.key, $0.index) }
    }

    func topKeys(of plan: QueryPlan) -> [[QueryValue]] { top(of: plan).map(\.key) }

    /// Returns the groups of the result in order, with the rest as the last.
    func keepingTop(of plan: QueryPlan) -> GroupSums {
        let top = top(of: plan)
        var result = GroupSums(plan: plan, steps: steps, fixedKeys: top.map(\.key))
        var targets: [Int?] = Array(repeating: top.count, count: keys.count)
        for (target, group) in top.enumerated() { targets[group.index] = target }
        result.merge(self, targets: targets)
        return result
    }

    /// Returns the result. The keys are in order, and the rest is the last group.
    func result(_ plan: QueryPlan, earlier: GroupSums?) -> QueryResult {
        let count = plan.query.calculations.count
        let calculations = Array(plan.calculations.prefix(count))
        func values(_ sums: GroupSums, _ window: TimeWindow) -> [ResultValues] {
            sums.accumulators.values(
                of: calculations, groups: sums.groupCount, window: window, steps: sums.steps,
                hasSeries: window.stepCount > 0, )
        }
        let current = values(self, plan.window)
        let before = plan.comparisonWindow.flatMap { window in earlier.map { values($0, window) } }
        var rows = keys.indices.map { index in
            ResultRow(key: keys[index], isOther: false, values: current[index], comparison: before?[index])
        }
        let rest = (records.dropFirst(keys.count).first ?? 0) + (earlier?.records.dropFirst(keys.count).first ?? 0)
        if plan.having == nil, rest > 0, let last = current.last {
            rows.append(ResultRow(key: [], isOther: true, values: last, comparison: before?.last))
        }
        return QueryResult(
            window: plan.window, comparisonWindow: plan.comparisonWindow, calculations: plan.query.calculations,
            groups: plan.query.groups, rows: rows, matchedRecords: records.reduce(0, +), )
    }
}
