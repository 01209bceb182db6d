import Atomics

/// A lock-free table of decisions on names, so that a name that occurs in every record is examined once.
///
/// An entry holds 62 bits of the name's hash, seeded for each table, and two bits of decision. A name replaces another
/// one in the same place. Two names with equal bits of hash would share a decision, by a chance of 2⁻⁶² for each pair.
final class NameDecisions: @unchecked Sendable {  // `words` never changes, and holds atomics
    private typealias Word = UnsafeAtomic<UInt64>.Storage

    /// A table has 4 KiB.
    private static let capacity = 512

    private let words = UnsafeMutablePointer<Word>.allocate(capacity: NameDecisions.capacity)
    private let seed = UInt64.random(in: 0 ... .max)

    init() {
        words.initialize(repeating: .init(0), count: Self.capacity)
    }

    deinit {
        words.deallocate()
    }

    /// The decision on a name, of the values 0 to 3.
    @inline(__always)
    func decision(on name: UnsafeBufferPointer<UInt8>, decide: () -> UInt64) -> UInt64 {
        let hash = self.hash(of: name)
        let tag = max(hash & ~3, 4)
        let word = UnsafeAtomic<UInt64>(at: words + Int(truncatingIfNeeded: hash >> 2 & UInt64(Self.capacity - 1)))
        let known = word.load(ordering: .relaxed)
        if known & ~3 == tag { return known & 3 }
        let decision = decide()
        word.store(tag | decision, ordering: .relaxed)
        return decision
    }

    /// Eight bytes at a time; the last eight overlap with those before.
    @inline(__always)
    private func hash(of name: UnsafeBufferPointer<UInt8>) -> UInt64 {
        guard let base = UnsafeRawPointer(name.baseAddress) else { return seed }
        let count = name.count
        var hash = Self.mixed(seed ^ UInt64(truncatingIfNeeded: count))
        if count >= 8 {
            var offset = 0
            while offset &+ 8 < count {
                hash = Self.mixed(hash ^ (base + offset).loadUnaligned(as: UInt64.self))
                offset &+= 8
            }
            return Self.mixed(hash ^ (base + (count &- 8)).loadUnaligned(as: UInt64.self))
        }
        var rest: UInt64 = 0
        for byte in name { rest = rest << 8 | UInt64(byte) }
        return Self.mixed(hash ^ rest)
    }

    @inline(__always)
    private static func mixed(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return product.high ^ product.low
    }
}
