import Atomics

/// A generator of random identifiers without locks or system calls.
///
/// Uses SplitMix64 (Steele, Lea and Flood, 2014) with one atomic counter as its state. Each caller takes the next value
/// with a single atomic add and mixes it. Two seeds from the system's generator make the halves of a 128-bit identifier
/// independent. Devices therefore do not collide although each half has 64 bits of state.
package final class IDGenerator: Sendable {
    private let counter = UnsafeAtomic<UInt64>.create(0)
    private let firstSeed: UInt64
    private let secondSeed: UInt64

    /// Creates a generator seeded by the system's random generator.
    package convenience init() {
        var system = SystemRandomNumberGenerator()
        self.init(firstSeed: system.next(), secondSeed: system.next())
    }

    /// Creates a generator that returns the same identifiers for the same seeds, for tests and simulations.
    package init(firstSeed: UInt64, secondSeed: UInt64) {
        self.firstSeed = firstSeed
        self.secondSeed = secondSeed
    }

    deinit {
        counter.destroy()
    }

    /// Returns a random number other than 0.
    package func next64() -> UInt64 {
        while true {
            let value = Self.mix(step() &+ firstSeed)
            if value != 0 { return value }
        }
    }

    /// Returns two random numbers; the second is never 0.
    package func next128() -> (high: UInt64, low: UInt64) {
        while true {
            let state = step()
            let low = Self.mix(state &+ firstSeed)
            if low != 0 { return (Self.mix(state ^ secondSeed), low) }
        }
    }

    /// Returns the two halves derived from a number, always the same for that number. The second is never 0.
    package func pair(of number: UInt64) -> (high: UInt64, low: UInt64) {
        let low = Self.mix(number &+ firstSeed)
        return (Self.mix(number ^ secondSeed), low == 0 ? 1 : low)
    }

    /// Returns a pseudorandom number other than 0, always the same for `number`.
    package func single(of number: UInt64) -> UInt64 {
        let value = Self.mix(~number &+ firstSeed)
        return value == 0 ? 1 : value
    }

    /// Returns a version 4 UUID as lowercase text.
    package func nextUUID() -> String {
        let (high, low) = next128()
        return Self.uuid(high: high, low: low)
    }

    /// Writes a version 4 UUID as lowercase text.
    ///
    /// - Parameter text: Memory of `uuidLength` bytes.
    package func writeUUID(to text: UnsafeMutableBufferPointer<UInt8>) {
        let (high, low) = next128()
        Self.writeUUID(high: high, low: low, to: text)
    }

    /// Returns a version 4 UUID of two numbers as lowercase text, always the same for them.
    package static func uuid(high: UInt64, low: UInt64) -> String {
        String(unsafeUninitializedCapacity: uuidLength) { text in
            writeUUID(high: high, low: low, to: text)
            return uuidLength
        }
    }

    /// Bytes of a UUID as text.
    package static var uuidLength: Int { 36 }

    private static func writeUUID(high: UInt64, low: UInt64, to text: UnsafeMutableBufferPointer<UInt8>) {
        // RFC 9562: the version in the 13th digit, the variant in the top bits of the 17th.
        let halves = ((high & ~0xF000) | 0x4000, (low & ~(3 << 62)) | (2 << 62))
        var end = 0
        for digit in 0..<32 {
            if digit == 8 || digit == 12 || digit == 16 || digit == 20 {
                text[end] = UInt8(ascii: "-")
                end += 1
            }
            let half = digit < 16 ? halves.0 : halves.1
            let nibble = UInt8(truncatingIfNeeded: half >> UInt64(60 - (digit & 15) * 4)) & 0xF
            text[end] = nibble < 10 ? 0x30 + nibble : 0x57 + nibble
            end += 1
        }
    }

    private func step() -> UInt64 {
        counter.wrappingIncrementThenLoad(by: 0x9E37_79B9_7F4A_7C15, ordering: .relaxed)
    }

    private static func mix(_ value: UInt64) -> UInt64 {
        var value = value
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
