/// A set of numbers above 0, with less work for each than the standard library's.
struct PairSet: Sendable {
    private var slots: [UInt64] = Array(repeating: 0, count: 64)
    private(set) var count = 0

    var byteCount: Int { slots.count * 8 }

    /// Returns whether the number is new.
    @discardableResult
    mutating func insert(_ number: UInt64) -> Bool {
        // At most half full, so a free slot is near.
        if 2 * count >= slots.count { grow() }
        let mask = slots.count - 1
        var slot = Self.hash(number) & mask
        while slots[slot] != 0 {
            if slots[slot] == number { return false }
            slot = (slot + 1) & mask
        }
        slots[slot] = number
        count += 1
        return true
    }

    func forEach(_ body: (UInt64) -> Void) {
        for number in slots where number != 0 { body(number) }
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: 0, count: old.count * 4)
        let mask = slots.count - 1
        for number in old where number != 0 {
            var slot = Self.hash(number) & mask
            while slots[slot] != 0 { slot = (slot + 1) & mask }
            slots[slot] = number
        }
    }

    private static func hash(_ number: UInt64) -> Int {
        let product = (number ^ number >> 32) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: product >> 20)
    }
}
