import Atomics
import CAstrolabeChecksum

/// The first 64 bytes of a segment file.
///
///      0 | magic "ASTROSEG"
///      8 | format version u32 | bytes of the file u32
///     16 | run id, 16 bytes
///     32 | segment number u32 | CRC-32C of all of the above u32      0: the segment is free
///     40 | 0 ...
///
/// A segment file is recycled within its run, each time with the next number. While it is cleared, the word at 32 is 0,
/// so remains after a kill are not read as records.
enum SegmentHeader {
    static let formatVersion: UInt32 = 1
    /// The offset of the first record. Keeps the reserve word on its own cache line.
    static let size = 128
    private static let magic = UInt64(littleEndian: 0x4745_534F_5254_5341)

    /// The content of a segment's header.
    enum Reading: Equatable {
        case free
        case numbered(UInt32)
        /// The header is damaged; the records may be intact.
        case unreadable
    }

    static func write(number: UInt32, run: RunID, to region: Region) {
        region.base.storeBytes(of: magic, toByteOffset: 0, as: UInt64.self)
        region.base.storeBytes(of: formatVersion, toByteOffset: 8, as: UInt32.self)
        region.base.storeBytes(of: UInt32(truncatingIfNeeded: region.end), toByteOffset: 12, as: UInt32.self)
        region.base.storeBytes(of: run.high, toByteOffset: 16, as: UInt64.self)
        region.base.storeBytes(of: run.low, toByteOffset: 24, as: UInt64.self)
        let word = UInt64(number) | UInt64(checksum(number: number, region)) << 32
        region.word(32).store(word, ordering: .releasing)
    }

    static func invalidate(_ region: Region) {
        region.word(32).store(0, ordering: .releasing)
    }

    static func read(_ region: Region) -> Reading {
        let word = region.word(32).load(ordering: .acquiring)
        if word == 0 { return .free }
        let number = UInt32(truncatingIfNeeded: word)
        return word >> 32 == UInt64(checksum(number: number, region)) ? .numbered(number) : .unreadable
    }

    private static func checksum(number: UInt32, _ region: Region) -> UInt32 {
        let word = { region.base.load(fromByteOffset: $0, as: UInt64.self) }
        return astrolabe_crc32c_record(word(0), word(8), UInt64(number), region.base + 16, 16)
    }
}
