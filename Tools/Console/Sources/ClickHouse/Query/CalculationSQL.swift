import TelemetryQuery

/// The aggregates that the calculations of a query need, each once.
///
/// An aggregate is computed for each cell, which is a group in a step, and merged from cells for what has more of them.
struct Aggregates {
    private(set) var states: [(function: String, arguments: String)] = []

    /// The number of a state: `s0`, `s1`, ….
    mutating func state(_ function: String, _ arguments: String) -> Int {
        if let index = states.firstIndex(where: { $0.function == function && $0.arguments == arguments }) {
            return index
        }
        states.append((function, arguments))
        return states.count - 1
    }

    /// The cells that are merged.
    enum Cells {
        /// Those of one row of the result.
        case ofRow
        /// All of a group in the current window, on each of its rows.
        case ofGroup(partition: String)
    }

    func merged(_ index: Int, _ cells: Cells) -> String {
        switch cells {
        case .ofRow: "\(states[index].function)Merge(s\(index))"
        case .ofGroup(let partition): "\(states[index].function)MergeIf(s\(index), win = 0) OVER (\(partition))"
        }
    }
}

/// The SQL of one calculation.
///
/// The columns that it reads are those of the records: the weight `w`, the time since the window's start `age`, and
/// `n0`, `n1`, … for its operand.
struct CalculationSQL {
    private let function: Calculation.Function
    private var parts: [Int] = []
    private let windowLength: Int64

    /// - Parameters:
    ///   - operand: SQL of a number or NULL, or of any value for `count_distinct`.
    ///   - condition: SQL of the condition of a `ratio`.
    ///   - duration: SQL of a number or NULL, for `concurrency`.
    ///   - windowLength: Nanoseconds.
    init(
        _ function: Calculation.Function, operand: String?, condition: String?, duration: String?,
        windowLength: Int64, in aggregates: inout Aggregates,
    ) {
        self.function = function
        self.windowLength = windowLength
        let operand = operand ?? "NULL"
        func sum(_ arguments: String) -> Int { aggregates.state("sum", arguments) }
        switch function {
        case .count: parts = [sum("w")]
        case .countDistinct: parts = [aggregates.state("uniqExact", operand)]
        case .sum: parts = [sum("ifNull(\(operand), 0) * w")]
        case .avg: parts = [sum("ifNull(\(operand), 0) * w"), sum("if(\(operand) IS NULL, 0, w)")]
        case .min: parts = [aggregates.state("min", operand)]
        case .max: parts = [aggregates.state("max", operand)]
        case .p50, .p75, .p90, .p95, .p99, .p999:
            parts = [
                aggregates.state("sumMap", Self.bins(of: operand, .percentiles)),
                aggregates.state("min", "ifNull(\(operand) = floor(\(operand)), true)"),
                aggregates.state("min", operand), aggregates.state("max", operand),
            ]
        case .heatmap: parts = [aggregates.state("sumMap", Self.bins(of: operand, .heatmap))]
        case .rate: parts = [sum(operand == "NULL" ? "w" : "ifNull(\(operand), 0) * w")]
        case .ratio: parts = [sum("if(\(condition ?? "false"), w, 0)"), sum("w")]
        case .concurrency:
            let end = "least(toFloat64(\(windowLength)), age + ifNull(\(duration ?? "NULL"), 0))"
            parts = [sum("greatest(0., \(end) - age) * w")]
        }
    }

    /// Bins without weight do not count.
    private static func bins(of operand: String, _ bins: LogLinearBins) -> String {
        let bin = "bin(assumeNotNull(\(operand)), \(bins.bits))"
        return "if(\(operand) IS NULL, [], [\(bin)]), if(\(operand) IS NULL, [], [w])"
    }

    /// SQL of the result: a number or NULL, or the bins of a heatmap. A rate is not yet divided by the time.
    func result(_ cells: Aggregates.Cells, _ aggregates: Aggregates) -> String {
        let merged = parts.map { aggregates.merged($0, cells) }
        return switch function {
        case .count, .sum, .rate: "toNullable(\(merged[0]))"
        case .countDistinct: "toNullable(toFloat64(\(merged[0])))"
        case .avg, .ratio: "if(\(merged[1]) > 0, \(merged[0]) / \(merged[1]), NULL)"
        case .min, .max: "toNullable(\(merged[0]))"
        case .heatmap: "arrayZip(\(merged[0]).1, \(merged[0]).2)"
        case .concurrency: "toNullable(\(merged[0]) / \(windowLength))"
        case .p50, .p75, .p90, .p95, .p99, .p999:
            // The middle of a bin may be beyond the numbers in it.
            "if(empty(\(merged[0]).1), NULL, greatest(\(merged[2]), least(\(merged[3]), "
                + "middle(reached(\(merged[0]), \(function.quantile ?? 0)), \(merged[1])))))"
        }
    }

    /// SQL of the number by which groups are ordered and selected.
    func rank(_ partition: String, _ aggregates: Aggregates) -> String {
        let result = result(.ofGroup(partition: partition), aggregates)
        return function == .rate ? "\(result) / \(Double(windowLength) / 1e9)" : result
    }
}
