import AstrolabeTelemetryModel
import ConsoleModel

/// The columns of a record that is exported, read one after the other.
///
/// A text of JSON that the console did not write makes the whole record unreadable: see ``isIntact``.
struct ExportRow {
    private let row: StoredRow
    private var column = 3
    /// True if all texts could be read.
    private(set) var isIntact = true

    init(_ row: StoredRow) {
        self.row = row
    }

    private mutating func next() -> Int {
        defer { column += 1 }
        return column
    }

    mutating func integer() -> Int64 { row.integer(next()) }
    mutating func optionalInteger() -> Int64? { row.optionalInteger(next()) }
    mutating func number() -> Double? { row.number(next()) }
    mutating func text() -> String { row.text(next()) }
    mutating func nanoseconds() -> UInt64 { row.nanoseconds(next()) }
    mutating func bits() -> UInt64 { row.bits(next()) }
    mutating func isTrue() -> Bool { row.isTrue(next()) }
    mutating func traceID() -> TraceID { TraceID(high: bits(), low: bits()) }

    mutating func uint32() -> UInt32 { UInt32(clamping: integer()) }

    /// Reads a record's attributes.
    mutating func attributes() -> Attributes { json(JSONText.attributes(in:)) ?? [:] }

    /// Reads a value of any type.
    mutating func value() -> AttributeValue { json(JSONText.value(in:)) ?? .empty }

    /// Reads what was written member by member.
    mutating func structure() -> AttributeValue { json(JSONText.structure(in:)) ?? .empty }

    /// Returns `nil` for an empty text.
    private mutating func json<Value>(_ read: (String) -> Value?) -> Value? {
        let text = text()
        guard !text.isEmpty else { return nil }
        let value = read(text)
        if value == nil { isIntact = false }
        return value
    }
}
