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
                let array = isIn.contiguous
                let isIn = array.span
                var next = 0
                for index in 0..<isIn.count {
                    rows[next] = Int32(truncatingIfNeeded: index)
                    // A bool is the byte 0 or 1, and adding it needs no branch for each row.
                    next &+= Int(unsafeBitCast(isIn[unchecked: index], to: UInt8.self))
                }
                count = next
            }
        }
    }
}

extension Array {
    /// The same elements as a contiguous array, which has a span before macOS 26. Both share their memory.
    var contiguous: ContiguousArray<Element> { ContiguousArray(self) }

    /// Returns the elements of some rows, or all if there are none given.
    func selected(_ rows: [Int32]?) -> [Element] {
        guard let rows else { return self }
        let array = contiguous
        let elements = array.span
        return rows.map { elements[unchecked: Int($0)] }
    }

    /// Returns the element for each code. All codes must have one.
    func values(of codes: [UInt32]) -> [Element] {
        let array = contiguous
        let elements = array.span
        return codes.map { elements[unchecked: Int($0)] }
    }
}

extension SegmentScan.Codes {
    /// Gives each distinct number of 64 bits a code, in the order in which they come first.
    private init(distinct numbers: some Sequence<UInt64>, _ value: (UInt64) -> QueryValue) {
        var index = KeyIndex()
        var last: (number: UInt64, code: UInt32) = (0, 0)
        codes = numbers.map { number in
            if last.code == 0 || last.number != number { last = (number, UInt32(index.insert(number) + 1)) }
            return last.code
        }
        values = [.missing] + index.keys.map(value)
    }

    init(integers: [Int64]) {
        self.init(distinct: integers.lazy.map { UInt64(bitPattern: $0) }) { .int(Int64(bitPattern: $0)) }
    }

    /// NaN is a value.
    init(doubles: [Double]) {
        self.init(distinct: doubles.lazy.map(\.bitPattern)) { .double(Double(bitPattern: $0)) }
    }

    /// NaN is missing.
    init(_ numbers: SegmentScan.Numbers) {
        self.init(doubles: numbers.numbers)
        values = values.map { $0.number == nil ? .missing : $0 }
        replaceMissingEntries()
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
        return Self(codes: table.values(of: codes), values: newValues)
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
        return .some(table.values(of: codes))
    }
}
