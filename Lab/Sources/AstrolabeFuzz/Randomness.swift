import AstrolabeSeededRandomness

/// A source of choices with a fixed seed, so that every input can be made again from two numbers.
package struct Randomness: RandomNumberGenerator {
    private var generator: SeededGenerator

    /// - Parameter stream: Tells apart the sequences of one seed.
    package init(seed: UInt64, stream: UInt64) {
        generator = SeededGenerator(seed: seed &* 0xD129_42D4_9E34_9C85 &+ stream &* 0x9E37_79B9_7F4A_7C15)
        _ = next()
    }

    package mutating func next() -> UInt64 { generator.next() }

    /// From 0 up to and without `limit`; 0 where that is not positive.
    mutating func below(_ limit: Int) -> Int {
        limit > 1 ? Int(truncatingIfNeeded: next() % UInt64(limit)) : 0
    }

    /// True this many times in a hundred.
    mutating func chance(_ percent: Int) -> Bool {
        below(100) < percent
    }

    mutating func pick<Element>(_ choices: [Element]) -> Element {
        choices[below(choices.count)]
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}
