/// Gives elements numbers from 0, in the order in which they come first. The owner keeps the elements.
///
/// Hashes are kept beside the numbers, so growing and merging compute none again.
struct HashIndex: Sendable {
    /// The hash in the upper half, the number plus 1 in the lower; 0 is free. At most half of them are used.
    private var slots: [UInt64] = Array(repeating: 0, count: 64)
    private(set) var count = 0

    var byteCount: Int { slots.count * 8 }

    /// Returns the number of an element, or `nil` if it is new.
    @inline(__always)
    func number(hash: UInt32, isEqual: (Int) -> Bool) -> Int? {
        let mask = slots.count - 1
        var slot = Int(hash) & mask
        while slots[slot] != 0 {
            let number = Int(truncatingIfNeeded: slots[slot] & 0xFFFF_FFFF) - 1
            if slots[slot] >> 32 == hash, isEqual(number) { return number }
            slot = (slot + 1) & mask
        }
        return nil
    }

    /// Adds an element that is new and returns its number.
    mutating func append(hash: UInt32) -> Int {
        count += 1
        if 2 * count > slots.count {
            let old = slots
            slots = Array(repeating: 0, count: old.count * 4)
            for slot in old where slot != 0 { insert(slot) }
        }
        insert(UInt64(hash) << 32 | UInt64(count))
        return count - 1
    }

    private mutating func insert(_ element: UInt64) {
        let mask = slots.count - 1
        var slot = Int(element >> 32) & mask
        while slots[slot] != 0 { slot = (slot + 1) & mask }
        slots[slot] = element
    }

    func forEach(_ body: (_ hash: UInt32, _ number: Int) -> Void) {
        for slot in slots where slot != 0 {
            body(UInt32(slot >> 32), Int(truncatingIfNeeded: slot & 0xFFFF_FFFF) - 1)
        }
    }
}

/// Distinct keys of 64 bits, such as pairs of two numbers, each with a number of its own.
struct KeyIndex: Sendable {
    private(set) var keys: [UInt64] = []
    private var index = HashIndex()

    var byteCount: Int { keys.count * 8 + index.byteCount }

    func number(of key: UInt64) -> Int? {
        index.number(hash: Self.hash(key)) { keys[$0] == key }
    }

    /// Returns the number of a key, which is given one if it is new.
    @discardableResult
    mutating func insert(_ key: UInt64) -> Int {
        if let number = number(of: key) { return number }
        keys.append(key)
        return index.append(hash: Self.hash(key))
    }

    private static func hash(_ key: UInt64) -> UInt32 {
        UInt32(truncatingIfNeeded: ((key ^ key >> 32) &* 0x9E37_79B9_7F4A_7C15) >> 32)
    }
}

/// Distinct values, each with a number of its own.
struct ValueIndex: Sendable {
    private(set) var values: [QueryValue] = []
    private var index = HashIndex()
    private var bytesOfTexts = 0

    var byteCount: Int { values.count * MemoryLayout<QueryValue>.stride + index.byteCount + bytesOfTexts }

    func number(of value: QueryValue) -> Int? { number(of: value, hash: Self.hash(value)) }

    /// Returns the number of a value, which is given one if it is new.
    mutating func insert(_ value: QueryValue) -> Int { insert(value, hash: Self.hash(value)) }

    /// Adds the values of another index and returns their numbers here.
    mutating func merge(_ other: ValueIndex) -> [Int] {
        var numbers = Array(repeating: 0, count: other.values.count)
        other.index.forEach { hash, number in numbers[number] = insert(other.values[number], hash: hash) }
        return numbers
    }

    private func number(of value: QueryValue, hash: UInt32) -> Int? {
        index.number(hash: hash) { values[$0] == value }
    }

    private mutating func insert(_ value: QueryValue, hash: UInt32) -> Int {
        if let number = number(of: value, hash: hash) { return number }
        values.append(value)
        // Shorter texts are inside the value.
        if case .string(let text) = value, text.utf8.count > 15 { bytesOfTexts += text.utf8.count + 32 }
        return index.append(hash: hash)
    }

    private static func hash(_ value: QueryValue) -> UInt32 { UInt32(truncatingIfNeeded: value.hashValue) }
}
