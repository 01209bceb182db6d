import Foundation

/// Reads a file in small, bounded parts, because the files are large and may be damaged.
struct ByteSource {
    let count: UInt64
    private let readBytes: (_ offset: UInt64, _ count: Int) throws -> [UInt8]

    init(_ bytes: [UInt8]) {
        count = UInt64(bytes.count)
        readBytes = { offset, count in Array(bytes[Int(offset)..<Int(offset) + count]) }
    }

    /// - Throws: An error of the file system.
    init(_ file: FileHandle) throws {
        count = try file.seekToEnd()
        readBytes = { offset, count in
            try file.seek(toOffset: offset)
            return try Array(file.read(upToCount: count) ?? Data())
        }
    }

    /// Reads exactly `count` bytes.
    func bytes(at offset: UInt64, count: Int, of part: String) throws -> LittleEndianBytes {
        let (end, isOver) = offset.addingReportingOverflow(UInt64(count))
        guard count >= 0, !isOver, end <= self.count else {
            throw ImageFault.damaged("\(part) is outside the file, which has \(self.count) bytes")
        }
        let bytes = try readBytes(offset, count)
        guard bytes.count == count else { throw ImageFault.damaged("the file ends in the middle of \(part)") }
        return LittleEndianBytes(bytes: bytes, part: part)
    }
}

/// A part of a file to read numbers from. Reading past its end throws an error.
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

    /// Reads text up to a zero byte or the end, at most 256 bytes.
    func text(at offset: Int) throws -> String {
        guard offset >= 0, offset <= bytes.count else { throw cut() }
        return String(decoding: bytes[offset...].prefix(256).prefix { $0 != 0 }, as: UTF8.self)
    }

    private func integer<Value: FixedWidthInteger>(at offset: Int) throws -> Value {
        let part = try slice(at: offset, count: MemoryLayout<Value>.size)
        return part.withUnsafeBytes { Value(littleEndian: $0.loadUnaligned(as: Value.self)) }
    }

    private func cut() -> ImageFault { .damaged("\(part) is truncated") }
}

/// The errors of reading an image.
enum ImageFault: Error, Hashable {
    case damaged(String)
    case unsupported(String)
}
