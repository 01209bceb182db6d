import CAstrolabeChecksum

/// The layout of a record in a segment: 32 bytes of header, the payload, and zeros up to a multiple of 8.
///
///      0               4       5                   8
///      +---------------+-------+-------------------+
///      | length u32    | state | check, 24 bits    |   one atomic word, the frame word
///      +---------------+-------+-------------------+
///      | sequence u64                              |   segment number << 32 | ordinal in the segment
///      +-------------------------------------------+
///      | time u64, nanoseconds                     |
///      +---------------+-------+-------+-----------+
///      | CRC-32C       | kind  | prio. | tag u16   |
///      +---------------+-------+-------+-----------+
///      | payload, `length` bytes           | 0 0 0 |
///      +-----------------------------------+-------+
///
/// All numbers are little-endian, as is every supported device.
///
/// A record is written in this order, and the process may be killed between any two steps:
///
///     1. one atomic add on the segment's reserve word claims the space     then: zeros, a hole
///     2. frame word "reserved, length n", a release store                  then: a hole of known length
///     3. payload, sequence, time, CRC
///     4. frame word "committed, length n", a release store                 then: the record will be delivered
///     5. frame word "completed", when the reader has finished with it      then: it will not be delivered again
///
/// The check covers the length, the state, the offset and the run's salt. A reader that finds damage can therefore
/// locate the next header by testing every eighth byte. The CRC-32C covers length, kind, priority, tag, sequence, time
/// and payload.
package enum RecordFrame {
    static let headerSize = 32

    /// Returns the bytes that a record with `length` bytes of payload occupies.
    @inline(__always)
    package static func size(length: Int) -> Int { (headerSize + length + 7) & ~7 }

    @inline(__always)
    static func checksum(
        _ payload: UnsafeRawBufferPointer, sequence: UInt64, time: UInt64, labels: RecordLabels,
    ) -> UInt32 {
        astrolabe_crc32c_record(
            sequence, time, UInt64(UInt32(truncatingIfNeeded: payload.count)) << 32 | UInt64(labels.raw),
            payload.baseAddress, payload.count,
        )
    }
}

/// The labels that the caller gives a record; the last four bytes of the header.
struct RecordLabels: Equatable {
    let raw: UInt32

    @inline(__always)
    init(raw: UInt32) { self.raw = raw }

    @inline(__always)
    init(kind: UInt8, priority: UInt8, tag: UInt16) {
        raw = UInt32(kind) | UInt32(priority) << 8 | UInt32(tag) << 16
    }

    var kind: UInt8 { UInt8(truncatingIfNeeded: raw) }
    var priority: UInt8 { UInt8(truncatingIfNeeded: raw >> 8) }
    var tag: UInt16 { UInt16(truncatingIfNeeded: raw >> 16) }
}

/// The first word of a record.
struct FrameWord: Equatable {
    /// The state of a record; `code` is its value in the file.
    enum State: Equatable {
        case reserved
        case committed
        case completed(JournalOutcome)

        @inline(__always)
        var code: UInt8 {
            switch self {
            case .reserved: 1
            case .committed: 2
            case .completed(let outcome): 16 + outcome.rawValue
            }
        }

        init?(code: UInt8) {
            switch code {
            case 1: self = .reserved
            case 2: self = .committed
            default:
                guard code >= 16, let outcome = JournalOutcome(rawValue: code - 16) else { return nil }
                self = .completed(outcome)
            }
        }
    }

    let raw: UInt64

    @inline(__always)
    init(length: UInt32, state: State, offset: Int, salt: UInt64) {
        let content = UInt64(length) | UInt64(state.code) << 32
        raw = content | Self.check(content, offset: offset, salt: salt) << 40
    }

    /// Validates a word read from a file; `nil` if it is not a header at this offset of this run.
    @inline(__always)
    init?(raw: UInt64, offset: Int, salt: UInt64) {
        guard raw != 0, raw >> 40 == Self.check(raw & 0xFF_FFFF_FFFF, offset: offset, salt: salt) else { return nil }
        self.raw = raw
    }

    var length: Int { Int(UInt32(truncatingIfNeeded: raw)) }
    var state: State? { State(code: UInt8(truncatingIfNeeded: raw >> 32)) }

    /// The upper 24 bits of a product with an odd constant: every changed bit of `content` changes some of them.
    @inline(__always)
    private static func check(_ content: UInt64, offset: Int, salt: UInt64) -> UInt64 {
        let place = UInt64(truncatingIfNeeded: offset) &* 0x9E37_79B9_7F4A_7C15
        return ((content ^ salt ^ place) &* 0xD6E8_FEB8_6659_FD93) >> 40
    }
}
