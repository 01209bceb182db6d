/// Damages bytes: the ways in which a request breaks on its way or is broken on purpose.
package struct Mutator {
    private var random: Randomness

    package init(random: Randomness) {
        self.random = random
    }

    /// A damaged copy, of at most a few times the length.
    ///
    /// - Parameter other: Another input, parts of which may be spliced in.
    package mutating func damage(_ bytes: [UInt8], splicing other: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...random.below(4) { step(&bytes, other) }
        return bytes
    }

    private mutating func step(_ bytes: inout [UInt8], _ other: [UInt8]) {
        let place = random.below(bytes.count)
        let range = place..<min(bytes.count, place + 1 + random.below(random.chance(80) ? 8 : 200))
        switch random.below(12) {
        case 0: bytes.removeLast(bytes.count - place)
        case 1: bytes.removeSubrange(range)
        case 2: bytes.insert(contentsOf: bytes[range], at: place)
        case 3: bytes.insert(contentsOf: random.bytes(1 + random.below(8)), at: place)
        case 4: bytes = Array(bytes[..<place] + other[random.below(other.count)...])
        case 5:
            let start = random.below(other.count)
            bytes.insert(contentsOf: other[start..<min(other.count, start + 1 + random.below(100))], at: place)
        case 6: bytes.insert(contentsOf: repeatElement(bytes.first ?? 0, count: random.below(300)), at: place)
        case _ where bytes.isEmpty: bytes = random.bytes(4)
        case 7: bytes[place] ^= 1 << UInt8(random.below(8))
        case 8: bytes[place] = random.pick([0, 1, 0x7F, 0x80, 0xFF, 0x0A, 0x22, 0x5B, 0x7B])
        case 9: bytes[place] = bytes[place] &+ random.pick([1, 0xFF, 2, 0x10])
        case 10: stretchVarint(&bytes, at: place)
        default: bytes.replaceSubrange(place...place, with: hugeNumber())
        }
    }

    /// Makes a byte into a varint of the same value that is longer than it need be, at times than it may be.
    private mutating func stretchVarint(_ bytes: inout [UInt8], at place: Int) {
        let zeros = repeatElement(UInt8(0x80), count: random.below(11))
        bytes.replaceSubrange(place...place, with: [bytes[place] | 0x80] + zeros + [0])
    }

    /// A length that no message has, in either encoding.
    private mutating func hugeNumber() -> [UInt8] {
        random.pick([
            [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
            [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F],
            [0xFF, 0xFF, 0xFF, 0xFF, 0x0F],
            [0xFF, 0xFF, 0xFF, 0xFF, 0x07],
            [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x02],
            Array("99999999999999999999999".utf8),
            Array("1e400".utf8),
        ])
    }
}
