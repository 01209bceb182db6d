/// The groups that were found, by the values of the expressions that they are made by.
///
/// A group of several expressions is a pair: the group of all but the last expression, and the value of the last.
struct GroupKeys: Sendable {
    private let expressions: [Expression]
    /// True if there are no other groups. Rows of others belong to the group behind the last.
    let isFixed: Bool
    /// Without expressions, there is one group, even of nothing.
    private let countOfNone: Int
    private var values = ValueIndex()
    /// The pairs of the second expression and of those behind it.
    private var pairs: [KeyIndex]

    init(_ expressions: [Expression], fixed keys: [[QueryValue]]?) {
        self.expressions = expressions
        isFixed = keys != nil
        countOfNone = keys?.count ?? 1
        pairs = Array(repeating: KeyIndex(), count: max(0, expressions.count - 1))
        for key in keys ?? [] {
            var group: Int?
            for (value, level) in zip(key, key.indices) {
                let number = values.insert(value)
                group = group.map { pairs[level - 1].insert(Self.pair($0, number)) } ?? number
            }
        }
    }

    var count: Int { expressions.isEmpty ? countOfNone : pairs.last?.keys.count ?? values.values.count }

    var byteCount: Int { pairs.reduce(values.byteCount) { $0 + $1.byteCount } }

    private static func pair(_ group: Int, _ value: Int) -> UInt64 { UInt64(group) << 32 | UInt64(value) }

    /// Returns a value of the key of a group.
    func value(_ expression: Int, of group: Int) -> QueryValue {
        var number = group
        for level in stride(from: pairs.count, to: expression, by: -1) {
            number = Int(pairs[level - 1].keys[number] >> 32)
        }
        return values.values[expression == 0 ? number : Int(pairs[expression - 1].keys[number] & 0xFFFF_FFFF)]
    }

    func key(of group: Int) -> [QueryValue] { expressions.indices.map { value($0, of: group) } }

    /// Adds the groups of another worker of the same pass and returns their numbers here.
    mutating func merge(_ other: GroupKeys) -> [Int] {
        guard !isFixed, !expressions.isEmpty else { return Array(0..<count) }
        let numbers = values.merge(other.values)
        var groups = numbers
        for level in pairs.indices {
            groups = other.pairs[level].keys.map {
                pairs[level].insert(Self.pair(groups[Int($0 >> 32)], numbers[Int($0 & 0xFFFF_FFFF)]))
            }
        }
        return groups
    }

    /// The groups of the selected rows of one segment.
    struct Rows {
        fileprivate var columns: [SegmentScan.Codes]
        /// The number of each value of each column, plus 1; 0 is not known yet, -1 is of no group.
        fileprivate var numbers: [[Int32]]
        fileprivate var pairs: [CodePairs] = []

        /// A code for each row; two codes may be of one group.
        let codes: [UInt32]
        let codeCount: Int

        init(_ columns: [SegmentScan.Codes], count: Int) {
            self.columns = columns
            numbers = columns.map { Array(repeating: 0, count: $0.values.count) }
            var codes = columns.first?.codes ?? Array(repeating: 0, count: count)
            var codeCount = columns.first?.values.count ?? 1
            for column in columns.dropFirst() {
                let pair = CodePairs(codes, count: codeCount, column.codes, width: column.values.count)
                pairs.append(pair)
                (codes, codeCount) = (pair.codes, pair.count)
            }
            (self.codes, self.codeCount) = (codes, codeCount)
        }
    }

    func rows(_ rows: [Int32]?, of scan: SegmentScan) -> Rows {
        let columns = expressions.map { expression in
            var codes = scan.codes(of: expression)
            codes.codes = codes.codes.selected(rows)
            return codes
        }
        return Rows(columns, count: rows?.count ?? scan.rowCount)
    }

    /// Returns the group of a code. If it is new, it is added.
    mutating func group(ofCode code: Int, in rows: inout Rows) -> Int {
        (expressions.isEmpty ? 0 : group(code, expressions.count - 1, &rows)) ?? count
    }

    private mutating func group(_ code: Int, _ level: Int, _ rows: inout Rows) -> Int? {
        guard level > 0 else { return number(code, level, &rows) }
        let (first, second) = rows.pairs[level - 1].pair(code)
        guard let before = group(first, level - 1, &rows), let value = number(second, level, &rows) else { return nil }
        let pair = Self.pair(before, value)
        return isFixed ? pairs[level - 1].number(of: pair) : pairs[level - 1].insert(pair)
    }

    /// Returns the number of the value with a code in a column.
    private mutating func number(_ code: Int, _ column: Int, _ rows: inout Rows) -> Int? {
        if rows.numbers[column][code] == 0 {
            let value = rows.columns[column].values[code]
            let number = isFixed ? values.number(of: value) : values.insert(value)
            rows.numbers[column][code] = number.map { Int32($0) + 1 } ?? -1
        }
        let number = rows.numbers[column][code]
        return number < 0 ? nil : Int(number) - 1
    }
}
