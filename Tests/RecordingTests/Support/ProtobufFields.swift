/// The fields of one protobuf message as they stand in its bytes, for what the reader under test does not hand out.
struct ProtobufFields {
    private var fields: [(number: Int, type: Int, value: [UInt8])] = []

    struct Malformed: Error {}

    init(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        func varint(_ rest: inout ArraySlice<UInt8>) throws -> UInt64 {
            var value: UInt64 = 0
            var shift: UInt64 = 0
            while let byte = rest.popFirst() {
                value |= UInt64(byte & 0x7F) << shift
                if byte < 0x80 { return value }
                shift += 7
            }
            throw Malformed()
        }
        while !rest.isEmpty {
            let tag = try varint(&rest)
            let length: Int
            switch tag & 7 {
            case 0:
                let before = rest
                _ = try varint(&rest)
                fields.append((Int(tag >> 3), 0, Array(before.prefix(before.count - rest.count))))
                continue
            case 1: length = 8
            case 2: length = Int(try varint(&rest))
            case 5: length = 4
            default: throw Malformed()
            }
            guard rest.count >= length else { throw Malformed() }
            fields.append((Int(tag >> 3), Int(tag & 7), Array(rest.prefix(length))))
            rest = rest.dropFirst(length)
        }
    }

    /// The last fixed32 of this number.
    func fixed32(_ number: Int) -> UInt32? {
        fields.last { $0.number == number && $0.type == 5 }.map { field in
            field.value.reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
    }

    /// The number of fields with this number.
    func count(_ number: Int) -> Int {
        fields.filter { $0.number == number }.count
    }
}
