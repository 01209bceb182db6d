import NIOCore

/// Reads rows in ClickHouse's format `RowBinary`: values one after the other, without names and types.
package struct RowBinaryReader {
    /// The bytes end in the middle of a value.
    struct Incomplete: Error {}

    private var bytes: ByteBuffer

    init(_ bytes: ByteBuffer) { self.bytes = bytes }

    var isAtEnd: Bool { bytes.readableBytes == 0 }

    /// Appends what arrived.
    mutating func append(_ more: ByteBuffer) {
        bytes.discardReadBytes()
        bytes.writeImmutableBuffer(more)
    }

    package mutating func integer<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws -> Number {
        guard let value = bytes.readInteger(endianness: .little, as: type) else { throw Incomplete() }
        return value
    }

    package mutating func bool() throws -> Bool { try integer(UInt8.self) != 0 }

    package mutating func double() throws -> Double { Double(bitPattern: try integer()) }

    package mutating func string() throws -> String {
        guard let text = bytes.readString(length: try count()) else { throw Incomplete() }
        return text
    }

    package mutating func optional<Value>(_ read: (inout Self) throws -> Value) throws -> Value? {
        try bool() ? nil : try read(&self)
    }

    package mutating func array<Element>(_ read: (inout Self) throws -> Element) throws -> [Element] {
        let count = try count()
        var elements: [Element] = []
        elements.reserveCapacity(min(count, bytes.readableBytes))
        for _ in 0..<count { elements.append(try read(&self)) }
        return elements
    }

    /// Reads a map of texts, as the columns of attributes are.
    package mutating func texts() throws -> [(key: String, value: String)] {
        try array { (try $0.string(), try $0.string()) }
    }

    /// Reads a length: seven bits in each byte, the lowest first.
    private mutating func count() throws -> Int {
        var value = 0
        for shift in stride(from: 0, to: 56, by: 7) {
            let byte = try integer(UInt8.self)
            value |= Int(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
        }
        throw ClickHouseError.unexpectedResponse("a length is too large")
    }
}
