import AstrolabeWire

/// A window onto one message of a protobuf request: reads its fields in order and never leaves its bounds.
///
///     while let field = try reader.nextField() {
///         switch field.number {
///         case 5: name = try reader.payload(field)
///         default: try reader.skip(field)
///         }
///     }
///
/// Stricter than protobuf's own parsers in one point, as the OpenTelemetry Collector is. A known field of another wire
/// type is an error, not an unknown field, because the sender that writes it has a fault.
struct ProtobufReader {
    /// A field's tag; its value is read next.
    struct Field {
        let number: UInt32
        let wireType: WireType
        /// The position of the tag in the request.
        let offset: Int
    }

    /// The most bytes of a tag or of a length; protobuf's own parsers read no more, though a varint may have ten.
    private static let headLength = 5

    private let base: UnsafeRawPointer
    private let end: Int
    /// The position of the next byte in the request.
    private(set) var position: Int

    init(_ base: UnsafeRawPointer, _ range: Range<Int>) {
        self.base = base
        position = range.lowerBound
        end = range.upperBound
    }

    /// The bytes that are left.
    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: base + position, count: end - position)
    }

    /// The next tag, or `nil` at the end of the message.
    @inline(__always)
    mutating func nextField() throws(OTLPDecodingError) -> Field? {
        guard position < end else { return nil }
        let offset = position
        let tag = try varint(atMost: Self.headLength)
        guard tag >= 8, tag <= UInt64(UInt32.max), let wireType = WireType(tag: tag)
        else { throw Self.badTag(tag, at: offset) }
        return Field(number: UInt32(truncatingIfNeeded: tag >> 3), wireType: wireType, offset: offset)
    }

    /// The content of a string, of bytes or of a message.
    @inline(__always)
    mutating func payload(_ field: Field) throws(OTLPDecodingError) -> ProtobufReader {
        guard field.wireType == .delimited else { throw Self.mismatch(field, .delimited) }
        let offset = position
        let length = try varint(atMost: Self.headLength)
        guard length <= UInt64(end - position) else { throw tooLong(length, at: offset) }
        let start = position
        position += Int(length)
        return ProtobufReader(base, start..<position)
    }

    @inline(__always)
    mutating func varint(_ field: Field) throws(OTLPDecodingError) -> UInt64 {
        guard field.wireType == .varint else { throw Self.mismatch(field, .varint) }
        return try varint()
    }

    @inline(__always)
    mutating func fixed64(_ field: Field) throws(OTLPDecodingError) -> UInt64 {
        guard field.wireType == .fixed64 else { throw Self.mismatch(field, .fixed64) }
        return try fixed64()
    }

    @inline(__always)
    mutating func fixed32(_ field: Field) throws(OTLPDecodingError) -> UInt32 {
        guard field.wireType == .fixed32 else { throw Self.mismatch(field, .fixed32) }
        guard end - position >= 4 else { throw truncated(needing: 4) }
        defer { position += 4 }
        return UInt32(littleEndian: base.loadUnaligned(fromByteOffset: position, as: UInt32.self))
    }

    @inline(__always)
    mutating func double(_ field: Field) throws(OTLPDecodingError) -> Double {
        Double(bitPattern: try fixed64(field))
    }

    /// An unsigned 32-bit varint; higher bits are cut off, as protobuf asks.
    @inline(__always)
    mutating func uint32(_ field: Field) throws(OTLPDecodingError) -> UInt32 {
        UInt32(truncatingIfNeeded: try varint(field))
    }

    /// An enumeration's number; higher bits are cut off, as protobuf asks.
    @inline(__always)
    mutating func int32(_ field: Field) throws(OTLPDecodingError) -> Int32 {
        Int32(truncatingIfNeeded: try varint(field))
    }

    /// A `sint32`, in zigzag; higher bits are cut off, as protobuf asks.
    mutating func sint32(_ field: Field) throws(OTLPDecodingError) -> Int32 {
        let bits = try uint32(field)
        return Int32(bitPattern: bits >> 1) ^ -Int32(bitPattern: bits & 1)
    }

    /// The next of the varints that a packed field consists of; `nil` at its end.
    mutating func nextPackedVarint() throws(OTLPDecodingError) -> UInt64? {
        position < end ? try varint() : nil
    }

    @inline(__always)
    mutating func bool(_ field: Field) throws(OTLPDecodingError) -> Bool {
        try varint(field) != 0
    }

    /// Passes over the value of a field that OTLP does not define, or not yet.
    mutating func skip(_ field: Field, depth: Int = 0) throws(OTLPDecodingError) {
        switch field.wireType {
        case .varint: _ = try varint()
        case .fixed64: _ = try fixed64()
        case .delimited: _ = try payload(field)
        case .fixed32: _ = try fixed32(field)
        case .startGroup: try skipGroup(field, depth: depth + 1)
        case .endGroup:
            throw OTLPDecodingError(at: field.offset, "the end of group \(field.number), which never started")
        }
    }

    private mutating func skipGroup(_ start: Field, depth: Int) throws(OTLPDecodingError) {
        guard depth <= NestingLimit.unknownField else {
            throw OTLPDecodingError(at: start.offset, "groups nest deeper than \(NestingLimit.unknownField)")
        }
        while let field = try nextField() {
            if field.wireType == .endGroup, field.number == start.number { return }
            try skip(field, depth: depth)
        }
        throw OTLPDecodingError(at: start.offset, "group \(start.number) does not end within its message")
    }

    /// The number of consecutive fields with the tag of `field`, whose value comes next. Encoders write repeated fields
    /// in one run, so this is the exact size of the array they fill.
    @inline(never)
    func run(of field: Field) -> Int {
        guard field.wireType == .delimited, field.number < 16 else { return 1 }
        let tag = WireType.delimited.tag(field.number)
        var probe = self
        var count = 0
        repeat {
            count += 1
            // A malformed field throws when it is read. This only counts.
            guard let length = try? probe.varint(atMost: Self.headLength), length <= UInt64(probe.end - probe.position)
            else { break }
            probe.position += Int(length)
        } while probe.takes(tag)
        return count
    }

    /// Passes over a byte, where it is this one.
    @inline(__always)
    private mutating func takes(_ byte: UInt8) -> Bool {
        guard position < end, base.load(fromByteOffset: position, as: UInt8.self) == byte else { return false }
        position += 1
        return true
    }

    /// The number of fields of this number that begin before `offset`, from here on.
    func count(of number: UInt32, before offset: Int) -> Int {
        var probe = self
        var count = 0
        // A malformed field throws when it is read. This only counts.
        while let field = try? probe.nextField(), field.offset < offset {
            if field.number == number { count += 1 }
            guard (try? probe.skip(field)) != nil else { break }
        }
        return count
    }
}

extension ProtobufReader {
    @inline(__always)
    private mutating func varint(atMost limit: Int = 10) throws(OTLPDecodingError) -> UInt64 {
        guard position < end else { throw truncated(needing: 1) }
        let first = base.load(fromByteOffset: position, as: UInt8.self)
        guard first >= 0x80 else {
            position += 1
            return UInt64(first)
        }
        return try longVarint(atMost: limit)
    }

    @inline(never)
    private mutating func longVarint(atMost limit: Int) throws(OTLPDecodingError) -> UInt64 {
        let offset = position
        var value: UInt64 = 0
        for index in 0..<limit {
            guard position < end else {
                throw OTLPDecodingError(at: offset, "expected a varint, the message ends within it")
            }
            let byte = base.load(fromByteOffset: position, as: UInt8.self)
            position += 1
            value |= UInt64(byte & 0x7F) << UInt64(index * 7)
            // Of the tenth byte, one bit still fits.
            if byte < 0x80, index < 9 || byte < 2 { return value }
        }
        throw OTLPDecodingError(
            at: offset, "expected a varint of at most \(limit) bytes and 64 bits, got a longer one",
        )
    }

    @inline(__always)
    private mutating func fixed64() throws(OTLPDecodingError) -> UInt64 {
        guard end - position >= 8 else { throw truncated(needing: 8) }
        defer { position += 8 }
        return UInt64(littleEndian: base.loadUnaligned(fromByteOffset: position, as: UInt64.self))
    }

    @inline(never)
    private func truncated(needing length: Int) -> OTLPDecodingError {
        OTLPDecodingError(at: position, "expected \(length) more byte(s), the message has \(end - position)")
    }

    @inline(never)
    private func tooLong(_ length: UInt64, at offset: Int) -> OTLPDecodingError {
        OTLPDecodingError(at: offset, "the field claims \(length) bytes, the message has \(end - position) left")
    }

    @inline(never)
    private static func badTag(_ tag: UInt64, at offset: Int) -> OTLPDecodingError {
        if tag > UInt64(UInt32.max) { return OTLPDecodingError(at: offset, "expected a tag of at most 32 bits") }
        if tag < 8 { return OTLPDecodingError(at: offset, "expected a field number from 1, got 0") }
        return OTLPDecodingError(at: offset, "expected a wire type from 0 to 5, got \(tag & 7)")
    }

    @inline(never)
    private static func mismatch(_ field: Field, _ expected: WireType) -> OTLPDecodingError {
        OTLPDecodingError(
            at: field.offset, "expected wire type \(expected.name), got \(field.wireType.name)",
        )
    }
}

extension WireType {
    /// The name of it in errors.
    fileprivate var name: String {
        switch self {
        case .varint: "varint"
        case .fixed64: "64-bit"
        case .delimited: "length-delimited"
        case .startGroup: "group start"
        case .endGroup: "group end"
        case .fixed32: "32-bit"
        }
    }
}
