/// The rows that fulfil a condition.
enum RowMask {
    case none
    case all
    case some([Bool])

    var negated: RowMask {
        switch self {
        case .none: .all
        case .all: .none
        case .some(let rows): .some(rows.map { !$0 })
        }
    }

    func intersection(_ other: RowMask) -> RowMask {
        switch (self, other) {
        case (.none, _), (_, .none): return .none
        case (.all, let rows), (let rows, .all): return rows
        case (.some(var rows), .some(let others)):
            for index in rows.indices { rows[index] = rows[index] && others[index] }
            return .some(rows)
        }
    }

    /// Returns the numbers of the rows, or `nil` if they are all.
    func rows() -> [Int32]? {
        switch self {
        case .all: nil
        case .none: []
        case .some(let isIn):
            Array(unsafeUninitializedCapacity: isIn.count) { rows, count in
                // Without a branch for each row.
                for index in isIn.indices {
                    rows[count] = Int32(truncatingIfNeeded: index)
                    count += isIn[index] ? 1 : 0
                }
            }
        }
    }
}

extension SegmentScan.Codes {
    init(integers: [Int64]) {
        var known: [Int64: UInt32] = [:]
        values = [.missing]
        codes = []
        codes.reserveCapacity(integers.count)
        var last: (value: Int64, code: UInt32)?
        for integer in integers {
            if let last, last.value == integer {
                codes.append(last.code)
                continue
            }
            var code = known[integer] ?? 0
            if code == 0 {
                code = UInt32(values.count)
                known[integer] = code
                values.append(.int(integer))
            }
            last = (integer, code)
            codes.append(code)
        }
    }

    /// NaN is missing.
    init(doubles: [Double]) {
        self.init(distinct: doubles.map { $0.isNaN ? .missing : .double($0) })
    }

    init(distinct all: [QueryValue]) {
        var known: [QueryValue: UInt32] = [.missing: 0]
        values = [.missing]
        codes = []
        codes.reserveCapacity(all.count)
        for value in all {
            var code = known[value]
            if code == nil {
                code = UInt32(values.count)
                known[value] = code
                values.append(value)
            }
            codes.append(code ?? 0)
        }
    }

    func mapped(_ transform: (QueryValue) -> QueryValue) -> Self {
        var table: [UInt32] = []
        var newValues: [QueryValue] = [.missing]
        var known: [QueryValue: UInt32] = [.missing: 0]
        for value in values {
            let new = transform(value)
            let code = known[new] ?? UInt32(newValues.count)
            if Int(code) == newValues.count {
                known[new] = code
                newValues.append(new)
            }
            table.append(code)
        }
        return Self(codes: codes.map { table[Int($0)] }, values: newValues)
    }

    /// Gives the rows without a value those of `other`.
    mutating func fill(with other: Self) {
        let offset = UInt32(values.count - 1)
        values += other.values.dropFirst()
        for index in codes.indices where codes[index] == 0 && other.codes[index] != 0 {
            codes[index] = other.codes[index] + offset
        }
        replaceMissingEntries()
    }

    /// Gives the rows that are not marked those of `other`.
    func chosen(where isMarked: [Bool], otherwise other: Self) -> Self {
        var result = self
        let offset = UInt32(values.count - 1)
        result.values += other.values.dropFirst()
        for index in codes.indices where !isMarked[index] {
            result.codes[index] = other.codes[index] == 0 ? 0 : other.codes[index] + offset
        }
        result.replaceMissingEntries()
        return result
    }

    /// Gives code 0 to rows whose value is missing under another code, as that of the literal `null` is.
    private mutating func replaceMissingEntries() {
        guard values.dropFirst().contains(where: \.isMissing) else { return }
        for index in codes.indices where values[Int(codes[index])].isMissing { codes[index] = 0 }
    }

    func mask(_ holds: (QueryValue) -> Bool) -> RowMask {
        let table = values.map(holds)
        if let same = table.first, table.allSatisfy({ $0 == same }) { return same ? .all : .none }
        return .some(codes.map { table[Int($0)] })
    }
}
