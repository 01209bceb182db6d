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

    /// 32 lower-case hexadecimal digits in the form of a UUID of version 4.
    package func nextUUID() -> String {
        let (high, low) = next128()
        let digits = Self.hex((high & ~0xF000) | 0x4000) + Self.hex((low & ~(3 << 62)) | (2 << 62))
        var text = ""
        text.reserveCapacity(36)
        for (index, digit) in digits.enumerated() {
            if index == 8 || index == 12 || index == 16 || index == 20 { text.append("-") }
            text.append(digit)
        }
        return text
    }

    private func step() -> UInt64 {
        counter.wrappingIncrementThenLoad(by: 0x9E37_79B9_7F4A_7C15, ordering: .relaxed)
    }

    private static func hex(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private static func mix(_ value: UInt64) -> UInt64 {
        var value = value
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
