import Atomics

/// Random identifiers without a lock and without a system call.
///
/// A SplitMix64 generator (Steele, Lea and Flood, 2014) whose state is one atomic counter: each caller takes the next
/// value with a single atomic add and mixes it. Two seeds from the system's generator make the two halves of a 128-bit
/// identifier independent, so that devices do not collide though each half has 64 bits of state.
package final class IDGenerator: Sendable {
    private let counter: ManagedAtomic<UInt64>
    private let firstSeed: UInt64
    private let secondSeed: UInt64

    /// Seeds itself from the system's random generator.
    package convenience init() {
        var system = SystemRandomNumberGenerator()
        self.init(firstSeed: system.next(), secondSeed: system.next())
    }

    /// Gives the same identifiers for the same seeds, for tests and simulations.
    package init(firstSeed: UInt64, secondSeed: UInt64) {
        self.firstSeed = firstSeed
        self.secondSeed = secondSeed
        counter = ManagedAtomic(0)
    }

    /// A random number that is never 0.
    package func next64() -> UInt64 {
        while true {
            let value = Self.mix(step() &+ firstSeed)
            if value != 0 { return value }
        }
    }

    /// Two random numbers, the second never 0.
    package func next128() -> (high: UInt64, low: UInt64) {
        while true {
            let state = step()
            let low = Self.mix(state &+ firstSeed)
            if low != 0 { return (Self.mix(state ^ secondSeed), low) }
        }
    }

    /// The two halves that belong to a number: the same ones each time, others for every other number. The second is
    /// never 0.
    package func pair(of number: UInt64) -> (high: UInt64, low: UInt64) {
        let low = Self.mix(number &+ firstSeed)
        return (Self.mix(number ^ secondSeed), low == 0 ? 1 : low)
    }

    /// The random-looking number, never 0, that belongs to another.
    package func single(of number: UInt64) -> UInt64 {
        let value = Self.mix(~number &+ firstSeed)
        return value == 0 ? 1 : value
    }

    /// 32 lower-case hexadecimal digits in the form of a UUID of version 4.
    package func nextUUID() -> String {
        let (high, low) = next128()
        // RFC 9562: the version in the 13th digit, the variant in the top bits of the 17th.
        let halves = ((high & ~0xF000) | 0x4000, (low & ~(3 << 62)) | (2 << 62))
        return String(unsafeUninitializedCapacity: 36) { text in
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
            return end
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
