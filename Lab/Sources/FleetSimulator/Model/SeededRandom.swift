import AstrolabeSeededRandomness
import Foundation

/// Chance that comes out the same for the same seed and stream.
///
///     var chance = SeededRandom(seed: 7, stream: .usage, device: 41)
///     if chance.happens(0.02) { crash() }
struct SeededRandom: RandomNumberGenerator, Sendable {
    /// What the numbers are for: one use of chance does not shift another's.
    enum Stream: UInt64 {
        case person = 1
        case day, usage, power, life, actions, paths, requests, jitter, names, weather
    }

    private var generator: SeededGenerator

    init(seed: UInt64, stream: Stream, device: Int = 0) {
        var state = SeededGenerator.mix(seed &+ 0x9E37_79B9_7F4A_7C15)
        state = SeededGenerator.mix(state ^ SeededGenerator.mix(stream.rawValue))
        generator = SeededGenerator(seed: SeededGenerator.mix(state ^ SeededGenerator.mix(UInt64(device) &+ 0x51)))
    }

    mutating func next() -> UInt64 { generator.next() }

    /// 0..<1.
    mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    mutating func happens(_ probability: Double) -> Bool { unit() < probability }

    mutating func within(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound + unit() * (range.upperBound - range.lowerBound)
    }

    mutating func count(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.upperBound - range.lowerBound + 1))
    }

    /// The time until the next of events that come at random, so many seconds apart on average.
    mutating func wait(mean: Double) -> Double { -log(1 - unit()) * mean }

    /// Half of all are below the median; two thirds lie between `median / spread` and `median * spread`.
    mutating func logNormal(median: Double, spread: Double) -> Double {
        let normal = sqrt(-2 * log(1 - unit())) * cos(2 * .pi * unit())
        return median * exp(normal * log(spread))
    }

    /// One of the choices, each as likely as its weight.
    mutating func pick<Choice>(_ choices: [(Choice, Double)]) -> Choice? {
        var rest = unit() * choices.reduce(0) { $0 + $1.1 }
        for (choice, weight) in choices {
            if rest < weight { return choice }
            rest -= weight
        }
        return choices.last?.0
    }
}
