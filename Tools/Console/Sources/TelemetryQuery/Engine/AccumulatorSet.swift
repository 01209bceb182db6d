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

    /// Returns what reads the values of the first groups.
    ///
    /// - Parameter isOver: It is asked now and then, so that other queries may go first.
    func reader(groups: Int, window: TimeWindow, steps: Int, isOver: @escaping () -> Bool) -> Reader {
        var reader = Reader(
            accumulators: accumulators, indexes: indexes, groups: groups, window: window, steps: steps, distinct: [],
            isOver: isOver)
        for index in accumulators.indices { reader.accumulators[index].prepare() }
        reader.distinct = accumulators.map { accumulator in
            guard case .distinct = accumulator.kind else { return nil }
            return accumulator.distinctCounts(groups: groups, steps: steps)
        }
        return reader
    }

    /// Computes results from sums.
    struct Reader {
        fileprivate var accumulators: [Accumulator]
        fileprivate let indexes: [Accumulator.Kind: Int]
        fileprivate let groups: Int
        fileprivate let window: TimeWindow
        fileprivate let steps: Int
        fileprivate var distinct: [(totals: [Int], cells: [Int])?]
        fileprivate let isOver: () -> Bool

        /// Returns the total of each group.
        func totals(of calculation: Calculation) -> [ResultValue] {
            let used = indexes(of: calculation)
            return (0..<groups).map { group in
                if group % 64 == 63 { _ = isOver() }
                return value(calculation, used, (group * steps)..<((group + 1) * steps), (window.start, window.end))
            }
        }

        /// Returns the total of each step of each group.
        func series(of calculation: Calculation) -> [ResultValue] {
            let used = indexes(of: calculation)
            let bounds = (0..<steps).map(window.bounds)
            return (0..<(groups * steps)).map { cell in
                if cell % 1_024 == 1_023 { _ = isOver() }
                return value(calculation, used, cell..<(cell + 1), bounds[cell % steps])
            }
        }

        private func indexes(of calculation: Calculation) -> [Int] {
            Accumulator.Kind.of(calculation).compactMap { indexes[$0] }
        }

        private func value(
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
    }
}
