/// Collects records until they are a segment.
package struct SegmentBuilder: Sendable {
    enum Kind: UInt8 {
        case text = 1
        case bool
        case integer
        case double
    }

    /// The values of one type in a column, with their rows.
    private struct Column<Value: Sendable>: Sendable {
        var rows: [UInt16] = []
        var values: [Value] = []

        mutating func append(_ value: Value, row: Int) {
            rows.append(UInt16(truncatingIfNeeded: row))
            values.append(value)
        }

        /// The values from a row on, whose row becomes 0.
        func suffix(from first: Int) -> Column {
            guard first > 0 else { return self }
            var (low, high) = (0, rows.count)
            while low < high {
                let middle = (low + high) / 2
                if Int(rows[middle]) < first { low = middle + 1 } else { high = middle }
            }
            return Column(rows: rows[low...].map { $0 - UInt16(first) }, values: Array(values[low...]))
        }
    }

    /// A value as its column has it.
    private enum Value: Sendable {
        case text(UInt32)
        case bool(UInt32)
        case integer(Int64)
        case double(Double)
    }

    private struct Columns: Sendable {
        var texts = Column<UInt32>()
        var codes: [String: UInt32] = [:]
        var dictionary: [String] = []
        /// The last text and its code. Records that arrive together often have the same one.
        private var lastText: (text: String, code: UInt32)?
        var bools = Column<UInt32>()
        var integers = Column<Int64>()
        var doubles = Column<Double>()
        /// The last row that has a value.
        private(set) var lastRow = -1

        /// Returns a value as this column has it; `nil` for a missing one.
        mutating func value(_ value: QueryValue) -> Value? {
            switch value {
            case .missing: return nil
            case .bool(let bool): return .bool(bool ? 2 : 1)
            case .int(let int): return .integer(int)
            case .double(let double): return .double(double)
            case .string(let text):
                if let lastText, lastText.text == text { return .text(lastText.code) }
                let code = code(of: text)
                lastText = (text, code)
                return .text(code)
            }
        }

        private mutating func code(of text: String) -> UInt32 {
            if let code = codes[text] { return code }
            dictionary.append(text)
            let code = UInt32(dictionary.count)
            codes[text] = code
            return code
        }

        mutating func append(_ value: Value, row: Int) {
            lastRow = row
            switch value {
            case .text(let code): texts.append(code, row: row)
            case .bool(let code): bools.append(code, row: row)
            case .integer(let integer): integers.append(integer, row: row)
            case .double(let double): doubles.append(double, row: row)
            }
        }

        /// The texts from a row on, and the dictionary of those.
        func textSuffix(from first: Int) -> (texts: Column<UInt32>, dictionary: [String]) {
            guard first > 0 else { return (texts, dictionary) }
            var suffix = texts.suffix(from: first)
            var kept: [String] = []
            var newCodes: [UInt32: UInt32] = [:]
            for index in suffix.values.indices {
                let old = suffix.values[index]
                if let known = newCodes[old] {
                    suffix.values[index] = known
                } else {
                    kept.append(dictionary[Int(old) - 1])
                    newCodes[old] = UInt32(kept.count)
                    suffix.values[index] = UInt32(kept.count)
                }
            }
            return (suffix, kept)
        }
    }

    /// The number of keys that one service may bring to a segment, beside those that others brought before. So no
    /// service's keys take the room of another's.
    package static let keysPerService = 500
    /// The columns of every record, which are none of its service's keys.
    private static let facts: Set<String> = ["time", FieldNames.arrived, FieldNames.delay]
    /// The number of columns beyond which only kept names get one.
    package static let columnLimit = 10_000

    package private(set) var rowCount = 0
    /// Names that always get a column: those that queries have asked for.
    package var keptNames: Set<String> = []
    private var keyCounts: [String: Int] = [:]
    private var omitted: [String: OmittedKeys] = [:]
    private var columns: [Columns] = []
    private var indexes: [String: Int] = [:]
    private var recentIndexes = RecentTexts<Int>()
    private var sequences: [Int64] = []
    /// The shared fields of the last record, with their columns.
    private var lastShared: (fields: SharedFields, values: [(column: Int, value: Value)])?

    package init() {}

    package var isFull: Bool { rowCount >= Segment.rowLimit }

    /// Adds a record. A full builder ignores it.
    ///
    /// - Parameter shared: Fields that it has beside its own. It costs less if the record before had the same ones.
    package mutating func append(
        _ record: QueryRecord, sharing shared: SharedFields = .none, sequence number: Int64 = 0,
    ) {
        append(ListedRecord(record), sharing: shared, sequence: number)
    }

    /// Adds a record. Its first fields are the first that get columns.
    package mutating func append(
        _ record: ListedRecord, sharing shared: SharedFields = .none, sequence number: Int64 = 0,
    ) {
        guard !isFull else { return }
        let service = shared.fields.isEmpty ? record.service : shared.service
        append(.int(record.time), key: "time", of: service)
        if record.adjustedCount != 1 { append(.double(record.adjustedCount), key: "adjusted_count", of: service) }
        append(shared, of: service)
        for field in record.fields
        where field.name != "time" && field.name != "adjusted_count" && !shared.has(field.name) {
            append(field.value, key: field.name, of: service)
        }
        rowCount += 1
        sequences.append(number)
    }

    private mutating func append(_ value: QueryValue, key: String, of service: String) {
        if value.isMissing { return }
        guard let column = column(key, of: service), columns[column].lastRow != rowCount,
            let value = columns[column].value(value)
        else { return }
        columns[column].append(value, row: rowCount)
    }

    private mutating func append(_ shared: SharedFields, of service: String) {
        if shared !== lastShared?.fields {
            var values: [(column: Int, value: Value)] = []
            for (key, value) in shared.fields where !value.isMissing {
                guard let column = column(key, of: service), let value = columns[column].value(value) else { continue }
                values.append((column, value))
            }
            lastShared = (shared, values)
        }
        for (column, value) in lastShared?.values ?? [] { columns[column].append(value, row: rowCount) }
    }

    /// Returns the column of a key, which is added if it is new; `nil` if the key gets none.
    private mutating func column(_ key: String, of service: String) -> Int? {
        if let known = recentIndexes.value(of: key, else: { indexes[$0] }) { return known }
        guard addColumn(key, of: service) else {
            omitted[service, default: OmittedKeys(service: service)].add(key)
            return nil
        }
        indexes[key] = columns.count
        columns.append(Columns())
        return columns.count - 1
    }

    /// Returns whether a key gets a column, and counts it for its service.
    private mutating func addColumn(_ key: String, of service: String) -> Bool {
        if keptNames.contains(key) || Self.facts.contains(key) { return true }
        let count = keyCounts[service, default: 0]
        guard count < Self.keysPerService, columns.count < Self.columnLimit else { return false }
        keyCounts[service] = count + 1
        return true
    }

    /// Returns the records from a row on as a segment. Without a record there is none.
    ///
    /// The cost is in proportion to the number of these records and of the columns.
    package func segment(from first: Int = 0) -> Segment? {
        guard first < rowCount, let least = sequences[first...].min(), let most = sequences[first...].max() else {
            return nil
        }
        var writer = SegmentWriter(rowCount: rowCount - first)
        for (name, index) in indexes.sorted(by: { $0.key < $1.key }) {
            let parts = parts(of: columns[index], from: first, to: &writer)
            if !parts.isEmpty { writer.column(name, parts) }
        }
        // What the writer makes passes every check of the reader.
        let omitted = omitted.values.sorted { $0.service < $1.service }
        return try? Segment(SegmentImage(writer.finish(sequence: least...most, omitted: omitted)))
    }

    private func parts(of column: Columns, from first: Int, to writer: inout SegmentWriter) -> [[UInt8]] {
        var parts: [[UInt8]] = []
        let (texts, dictionary) = column.textSuffix(from: first)
        if !texts.rows.isEmpty {
            let vectors = writer.codes(texts.rows, texts.values, kind: .text)
            parts.append(vectors + writer.dictionary(dictionary))
        }
        let bools = column.bools.suffix(from: first)
        if !bools.rows.isEmpty { parts.append(writer.codes(bools.rows, bools.values, kind: .bool)) }
        let integers = column.integers.suffix(from: first)
        if !integers.rows.isEmpty { parts.append(writer.integers(integers.rows, integers.values)) }
        let doubles = column.doubles.suffix(from: first)
        if !doubles.rows.isEmpty { parts.append(writer.doubles(doubles.rows, doubles.values)) }
        return parts
    }
}

/// Writes the bytes of a segment.
struct SegmentWriter {
    private let rowCount: Int
    private var bytes = [UInt8](repeating: 0, count: Segment.headerSize)
    private var directory: [UInt8] = []
    private var columnCount: UInt32 = 0

    init(rowCount: Int) {
        self.rowCount = rowCount
    }

    private static func append<Number: FixedWidthInteger>(_ number: Number, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Writes numbers at a multiple of 8 and returns the offset.
    private mutating func vector(_ numbers: some Collection<UInt64>, width: Int) -> UInt64 {
        let offset = UInt64(bytes.count)
        bytes.reserveCapacity(bytes.count + numbers.count * width + 8)
        for number in numbers {
            switch width {
            case 1: bytes.append(UInt8(truncatingIfNeeded: number))
            case 2: Self.append(UInt16(truncatingIfNeeded: number), to: &bytes)
            case 4: Self.append(UInt32(truncatingIfNeeded: number), to: &bytes)
            default: Self.append(number, to: &bytes)
            }
        }
        while bytes.count % 8 != 0 { bytes.append(0) }
        return offset
    }

    private static func width(of largest: UInt64) -> Int {
        largest <= 0xFF ? 1 : (largest <= 0xFFFF ? 2 : (largest <= 0xFFFF_FFFF ? 4 : 8))
    }

    private mutating func part(
        _ kind: SegmentBuilder.Kind, rows: [UInt16]?, _ numbers: some Collection<UInt64>, width: Int,
    ) -> [UInt8] {
        var entry: [UInt8] = [kind.rawValue, UInt8(width)]
        Self.append(UInt16(rows == nil ? 0 : 1), to: &entry)
        Self.append(UInt32(numbers.count), to: &entry)
        if let rows { Self.append(vector(rows.lazy.map { UInt64($0) }, width: 2), to: &entry) }
        Self.append(vector(numbers, width: width), to: &entry)
        return entry
    }

    mutating func codes(_ rows: [UInt16], _ codes: [UInt32], kind: SegmentBuilder.Kind) -> [UInt8] {
        let width = Self.width(of: UInt64(codes.max() ?? 0))
        // A list of the rows is worth its space if few have a value.
        if rows.count < rowCount, rows.count * (width + 2) < rowCount * width {
            return part(kind, rows: rows, codes.lazy.map { UInt64($0) }, width: width)
        }
        var dense = [UInt64](repeating: 0, count: rowCount)
        for (row, code) in zip(rows, codes) { dense[Int(row)] = UInt64(code) }
        return part(kind, rows: nil, dense, width: width)
    }

    mutating func dictionary(_ texts: [String]) -> [UInt8] {
        var offsets: [UInt64] = [0]
        var contents: [UInt8] = []
        for text in texts {
            contents.append(contentsOf: text.utf8)
            offsets.append(UInt64(contents.count))
        }
        var entry: [UInt8] = []
        Self.append(UInt32(texts.count), to: &entry)
        Self.append(UInt32(contents.count), to: &entry)
        Self.append(vector(offsets, width: 4), to: &entry)
        let offset = UInt64(bytes.count)
        bytes.append(contentsOf: contents)
        while bytes.count % 8 != 0 { bytes.append(0) }
        Self.append(offset, to: &entry)
        return entry
    }

    mutating func integers(_ rows: [UInt16], _ numbers: [Int64]) -> [UInt8] {
        let least = numbers.min() ?? 0
        let most = numbers.max() ?? 0
        let width = Self.width(of: UInt64(bitPattern: most &- least))
        let differences = numbers.lazy.map { UInt64(bitPattern: $0 &- least) }
        var entry = part(.integer, rows: rows.count < rowCount ? rows : nil, differences, width: width)
        Self.append(least, to: &entry)
        Self.append(most, to: &entry)
        return entry
    }

    mutating func doubles(_ rows: [UInt16], _ numbers: [Double]) -> [UInt8] {
        part(.double, rows: rows.count < rowCount ? rows : nil, numbers.lazy.map(\.bitPattern), width: 8)
    }

    mutating func column(_ name: String, _ parts: [[UInt8]]) {
        columnCount += 1
        append(text: name)
        Self.append(UInt32(parts.count), to: &directory)
        for part in parts { directory.append(contentsOf: part) }
    }

    private mutating func append(text: String) {
        Self.append(UInt32(text.utf8.count), to: &directory)
        directory.append(contentsOf: text.utf8)
    }

    mutating func finish(sequence: ClosedRange<Int64>, omitted: [OmittedKeys]) -> [UInt8] {
        Self.append(UInt32(omitted.count), to: &directory)
        for omission in omitted {
            append(text: omission.service)
            Self.append(UInt32(omission.hasMore ? 1 : 0), to: &directory)
            Self.append(UInt32(omission.keys.count), to: &directory)
            for key in omission.keys.sorted() { append(text: key) }
        }
        let directoryOffset = UInt64(bytes.count)
        bytes.append(contentsOf: directory)
        var tail: [UInt8] = []
        Self.append(sequence.lowerBound, to: &tail)
        Self.append(sequence.upperBound, to: &tail)
        Self.append(columnCount, to: &tail)
        Self.append(UInt32(0), to: &tail)
        Self.append(directoryOffset, to: &tail)
        bytes.replaceSubrange(32..<64, with: tail)
        var head: [UInt8] = []
        Self.append(Segment.magic, to: &head)
        Self.append(Segment.formatVersion, to: &head)
        Self.append(UInt32(rowCount), to: &head)
        Self.append(UInt64(bytes.count), to: &head)
        Self.append(SegmentImage.checksum(bytes, from: 32), to: &head)
        bytes.replaceSubrange(0..<32, with: head)
        return bytes
    }
}
