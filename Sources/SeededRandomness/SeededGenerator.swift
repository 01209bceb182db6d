/// A random generator that returns the same numbers for the same seed, for reproducible runs.
///
/// Uses SplitMix64 (Steele, Lea and Flood, 2014).
///
///     var random = SeededGenerator(seed: 7)
///     let die = Int.random(in: 1...6, using: &random)
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mix(state)
    }

    /// Maps each number to a different one, spread over the whole range: the generator's output function.
    package static func mix(_ value: UInt64) -> UInt64 {
        var value = value
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
