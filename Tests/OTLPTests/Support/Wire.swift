@testable import AstrolabeOTLP

/// Protobuf written by hand, for tests that say what the bytes are.
///
///     Wire.request(Wire.message(5, Wire.text(1, "GET")))
enum Wire {
    static func varint(_ number: UInt32, _ value: UInt64) -> [UInt8] {
        base128(UInt64(number) << 3) + base128(value)
    }

    static func fixed64(_ number: UInt32, _ value: UInt64) -> [UInt8] {
        base128(UInt64(number) << 3 | 1) + littleEndian(value, 8)
    }

    static func double(_ number: UInt32, _ value: Double) -> [UInt8] {
        fixed64(number, value.bitPattern)
    }

    static func fixed32(_ number: UInt32, _ value: UInt32) -> [UInt8] {
        base128(UInt64(number) << 3 | 5) + littleEndian(UInt64(value), 4)
    }

    static func bytes(_ number: UInt32, _ bytes: [UInt8]) -> [UInt8] {
        base128(UInt64(number) << 3 | 2) + base128(UInt64(bytes.count)) + bytes
    }

    static func text(_ number: UInt32, _ text: String) -> [UInt8] {
        bytes(number, Array(text.utf8))
    }

    static func message(_ number: UInt32, _ fields: [UInt8]...) -> [UInt8] {
        bytes(number, fields.flatMap { $0 })
    }

    static func group(_ number: UInt32, _ fields: [UInt8]...) -> [UInt8] {
        base128(UInt64(number) << 3 | 3) + fields.flatMap { $0 } + base128(UInt64(number) << 3 | 4)
    }

    /// A `KeyValue` as field `number`, with an `AnyValue` of these fields.
    static func attribute(_ number: UInt32, _ key: String, _ value: [UInt8]) -> [UInt8] {
        message(number, text(1, key), bytes(2, value))
    }

    /// A request with one resource, one scope and these records.
    static func request(_ records: [UInt8]...) -> [UInt8] {
        bytes(1, bytes(2, records.flatMap { bytes(2, $0) }))
    }

    static let traceID = bytes(1, Array(0x11...0x20))
    static let spanID = bytes(2, Array(0xA1...0xA8))
    /// The ids that a span must have.
    static let ids = traceID + spanID

    static func littleEndian(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64($0 * 8)) }
    }

    static func base128(_ value: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(truncatingIfNeeded: rest)]
    }
}
