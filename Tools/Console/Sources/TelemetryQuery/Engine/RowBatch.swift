/// The selected rows of a segment, each with the cell that it belongs to.
///
/// A cell is a step of a group: `group * steps + step`.
struct RowBatch {
    let scan: SegmentScan
    /// The selected rows, or `nil` if they are all.
    let rows: [Int32]?
    /// A code of its cell for each selected row.
    let codes: [UInt32]
    /// The cell of each code that occurs.
    let cells: [Int32]
    /// The number of the selected rows with each code.
    let occurrences: [Int32]
    /// The number of cells that there are by now.
    let cellCount: Int
    let steps: Int
    /// The adjusted count of each selected row, or `nil` if it is 1 for all.
    let weights: [Double]?
    let window: TimeWindow
    private var known: [Expression: SegmentScan.Numbers] = [:]

    init(
        scan: SegmentScan, rows: [Int32]?, codes: [UInt32], cells: [Int32], occurrences: [Int32], cellCount: Int,
        steps: Int, weights: [Double]?, window: TimeWindow,
    ) {
        self.scan = scan
        self.rows = rows
        self.codes = codes
        self.cells = cells
        self.occurrences = occurrences
        self.cellCount = cellCount
        self.steps = steps
        self.weights = weights
        self.window = window
    }

    /// Returns the cell of a selected row.
    @inline(__always)
    func cell(of row: Int) -> Int { Int(cells[Int(codes[row])]) }

    /// Returns the numbers of an expression in the selected rows.
    mutating func numbers(of expression: Expression) -> SegmentScan.Numbers {
        if let numbers = known[expression] { return numbers }
        var numbers = scan.numbers(of: expression)
        numbers.numbers = numbers.numbers.selected(rows)
        known[expression] = numbers
        return numbers
    }
}
