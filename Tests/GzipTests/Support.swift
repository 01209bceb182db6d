import AstrolabeSeededRandomness

/// Returns random bytes between noise and a single repeated value.
func someBytes(upTo limit: Int, using generator: inout SeededGenerator) -> [UInt8] {
    let alphabet = UInt8.random(in: 0...255, using: &generator)
    return (0..<Int.random(in: 0...limit, using: &generator)).map { _ in
        UInt8.random(in: 0...alphabet, using: &generator)
    }
}
