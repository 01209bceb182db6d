/// Random numbers that are the same for the same seed, so that what happened once can be made to happen again:
/// SplitMix64 (Steele, Lea and Flood, 2014).
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

    /// Spreads numbers that are close together over all that there are, each to another: the generator's last step.
    package static func mix(_ value: UInt64) -> UInt64 {
        var value = value
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
