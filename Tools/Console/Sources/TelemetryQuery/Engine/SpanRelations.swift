/// Answers the fields `root.…`, `parent.…` and `any.…` of one query from the columns of spans.
///
/// - The root of a trace is its span without a parent, of several the earliest; without one it is the earliest span.
/// - A parent is found by its span id alone. Span ids are random numbers of 64 bits.
/// - The values of `any.…` are distinct and ascending.
///
/// It holds the values of the fields that the query asks for: 4 bytes for each span or trace and field, and the ids.
package struct SpanRelations: RelatedRecords {
    private var traces: [IDKey: Int32] = [:]
    private var spans: [IDKey: Int32] = [:]
    /// The rank of the best root so far of each trace.
    private var rootRanks: [RootRank] = []
    private var roots: [String: ValueColumn] = [:]
    private var parents: [String: ValueColumn] = [:]
    private var any: [String: ValueLists] = [:]

    /// The earliest span without a parent comes first.
    private struct RootRank {
        var hasParent = true
        var time = Int64.max

        func isBefore(_ other: RootRank) -> Bool {
            hasParent != other.hasParent ? !hasParent : time < other.time
        }
    }

    /// - Parameters:
    ///   - segments: All columns of spans, the oldest first.
    ///   - turns: Those of the query that the fields are for; `nil` if it need not wait.
    /// - Throws: `QueryError` if a limit is exceeded, `CancellationError`, or what `turns` throw.
    package init(
        _ fields: [Relation: Set<String>], in segments: [Segment], limits: QueryEngine.Limits = QueryEngine.Limits(),
        turns: (any QueryAdmission)? = nil,
    ) async throws {
        let turns = turns ?? UnsharedAdmission(limit: limits.time)
        for field in fields[.root] ?? [] { roots[field] = ValueColumn() }
        for field in fields[.parent] ?? [] { parents[field] = ValueColumn() }
        for field in fields[.any] ?? [] { any[field] = ValueLists() }
        for range in limits.turns(over: segments.map(\.rowCount)) {
            try await turns.take { isOver in
                for segment in segments[range] {
                    let scan = SegmentScan(segment: segment, dataset: .spans, related: nil, isOver: isOver)
                    if !parents.isEmpty { addParents(scan) }
                    if !roots.isEmpty || !any.isEmpty { addTraces(scan) }
                }
            }
            guard byteCount <= limits.bytes else {
                throw QueryError(
                    "The fields of root, parent and any need more than \(limits.bytes >> 20) MB of memory. Ask for "
                        + "fewer of them.")
            }
            try turns.hold(byteCount)
        }
        try await turns.take { _ in
            for field in any.keys { any[field]?.finish() }
        }
    }

    /// About the memory in use.
    private var byteCount: Int {
        // Dictionaries have up to twice as many places as entries.
        (traces.count + spans.count) * 2 * (MemoryLayout<IDKey>.size + 4) + rootRanks.count * 16
            + (roots.count * traces.count + parents.count * spans.count) * 4
            + any.values.reduce(0) { $0 + $1.byteCount }
    }

    private mutating func addParents(_ scan: SegmentScan) {
        let ids = scan.codes(of: .field("span.id"))
        let keys = ids.values.map { $0.text.map(IDKey.init) }
        var rows: [Int] = []
        for (row, code) in ids.codes.enumerated() {
            guard let key = keys[Int(code)] else { continue }
            let next = Int32(truncatingIfNeeded: spans.count)
            // A span id counts once, the first.
            guard spans[key] == nil else { continue }
            spans[key] = next
            rows.append(row)
        }
        for field in parents.keys {
            let codes = scan.codes(of: .field(field))
            parents[field]?.append(codes, rows: rows)
        }
    }

    private mutating func addTraces(_ scan: SegmentScan) {
        let ids = scan.codes(of: .field("trace.id"))
        // The number of each trace in the dictionary of the segment; -1 for missing.
        let numbers = ids.values.map { value -> Int32 in
            guard let key = value.text.map(IDKey.init) else { return -1 }
            if let number = traces[key] { return number }
            let number = Int32(truncatingIfNeeded: traces.count)
            traces[key] = number
            return number
        }
        if !roots.isEmpty { addRoots(scan, traces: ids.codes.map { numbers[Int($0)] }) }
        for field in any.keys {
            let codes = scan.codes(of: .field(field))
            any[field]?.append(codes, traces: ids.codes.map { numbers[Int($0)] })
        }
    }

    private mutating func addRoots(_ scan: SegmentScan, traces rowTraces: [Int32]) {
        let added = traces.count - rootRanks.count
        rootRanks += Array(repeating: RootRank(), count: added)
        for field in roots.keys { roots[field]?.grow(by: added) }
        let times = scan.times
        let parentCodes = scan.codes(of: .field("parent.id"))
        var better: [Int32: Int] = [:]
        for (row, trace) in rowTraces.enumerated() where trace >= 0 {
            let rank = RootRank(hasParent: parentCodes.codes[row] != 0, time: times[row])
            guard rank.isBefore(rootRanks[Int(trace)]) else { continue }
            rootRanks[Int(trace)] = rank
            better[trace] = row
        }
        for field in roots.keys {
            let codes = scan.codes(of: .field(field))
            roots[field]?.set(codes, rows: better)
        }
    }

    package func values(of field: String, in relation: Relation, key: String) -> [QueryValue] {
        let key = IDKey(key)
        switch relation {
        case .session: return []
        case .root: return traces[key].flatMap { roots[field]?.value(at: Int($0)) }.map { [$0] } ?? []
        case .parent: return spans[key].flatMap { parents[field]?.value(at: Int($0)) }.map { [$0] } ?? []
        case .any: return traces[key].map { any[field]?.values(at: $0) ?? [] } ?? []
        }
    }
}

/// An id of up to 32 lower-case hexadecimal digits as a number; a hash of any other text.
private struct IDKey: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    init(_ text: String) {
        var (high, low): (UInt64, UInt64) = (0, 0)
        let digits = text.utf8
        var isHex = digits.count == 16 || digits.count == 32
        for byte in digits where isHex {
            let digit: UInt64
            switch byte {
            case 0x30...0x39: digit = UInt64(byte - 0x30)
            case 0x61...0x66: digit = UInt64(byte - 0x57)
            default:
                isHex = false
                digit = 0
            }
            high = high << 4 | low >> 60
            low = low << 4 | digit
        }
        if !isHex {
            // Two independent multiplicative hashes.
            (high, low) = (0xCBF2_9CE4_8422_2325, 0x9E37_79B9_7F4A_7C15 ^ UInt64(digits.count))
            for byte in digits {
                high = (high ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
                low = (low &+ UInt64(byte) &+ 1) &* 0xBF58_476D_1CE4_E5B9
                low ^= low >> 29
            }
        }
        (self.high, self.low) = (high, low)
    }
}

/// The distinct values of a field, each with a code; 0 is missing.
private struct ValueCodes: Sendable {
    private var known: [QueryValue: UInt32] = [.missing: 0]
    private(set) var values: [QueryValue] = [.missing]

    /// Returns the code here of each code of a segment.
    mutating func table(for codes: SegmentScan.Codes) -> [UInt32] {
        codes.values.map { value in
            if let code = known[value] { return code }
            let code = UInt32(values.count)
            known[value] = code
            values.append(value)
            return code
        }
    }
}

/// One value for each span or trace.
private struct ValueColumn: Sendable {
    private var distinct = ValueCodes()
    private var codes: [UInt32] = []

    mutating func append(_ other: SegmentScan.Codes, rows: [Int]) {
        let table = distinct.table(for: other)
        codes += rows.lazy.map { table[Int(other.codes[$0])] }
    }

    mutating func grow(by count: Int) { codes += Array(repeating: 0, count: count) }

    /// - Parameter rows: The rows to take, by the places to put them.
    mutating func set(_ other: SegmentScan.Codes, rows: [Int32: Int]) {
        let table = distinct.table(for: other)
        for (place, row) in rows { codes[Int(place)] = table[Int(other.codes[row])] }
    }

    func value(at place: Int) -> QueryValue? {
        let value = distinct.values[Int(codes[place])]
        return value.isMissing ? nil : value
    }
}

/// The distinct values of a field in each trace.
private struct ValueLists: Sendable {
    private var distinct = ValueCodes()
    /// The trace in the upper half, the code of the value in the lower. Sorted when finished.
    private var pairs: [UInt64] = []
    private var sortedCount = 0

    var byteCount: Int { pairs.count * MemoryLayout<UInt64>.size }

    mutating func append(_ other: SegmentScan.Codes, traces: [Int32]) {
        let table = distinct.table(for: other)
        var last: UInt64?
        for (row, trace) in traces.enumerated() where trace >= 0 {
            let code = table[Int(other.codes[row])]
            let pair = UInt64(UInt32(bitPattern: trace)) << 32 | UInt64(code)
            if code != 0, pair != last { pairs.append(pair) }
            last = pair
        }
        // Repeated values are removed whenever the list has doubled.
        if pairs.count > max(2 * sortedCount, 1 << 20) { finish() }
    }

    mutating func finish() {
        pairs.sort()
        var kept = 0
        for index in pairs.indices where index == 0 || pairs[index] != pairs[kept - 1] {
            pairs[kept] = pairs[index]
            kept += 1
        }
        pairs.removeLast(pairs.count - kept)
        sortedCount = kept
    }

    func values(at trace: Int32) -> [QueryValue] {
        let start = UInt64(UInt32(bitPattern: trace)) << 32
        var (low, high) = (0, pairs.count)
        while low < high {
            let middle = (low + high) / 2
            if pairs[middle] < start { low = middle + 1 } else { high = middle }
        }
        return pairs[low...].prefix { $0 >> 32 == start >> 32 }
            .map { distinct.values[Int(truncatingIfNeeded: $0 & 0xFFFF_FFFF)] }.sorted()
    }
}
