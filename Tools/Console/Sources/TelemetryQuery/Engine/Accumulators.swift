/// The selected rows of a segment, each with the cell that it belongs to.
///
/// A cell is a step of a group: `group * steps + step`.
struct RowBatch {
    let scan: SegmentScan
    /// The selected rows, or `nil` if they are all.
    let rows: [Int32]?
    let cells: [Int32]
    let cellCount: Int
    let steps: Int
    /// The adjusted count of each selected row, or `nil` if it is 1 for all.
    let weights: [Double]?
    let window: TimeWindow
    private var known: [Expression: SegmentScan.Numbers] = [:]

    init(
        scan: SegmentScan, rows: [Int32]?, cells: [Int32], cellCount: Int, steps: Int, weights: [Double]?,
        window: TimeWindow,
    ) {
        self.scan = scan
        self.rows = rows
        self.cells = cells
        self.cellCount = cellCount
        self.steps = steps
        self.weights = weights
        self.window = window
    }

    /// Returns the numbers of an expression in the selected rows.
    mutating func numbers(of expression: Expression) -> SegmentScan.Numbers {
        if let numbers = known[expression] { return numbers }
        var numbers = scan.numbers(of: expression)
        numbers.numbers = selected(numbers.numbers)
        known[expression] = numbers
        return numbers
    }

    func selected<Value>(_ values: [Value]) -> [Value] {
        guard let rows else { return values }
        return rows.map { values[Int($0)] }
    }
}

/// What several calculations are computed from, for every cell.
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
    private var valueNumbers: [QueryValue: UInt32] = [:]
    private var pairs = PairSet()
    private var bytesOfValues = 0

    init(_ kind: Kind) {
        self.kind = kind
        if case .heatmap = kind { histogram = Histogram(.heatmap) }
    }

    /// The approximate memory.
    var byteCount: Int {
        (sums.count + changes.count) * 8 + moments.count * 32 + histogram.byteCount + pairs.byteCount
            + valueNumbers.capacity * 32 + bytesOfValues
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
                let holds = batch.selected(holds)
                for index in batch.cells.indices where holds[index] {
                    sums[Int(batch.cells[index])] += batch.weights?[index] ?? 1
                }
            }
        case .moments(let operand): addMoments(batch.numbers(of: operand).numbers, batch)
        case .percentiles(let operand), .heatmap(let operand):
            let numbers = batch.numbers(of: operand)
            histogram.add(numbers.numbers, weights: batch.weights, to: batch.cells, isWhole: numbers.isWhole)
        case .distinct(let operand): addDistinct(batch.scan.codes(of: operand), batch)
        case .concurrency: addConcurrency(&batch)
        }
    }

    private mutating func addWeights(_ batch: RowBatch) {
        if let weights = batch.weights {
            for index in batch.cells.indices { sums[Int(batch.cells[index])] += weights[index] }
        } else {
            for cell in batch.cells { sums[Int(cell)] += 1 }
        }
    }

    private mutating func addMoments(_ numbers: [Double], _ batch: RowBatch) {
        for index in numbers.indices {
            let number = numbers[index]
            if number.isNaN { continue }
            let weight = batch.weights?[index] ?? 1
            let cell = Int(batch.cells[index])
            moments[cell].sum += number * weight
            moments[cell].weight += weight
            if number < moments[cell].least { moments[cell].least = number }
            if number > moments[cell].most { moments[cell].most = number }
        }
    }

    private mutating func addDistinct(_ codes: SegmentScan.Codes, _ batch: RowBatch) {
        // Numbers are given to the values that occur only.
        var numbers = [UInt32](repeating: 0, count: codes.values.count)
        for index in batch.cells.indices {
            let row = batch.rows.map { Int($0[index]) } ?? index
            let code = Int(codes.codes[row])
            if code == 0 { continue }
            if numbers[code] == 0 { numbers[code] = number(of: codes.values[code]) }
            pairs.insert(UInt64(batch.cells[index]) << 32 | UInt64(numbers[code]))
        }
    }

    private mutating func number(of value: QueryValue) -> UInt32 {
        if let number = valueNumbers[value] { return number }
        let number = UInt32(valueNumbers.count + 1)
        valueNumbers[value] = number
        if case .string(let text) = value { bytesOfValues += text.utf8.count > 15 ? text.utf8.count + 32 : 0 }
        return number
    }

    private mutating func addConcurrency(_ batch: inout RowBatch) {
        let durations = batch.numbers(of: .field("duration")).numbers
        let starts = batch.selected(batch.scan.times)
        let window = batch.window
        for index in durations.indices {
            let duration = durations[index]
            // Negated, so that NaN is skipped too.
            if !(duration > 0) { continue }
            let weight = batch.weights?[index] ?? 1
            let group = Int(batch.cells[index]) / batch.steps * batch.steps
            let first = Int(batch.cells[index]) - group
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
        guard other.pairs.count > 0 else { return }
        var numbers: [UInt32: UInt32] = [:]
        for (value, number) in other.valueNumbers { numbers[number] = self.number(of: value) }
        other.pairs.forEach { pair in
            if let target = cells(Int(pair >> 32)), let number = numbers[UInt32(truncatingIfNeeded: pair)] {
                pairs.insert(UInt64(target) << 32 | UInt64(number))
            }
        }
    }

    /// Returns the sum over some cells.
    fileprivate func weight(of cells: Range<Int>) -> Double {
        cells.reduce(0) { $0 + ($1 < sums.count ? sums[$1] : 0) }
    }

    fileprivate func value(
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
    fileprivate func distinctCounts(groups: Int, steps: Int) -> (totals: [Int], cells: [Int]) {
        var cells = [Int](repeating: 0, count: groups * steps)
        var totals = [Int](repeating: 0, count: groups)
        var seen = PairSet()
        pairs.forEach { pair in
            let cell = Int(pair >> 32)
            guard cell < cells.count else { return }
            cells[cell] += 1
            let inGroup = UInt64(cell / steps) << 32 | pair & 0xFFFF_FFFF
            if steps == 1 || seen.insert(inGroup) { totals[cell / steps] += 1 }
        }
        return (totals, cells)
    }

    /// Prepares the reading of values.
    fileprivate mutating func prepare() {
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

/// The accumulators of one pass over the segments.
struct AccumulatorSet {
    private var accumulators: [Accumulator]
    private let indexes: [Accumulator.Kind: Int]

    init(for calculations: [Calculation]) {
        var kinds: [Accumulator.Kind] = []
        for kind in calculations.flatMap(Accumulator.Kind.of) where !kinds.contains(kind) { kinds.append(kind) }
        accumulators = kinds.map(Accumulator.init)
        indexes = Dictionary(uniqueKeysWithValues: kinds.enumerated().map { ($1, $0) })
    }

    var byteCount: Int { accumulators.reduce(0) { $0 + $1.byteCount } }

    mutating func add(_ batch: inout RowBatch) {
        for index in accumulators.indices { accumulators[index].add(&batch) }
    }

    mutating func merge(_ other: AccumulatorSet, cellCount: Int, steps: Int, cells: (Int) -> Int?) {
        for index in accumulators.indices {
            accumulators[index].merge(other.accumulators[index], cellCount: cellCount, steps: steps, cells: cells)
        }
    }

    /// Call once, after the last merge and before values are read.
    mutating func finish(window: TimeWindow, steps: Int) {
        for index in accumulators.indices { accumulators[index].finish(window: window, steps: steps) }
    }

    /// Returns the totals of each group and, if `hasSeries`, the values of each step.
    func values(
        of calculations: [Calculation], groups: Int, window: TimeWindow, steps: Int, hasSeries: Bool,
    ) -> [ResultValues] {
        var accumulators = accumulators
        for index in accumulators.indices { accumulators[index].prepare() }
        let distinct = accumulators.map { accumulator -> (totals: [Int], cells: [Int])? in
            guard case .distinct = accumulator.kind else { return nil }
            return accumulator.distinctCounts(groups: groups, steps: steps)
        }
        func value(
            _ calculation: Calculation, _ used: [Int], _ cells: Range<Int>, _ bounds: (start: Int64, end: Int64),
        ) -> ResultValue {
            guard let first = used.first else { return .missing }
            switch calculation.function {
            case .count: return .number(accumulators[first].weight(of: cells))
            case .rate where calculation.operand == nil:
                return ResultValue(accumulators[first].weight(of: cells) / (Double(bounds.end - bounds.start) / 1e9))
            case .concurrency:
                return ResultValue(accumulators[first].weight(of: cells) / Double(bounds.end - bounds.start))
            case .ratio:
                let weight = accumulators[first].weight(of: cells)
                return ResultValue(weight > 0 ? accumulators[used.last ?? first].weight(of: cells) / weight : nil)
            case .countDistinct:
                guard let counts = distinct[first] else { return .missing }
                let isTotal = cells.count == steps
                return .number(
                    Double(isTotal ? counts.totals[cells.lowerBound / steps] : counts.cells[cells.lowerBound]))
            default: return accumulators[first].value(of: calculation, cells: cells, bounds: bounds)
            }
        }
        let used = calculations.map { calculation in
            (calculation, Accumulator.Kind.of(calculation).compactMap { indexes[$0] })
        }
        return (0..<groups).map { group in
            let all = (group * steps)..<((group + 1) * steps)
            return ResultValues(
                totals: used.map { value($0, $1, all, (window.start, window.end)) },
                series: !hasSeries
                    ? []
                    : (0..<steps).map { step in
                        let cell = all.lowerBound + step
                        return used.map { value($0, $1, cell..<(cell + 1), window.bounds(ofStep: step)) }
                    }, )
        }
    }
}
