import Foundation

/// Bytes of a file, read in small bounded parts, because the files are large and may be damaged.
struct ByteSource {
    let count: UInt64
    private let readBytes: (_ offset: UInt64, _ count: Int) throws -> [UInt8]

    init(_ bytes: [UInt8]) {
        count = UInt64(bytes.count)
        readBytes = { offset, count in Array(bytes[Int(offset)..<Int(offset) + count]) }
    }

    /// - Throws: Whatever the file system answers.
    init(_ file: FileHandle) throws {
        count = try file.seekToEnd()
        readBytes = { offset, count in
            try file.seek(toOffset: offset)
            return try Array(file.read(upToCount: count) ?? Data())
        }
    }

    /// Exactly `count` bytes.
    func bytes(at offset: UInt64, count: Int, of part: String) throws -> LittleEndianBytes {
        let (end, isOver) = offset.addingReportingOverflow(UInt64(count))
        guard count >= 0, !isOver, end <= self.count else {
            throw ImageFault.damaged("\(part) lies outside the file, which has \(self.count) bytes")
        }
        let bytes = try readBytes(offset, count)
        guard bytes.count == count else { throw ImageFault.damaged("the file ends within \(part)") }
        return LittleEndianBytes(bytes: bytes, part: part)
    }
}

/// Numbers in a part of a file; reading past its end is a fault, not a trap.
struct LittleEndianBytes {
    let bytes: [UInt8]
    let part: String

    func uint8(at offset: Int) throws -> UInt8 { try integer(at: offset) }
    func uint16(at offset: Int) throws -> UInt16 { try integer(at: offset) }
    func uint32(at offset: Int) throws -> UInt32 { try integer(at: offset) }
    func uint64(at offset: Int) throws -> UInt64 { try integer(at: offset) }

    func slice(at offset: Int, count: Int) throws -> ArraySlice<UInt8> {
        guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else { throw cut() }
        return bytes[offset..<offset + count]
    }

    /// Text up to a zero byte or the end, at most 256 bytes of it.
    func text(at offset: Int) throws -> String {
        guard offset >= 0, offset <= bytes.count else { throw cut() }
        return String(decoding: bytes[offset...].prefix(256).prefix { $0 != 0 }, as: UTF8.self)
    }

    private func integer<Value: FixedWidthInteger>(at offset: Int) throws -> Value {
        let part = try slice(at: offset, count: MemoryLayout<Value>.size)
        return part.withUnsafeBytes { Value(littleEndian: $0.loadUnaligned(as: Value.self)) }
    }

    private func cut() -> ImageFault { .damaged("\(part) is cut short") }
}

/// Why a file is no use as debug information.
enum ImageFault: Error, Hashable {
    case damaged(String)
    case unsupported(String)
}
