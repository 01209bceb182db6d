package import NIOCore

/// Writes rows in ClickHouse's format `RowBinary`.
package struct RowBinaryWriter: Sendable {
    package private(set) var bytes = ByteBuffer()

    package init() {}

    mutating func write(_ value: some FixedWidthInteger) { bytes.writeInteger(value, endianness: .little) }

    mutating func write(_ value: Double) { write(value.bitPattern) }

    mutating func write(_ value: Bool) { write(UInt8(value ? 1 : 0)) }

    mutating func write(_ value: String) {
        write(count: value.utf8.count)
        bytes.writeString(value)
    }

    mutating func write<Elements: Collection>(_ elements: Elements, _ body: (inout Self, Elements.Element) -> Void) {
        write(count: elements.count)
        for element in elements { body(&self, element) }
    }

    private mutating func write(count: Int) {
        var rest = UInt64(count)
        while rest >= 0x80 {
            write(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        write(UInt8(truncatingIfNeeded: rest))
    }
}
