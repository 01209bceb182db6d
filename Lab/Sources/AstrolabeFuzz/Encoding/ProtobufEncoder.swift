/// Writes a tree as protobuf: plainly, or in one of the many other ways that mean the same.
///
/// It is a writer of its own because the SDK's cannot write those: overlong varints, repeated numbers one by one, a
/// message in two parts, fields in any order.
package struct ProtobufEncoder {
    private var random: Randomness
    /// The probability, in percent, that a plain form is replaced by another one.
    private let oddity: Int

    package init(random: Randomness, oddity: Int) {
        self.random = random
        self.oddity = oddity
    }

    package mutating func encode(_ tree: Tree) -> [UInt8] {
        var pieces: [(number: UInt32, bytes: [UInt8])] = []
        for field in tree.fields {
            if isOdd() { pieces.append(unknownField()) }
            if isOdd(), !field.spec.isRepeated, let earlier = overridden(field) {
                pieces.append((field.spec.number, earlier))
            }
            pieces.append((field.spec.number, encode(field)))
        }
        if isOdd(), tree.kind.alternatives.isEmpty { pieces = shuffled(pieces) }
        return pieces.flatMap(\.bytes)
    }

    private mutating func encode(_ field: Tree.Field) -> [UInt8] {
        let number = field.spec.number
        switch (field.spec.kind, field.value) {
        case (.double, .number(let bits)), (.fixed64, .number(let bits)), (.sfixed64, .number(let bits)):
            return tag(number, 1) + Self.littleEndian(bits, 8)
        case (.fixed32, .number(let bits)):
            return tag(number, 5) + Self.littleEndian(bits, 4)
        case (_, .number(let value)):
            return tag(number, 0) + varint(value)
        case (_, .bytes(let bytes)):
            return delimited(number, bytes)
        case (.packedVarint, .packed(let values)):
            let single = isOdd() ? values.prefix(random.below(values.count + 1)) : []
            return single.flatMap { tag(number, 0) + varint($0) }
                + delimited(number, values.dropFirst(single.count).flatMap { varint($0) })
        case (_, .packed(let values)):
            guard isOdd() else { return delimited(number, values.flatMap { Self.littleEndian($0, 8) }) }
            // One by one, and the rest together.
            let single = values.prefix(random.below(values.count + 1))
            return single.flatMap { tag(number, 1) + Self.littleEndian($0, 8) }
                + delimited(number, values.dropFirst(single.count).flatMap { Self.littleEndian($0, 8) })
        case (_, .message(let tree)):
            guard isOdd(), !field.spec.isRepeated else { return delimited(number, encode(tree)) }
            // In two parts, which the reader has to merge.
            let half = random.below(tree.fields.count + 1)
            let first = Tree(kind: tree.kind, fields: Array(tree.fields.prefix(half)))
            let second = Tree(kind: tree.kind, fields: Array(tree.fields.dropFirst(half)))
            return delimited(number, encode(first)) + delimited(number, encode(second))
        }
    }

    /// An earlier value for the same field, which the later one must replace.
    private mutating func overridden(_ field: Tree.Field) -> [UInt8]? {
        switch field.value {
        case .number(let value): encode(Tree.Field(spec: field.spec, value: .number(value ^ 1)))
        case .bytes(let bytes) where bytes.allSatisfy({ $0 < 0x80 }):
            encode(Tree.Field(spec: field.spec, value: .bytes(bytes.reversed())))
        default: nil
        }
    }

    private mutating func unknownField() -> (UInt32, [UInt8]) {
        let number = UInt32(1_000 + random.below(1_000_000))
        let bytes =
            switch random.below(5) {
            case 0: tag(number, 0) + varint(random.next())
            case 1: tag(number, 1) + random.bytes(8)
            case 2: delimited(number, random.bytes(random.below(20)))
            case 3: tag(number, 5) + random.bytes(4)
            default: tag(number, 3) + delimited(7, [1, 2]) + tag(8, 3) + tag(8, 4) + tag(number, 4)
            }
        return (number, bytes)
    }

    /// Another order of the pieces, in which those of one number keep theirs.
    private mutating func shuffled(
        _ pieces: [(number: UInt32, bytes: [UInt8])]
    ) -> [(number: UInt32, bytes: [UInt8])] {
        var queues = Dictionary(grouping: pieces, by: \.number).mapValues { Array($0.reversed()) }
        return pieces.map(\.number).shuffled(using: &random).compactMap { queues[$0]?.popLast() }
    }

    private mutating func tag(_ number: UInt32, _ wireType: UInt64) -> [UInt8] {
        varint(UInt64(number) << 3 | wireType, atMost: 5)
    }

    private mutating func delimited(_ number: UInt32, _ bytes: [UInt8]) -> [UInt8] {
        tag(number, 2) + varint(UInt64(bytes.count), atMost: 5) + bytes
    }

    private mutating func varint(_ value: UInt64, atMost limit: Int = 10) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
        guard isOdd() else { return bytes }
        // Longer than it need be. Values may take ten bytes, but some parsers read five of a tag or a length.
        let length = bytes.count + random.below(max(1, limit + 1 - bytes.count))
        while bytes.count < length {
            bytes[bytes.count - 1] |= 0x80
            bytes.append(0)
        }
        return bytes
    }

    private static func littleEndian(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64($0 * 8)) }
    }

    private mutating func isOdd() -> Bool {
        oddity > 0 && random.chance(oddity)
    }
}
