/// The sums that several calculations are computed from, for every cell.
struct Accumulator {
    enum Kind: Hashable {
        case weight
        case moments(Expression)
        case percentiles(Expression)
        case heatmap(Expression)
        case distinct(Expression)
        case condition(Condition)
        case concurrency

        /// The accumulators that a calculation needs.
        static func of(_ calculation: Calculation) -> [Kind] {
            let operand = calculation.operand ?? .literal(Literal(.missing))
            return switch calculation.function {
            case .count: [.weight]
            case .rate: calculation.operand == nil ? [.weight] : [.moments(operand)]
            case .countDistinct: [.distinct(operand)]
            case .sum, .avg, .min, .max: [.moments(operand)]
            case .p50, .p75, .p90, .p95, .p99, .p999: [.percentiles(operand)]
            case .heatmap: [.heatmap(operand)]
            case .ratio: [.weight] + (calculation.condition.map { [.condition($0)] } ?? [])
            case .concurrency: [.concurrency]
            }
        }
    }

    /// Sums of a cell; what a field means depends on the kind.
    private struct Moments {
        var sum = 0.0
        var weight = 0.0
        var least = Double.infinity
        var most = -Double.infinity
    }

    let kind: Kind
    private var sums: [Double] = []
    /// For `concurrency`: the steps that a span covers completely, as a change at the first and behind the last.
    private var changes: [Double] = []
    private var moments: [Moments] = []
    private var histogram = Histogram(.percentiles)
    /// For `distinct`: a number for each value, and the pairs of cell and number that occur.
    private var values = ValueIndex()
    private var pairs = KeyIndex()

    init(_ kind: Kind) {
        self.kind = kind
        if case .heatmap = kind { histogram = Histogram(.heatmap) }
    }

    /// The approximate memory.
    var byteCount: Int {
        (sums.count + changes.count) * 8 + moments.count * 32 + histogram.byteCount + pairs.byteCount
            + values.byteCount
    }

    private mutating func grow(toCells count: Int, steps: Int) {
        func grown<Value>(_ values: inout [Value], _ zero: Value) {
            if values.count < count {
                values.append(contentsOf: repeatElement(zero, count: max(count, values.count * 3 / 2) - values.count))
            }
        }
        switch kind {
        case .weight, .condition: grown(&sums, 0)
        case .concurrency:
            grown(&sums, 0)
            grown(&changes, 0)
        case .moments: grown(&moments, Moments())
        case .percentiles, .heatmap: histogram.grow(toCells: count)
        case .distinct: break
        }
    }

    mutating func add(_ batch: inout RowBatch) {
        grow(toCells: batch.cellCount, steps: batch.steps)
        switch kind {
        case .weight: addWeights(batch)
        case .condition(let condition):
            switch batch.scan.mask(of: condition) {
            case .none: break
            case .all: addWeights(batch)
            case .some(let holds):
                let holds = holds.selected(batch.rows)
                for row in holds.indices where holds[row] { sums[batch.cell(of: row)] += batch.weights?[row] ?? 1 }
            }
        case .moments(let operand): addMoments(batch.numbers(of: operand).numbers, batch)
        case .percentiles(let operand), .heatmap(let operand): histogram.add(batch.numbers(of: operand), of: batch)
        case .distinct(let operand): addDistinct(batch.scan.codes(of: operand), batch)
        case .concurrency: addConcurrency(&batch)
        }
    }

    private mutating func addWeights(_ batch: RowBatch) {
        if let weights = batch.weights {
            for row in weights.indices { sums[batch.cell(of: row)] += weights[row] }
        } else {
            for (cell, count) in zip(batch.cells, batch.occurrences) where count > 0 {
                sums[Int(cell)] += Double(count)
            }
        }
    }

    private mutating func addMoments(_ numbers: [Double], _ batch: RowBatch) {
        for row in numbers.indices {
            let number = numbers[row]
            if number.isNaN { continue }
            let weight = batch.weights?[row] ?? 1
            let cell = batch.cell(of: row)
            moments[cell].sum += number * weight
            moments[cell].weight += weight
            if number < moments[cell].least { moments[cell].least = number }
            if number > moments[cell].most { moments[cell].most = number }
        }
    }

    private mutating func addDistinct(_ operand: SegmentScan.Codes, _ batch: RowBatch) {
        let codes = CodePairs(
            batch.codes, count: batch.cells.count, operand.codes.selected(batch.rows), width: operand.values.count)
        // Numbers are given to the values that occur only.
        var numbers = [Int](repeating: -1, count: operand.values.count)
        var found = 0
        for (code, count) in codes.occurrences().enumerated() where count > 0 {
            found += 1
            if found % 1_024 == 0 { batch.scan.giveWay() }
            let (cell, value) = codes.pair(code)
            if value == 0 { continue }
            if numbers[value] < 0 { numbers[value] = values.insert(operand.values[value]) }
            pairs.insert(UInt64(batch.cells[cell]) << 32 | UInt64(numbers[value]))
        }
    }

    private mutating func addConcurrency(_ batch: inout RowBatch) {
        let durations = batch.numbers(of: .field("duration")).numbers
        let starts = batch.scan.times.selected(batch.rows)
        let window = batch.window
        for index in durations.indices {
            let duration = durations[index]
            // Negated, so that NaN is skipped too.
            if !(duration > 0) { continue }
            let weight = batch.weights?[index] ?? 1
            let first = batch.cell(of: index) % batch.steps
            let group = batch.cell(of: index) - first
            let end = min(Double(window.end - window.start), Double(starts[index] - window.start) + duration)
            guard let length = window.step, batch.steps > 1 else {
                sums[group] += max(0, end - Double(starts[index] - window.start)) * weight
                continue
            }
            let last = min(batch.steps - 1, Int((end + Double(window.start - window.origin)) / Double(length)))
            for step in last > first ? [first, last] : [first] {
                let bounds = window.bounds(ofStep: step)
                let from = max(Double(bounds.start - window.start), Double(starts[index] - window.start))
                sums[group + step] += max(0, min(Double(bounds.end - window.start), end) - from) * weight
            }
            if last > first + 1 {
                changes[group + first + 1] += weight
                changes[group + last] -= weight
            }
        }
    }

    /// Adds the sums of another accumulator of the same kind, with its cells given new numbers.
    mutating func merge(_ other: Accumulator, cellCount: Int, steps: Int, cells: (Int) -> Int?) {
        grow(toCells: cellCount, steps: steps)
        for cell in other.sums.indices {
            if let target = cells(cell) { sums[target] += other.sums[cell] }
        }
        for cell in other.changes.indices {
            if let target = cells(cell) { changes[target] += other.changes[cell] }
        }
        for cell in other.moments.indices {
            guard let target = cells(cell) else { continue }
            moments[target].sum += other.moments[cell].sum
            moments[target].weight += other.moments[cell].weight
            moments[target].least = min(moments[target].least, other.moments[cell].least)
            moments[target].most = max(moments[target].most, other.moments[cell].most)
        }
        histogram.merge(other.histogram, cells: cells)
        guard !other.pairs.keys.isEmpty else { return }
        let numbers = values.merge(other.values)
        for pair in other.pairs.keys {
            if let target = cells(Int(pair >> 32)) {
                pairs.insert(UInt64(target) << 32 | UInt64(numbers[Int(pair & 0xFFFF_FFFF)]))
            }
        }
    }

    /// Returns the sum over some cells.
    func weight(of cells: Range<Int>) -> Double {
        cells.reduce(0) { $0 + ($1 < sums.count ? sums[$1] : 0) }
    }

    func value(
        of calculation: Calculation, cells: Range<Int>, bounds: (start: Int64, end: Int64),
    ) -> ResultValue {
        switch kind {
        case .percentiles: ResultValue(calculation.function.quantile.flatMap { histogram.percentile($0, of: cells) })
        case .heatmap: .heatmap(histogram.heatmap(of: cells))
        case .moments: moment(calculation.function, of: cells, bounds: bounds)
        default: .missing
        }
    }

    private func moment(
        _ function: Calculation.Function, of cells: Range<Int>, bounds: (start: Int64, end: Int64),
    ) -> ResultValue {
        var all = Moments()
        for cell in cells where cell < moments.count {
            all.sum += moments[cell].sum
            all.weight += moments[cell].weight
            all.least = min(all.least, moments[cell].least)
            all.most = max(all.most, moments[cell].most)
        }
        let isEmpty = all.least > all.most
        return switch function {
        case .sum: ResultValue(all.sum)
        case .rate: ResultValue(all.sum / (Double(bounds.end - bounds.start) / 1e9))
        case .avg: ResultValue(all.weight > 0 ? all.sum / all.weight : nil)
        case .min: ResultValue(isEmpty ? nil : all.least)
        case .max: ResultValue(isEmpty ? nil : all.most)
        default: .missing
        }
    }

    /// The number of distinct values in each of the groups, as totals and by step.
    func distinctCounts(groups: Int, steps: Int) -> (totals: [Int], cells: [Int]) {
        var cells = [Int](repeating: 0, count: groups * steps)
        var totals = [Int](repeating: 0, count: groups)
        var seen = KeyIndex()
        for pair in pairs.keys {
            let cell = Int(pair >> 32)
            guard cell < cells.count else { continue }
            cells[cell] += 1
            if steps > 1 { seen.insert(UInt64(cell / steps) << 32 | pair & 0xFFFF_FFFF) } else { totals[cell] += 1 }
        }
        for pair in seen.keys { totals[Int(pair >> 32)] += 1 }
        return (totals, cells)
    }

    /// Prepares the reading of values.
    mutating func prepare() {
        if case .percentiles = kind { histogram.prepare() }
    }

    /// Makes the changes of `concurrency` sums.
    mutating func finish(window: TimeWindow, steps: Int) {
        guard kind == .concurrency, steps > 1 else { return }
        for group in 0..<(changes.count / steps) {
            var covering = 0.0
            for step in 0..<steps {
                covering += changes[group * steps + step]
                let bounds = window.bounds(ofStep: step)
                sums[group * steps + step] += covering * Double(bounds.end - bounds.start)
            }
        }
        changes = []
    }
}
