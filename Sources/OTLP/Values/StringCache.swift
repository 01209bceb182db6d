/// Strings read lately from one request, so that the keys and values that repeat in every record are made once.
///
/// A direct-mapped table. A slot holds the last string with its hash and the string's position in the request. A hit
/// compares bytes within the request; it neither validates nor allocates.
struct StringCache {
    /// A string, with a set of one bit that differs for most different strings. All bits are set if the string is not
    /// ASCII, because canonically equivalent strings may then have other bytes.
    struct Entry {
        var text: String
        var bit: UInt64
    }

    /// Longer strings rarely repeat.
    static let lengthLimit = 128

    private struct Slot {
        var start: UnsafeRawPointer?
        var count: Int
        var entry: Entry
    }

    private var slots: [Slot]
    private let mask: UInt64

    /// - Parameter sizeExponent: The table has two to this power of slots, of 40 bytes each.
    init(sizeExponent: Int) {
        let size = 1 << sizeExponent
        slots = Array(repeating: Slot(start: nil, count: 0, entry: Entry(text: "", bit: 0)), count: size)
        mask = UInt64(size - 1)
    }

    /// The text of `bytes`, which must stay where they are for the life of the cache.
    ///
    /// - Parameter offset: Where `bytes` begin in the request, for errors.
    @inline(__always)
    mutating func entry(
        for bytes: UnsafeRawBufferPointer, at offset: Int, _ budget: inout MemoryBudget,
    ) throws(OTLPDecodingError) -> Entry {
        guard let start = bytes.baseAddress, bytes.count > 0 else { return Entry(text: "", bit: 1) }
        guard bytes.count <= Self.lengthLimit else {
            return try Self.makeEntry(bytes, hash: UInt64(truncatingIfNeeded: bytes.count), at: offset, &budget)
        }
        let hash = Self.hash(start, bytes.count)
        let index = Int(truncatingIfNeeded: hash & mask)
        if slots[index].count == bytes.count, let known = slots[index].start,
            Self.isEqual(known, start, bytes.count)
        {
            return slots[index].entry
        }
        let entry = try Self.makeEntry(bytes, hash: hash, at: offset, &budget)
        slots[index] = Slot(start: start, count: bytes.count, entry: entry)
        return entry
    }

    @inline(never)
    private static func makeEntry(
        _ bytes: UnsafeRawBufferPointer, hash: UInt64, at offset: Int, _ budget: inout MemoryBudget,
    ) throws(OTLPDecodingError) -> Entry {
        let bit: UInt64
        switch UTF8Scan(bytes) {
        case .ascii: bit = 1 << (hash >> 58)
        case .unicode: bit = .max
        case .invalid(let position):
            throw OTLPDecodingError(at: offset + position, "expected UTF-8, got an invalid byte sequence")
        }
        try budget.chargeString(length: bytes.count, at: offset)
        return Entry(text: String(decoding: bytes, as: UTF8.self), bit: bit)
    }

    /// Mixes the length and all bytes, eight at a time. It need not withstand an adversary: strings that share a slot
    /// are only made again.
    @inline(__always)
    private static func hash(_ start: UnsafeRawPointer, _ count: Int) -> UInt64 {
        // The two odd constants are those of SplitMix64 (Steele, Lea and Flood, 2014).
        var hash = UInt64(truncatingIfNeeded: count) &* 0xBF58_476D_1CE4_E5B9
        var offset = 0
        while offset + 8 < count {
            hash = (hash ^ start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* 0xBF58_476D_1CE4_E5B9
            hash ^= hash >> 32
            offset += 8
        }
        return finalMix(hash ^ lastWord(start, count))
    }

    @inline(__always)
    private static func finalMix(_ hash: UInt64) -> UInt64 {
        let mixed = (hash ^ (hash >> 30)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// The last 8 bytes, or all of them where there are fewer.
    @inline(__always)
    private static func lastWord(_ start: UnsafeRawPointer, _ count: Int) -> UInt64 {
        if count >= 8 { return start.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self) }
        if count >= 4 {
            return UInt64(start.loadUnaligned(as: UInt32.self))
                | UInt64(start.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)) << 32
        }
        return UInt64(start.load(as: UInt8.self))
            | UInt64(start.load(fromByteOffset: count / 2, as: UInt8.self)) << 8
            | UInt64(start.load(fromByteOffset: count - 1, as: UInt8.self)) << 16
    }

    @inline(__always)
    private static func isEqual(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int) -> Bool {
        var offset = 0
        while offset + 8 < count {
            guard
                left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                    == right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            else { return false }
            offset += 8
        }
        return lastWord(left, count) == lastWord(right, count)
    }
}
