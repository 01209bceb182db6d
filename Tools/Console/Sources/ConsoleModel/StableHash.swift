/// A 128-bit hash of bytes that is the same in every process, used to recognize duplicate content.
///
/// This is MurmurHash3 for x64 with 128 bits and seed 0 (Austin Appleby, public domain). It protects against accidental
/// collisions only. A sender that constructs collisions can hide only its own records.
package struct StableHash: Hashable, Sendable {
    package let high: UInt64
    package let low: UInt64

    package init(_ bytes: UnsafeRawBufferPointer) {
        var first: UInt64 = 0
        var second: UInt64 = 0
        let blocks = bytes.count / 16
        for block in 0..<blocks {
            first ^= Self.mixFirst(
                UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: block * 16, as: UInt64.self)))
            first = (first.rotated(27) &+ second) &* 5 &+ 0x52dc_e729
            second ^= Self.mixSecond(
                UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: block * 16 + 8, as: UInt64.self))
            )
            second = (second.rotated(31) &+ first) &* 5 &+ 0x3849_5ab5
        }
        var tail: (UInt64, UInt64) = (0, 0)
        for (index, byte) in bytes[(blocks * 16)...].enumerated() {
            if index < 8 {
                tail.0 |= UInt64(byte) << UInt64(index * 8)
            } else {
                tail.1 |= UInt64(byte) << UInt64((index - 8) * 8)
            }
        }
        second ^= Self.mixSecond(tail.1)
        first ^= Self.mixFirst(tail.0)
        first ^= UInt64(bytes.count)
        second ^= UInt64(bytes.count)
        first &+= second
        second &+= first
        first = Self.finish(first)
        second = Self.finish(second)
        first &+= second
        second &+= first
        high = first
        low = second
    }

    package init(_ text: String) {
        var text = text
        self = text.withUTF8 { StableHash(UnsafeRawBufferPointer($0)) }
    }

    private static func mixFirst(_ value: UInt64) -> UInt64 {
        (value &* 0x87c3_7b91_1142_53d5).rotated(31) &* 0x4cf5_ad43_2745_937f
    }

    private static func mixSecond(_ value: UInt64) -> UInt64 {
        (value &* 0x4cf5_ad43_2745_937f).rotated(33) &* 0x87c3_7b91_1142_53d5
    }

    private static func finish(_ value: UInt64) -> UInt64 {
        var value = value
        value ^= value >> 33
        value &*= 0xff51_afd7_ed55_8ccd
        value ^= value >> 33
        value &*= 0xc4ce_b9fe_1a85_ec53
        value ^= value >> 33
        return value
    }
}

extension UInt64 {
    fileprivate func rotated(_ bits: UInt64) -> UInt64 {
        self << bits | self >> (64 - bits)
    }
}
