import AstrolabeWire

/// Protobuf written field by field, for tests that say which fields there are.
///
///     Wire.request(Wire.message(5, Wire.text(1, "GET")))
///
/// The numbers are literal: the tests check the names that the SDK's writer and decoder share.
enum Wire {
    static func varint(_ number: UInt32, _ value: UInt64) -> [UInt8] {
        written { $0.varint(number, value) }
    }

    static func fixed64(_ number: UInt32, _ value: UInt64) -> [UInt8] {
        written { $0.fixed64(number, value) }
    }

    static func double(_ number: UInt32, _ value: Double) -> [UInt8] {
        written { $0.double(number, value) }
    }

    static func fixed32(_ number: UInt32, _ value: UInt32) -> [UInt8] {
        written { $0.fixed32(number, value) }
    }

    static func bytes(_ number: UInt32, _ bytes: [UInt8]) -> [UInt8] {
        written { $0.bytes(number, bytes) }
    }

    static func text(_ number: UInt32, _ text: String) -> [UInt8] {
        written { $0.text(number, text) }
    }

    static func message(_ number: UInt32, _ fields: [UInt8]...) -> [UInt8] {
        bytes(number, fields.reduce(into: []) { $0 += $1 })
    }

    static func group(_ number: UInt32, _ fields: [UInt8]...) -> [UInt8] {
        written { $0.group(number, .startGroup) } + fields.flatMap { $0 } + written { $0.group(number, .endGroup) }
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

    /// A varint without a tag.
    static func base128(_ value: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendWire(WireSize.varint(value)) { $0.varint(value) }
        return bytes
    }

    private static func written(_ write: (inout WireMessage) -> Void) -> [UInt8] {
        var message = WireMessage()
        write(&message)
        return message.bytes
    }
}
