import ConsoleModel

/// A value as SQLite stored it. Any column may hold any type, because attributes have the types their sender chose.
enum StoredValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob
}

/// One row of a query, which can be read without knowing what is stored.
///
/// Every reading is total: a value of another type is absent, and a number beyond the range of a type is clamped to it.
/// So no stored value can stop the console, whatever was received and whichever version wrote the file.
struct StoredRow: Sendable, Hashable {
    private let values: [StoredValue]

    init(_ values: [StoredValue]) {
        self.values = values
    }

    private func value(_ column: Int) -> StoredValue {
        values.indices.contains(column) ? values[column] : .null
    }

    /// Returns an integer; 0 if the value is not a number.
    func integer(_ column: Int) -> Int64 { optionalInteger(column) ?? 0 }

    func optionalInteger(_ column: Int) -> Int64? {
        switch value(column) {
        case .integer(let number): number
        case .real(let number): Int64(clamping: number)
        case .null, .text, .blob: nil
        }
    }

    /// Returns a number of things; 0 if the value is not a number.
    func count(_ column: Int) -> Int { Int(clamping: integer(column)) }

    /// Returns a number, which may be infinite; `nil` if the value is not a number.
    func number(_ column: Int) -> Double? {
        switch value(column) {
        case .integer(let number): Double(number)
        case .real(let number): number
        case .null, .text, .blob: nil
        }
    }

    /// Returns a text; empty if the value is not a text.
    func text(_ column: Int) -> String { optionalText(column) ?? "" }

    func optionalText(_ column: Int) -> String? {
        if case .text(let text) = value(column) { text } else { nil }
    }

    /// The length of all texts together.
    var textBytes: Int {
        values.reduce(0) { bytes, value in
            if case .text(let text) = value { bytes + text.utf8.count } else { bytes }
        }
    }

    /// Returns nanoseconds since 1970 or of a duration; 0 if the value is not a number.
    func nanoseconds(_ column: Int) -> UInt64 { UInt64(clamping: integer(column)) }

    /// Returns the 64 bits of an integer, for ids.
    func bits(_ column: Int) -> UInt64 { UInt64(bitPattern: integer(column)) }

    func isTrue(_ column: Int) -> Bool { integer(column) != 0 }

    /// Returns the case with the stored raw value; `nil` if there is none.
    func kind<Kind: RawRepresentable>(_ column: Int, as type: Kind.Type = Kind.self) -> Kind?
    where Kind.RawValue: FixedWidthInteger {
        Kind.RawValue(exactly: integer(column)).flatMap { Kind(rawValue: $0) }
    }
}
