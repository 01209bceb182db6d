import AstrolabeSeededRandomness
import Foundation

/// A random number generator with a seed and a stream.
///
///     var chance = SeededRandom(seed: 7, stream: .usage, device: 41)
///     if chance.happens(0.02) { crash() }
package struct SeededRandom: RandomNumberGenerator, Sendable {
    /// The use of the numbers. Each stream is independent of the others.
    package enum Stream: UInt64 {
        case person = 1
        case day, usage, power, life, actions, paths, requests, jitter, names, outages, history, sessions, arrivals
    }

    private var generator: SeededGenerator

    package init(seed: UInt64, stream: Stream, device: Int = 0) {
        var state = SeededGenerator.mix(seed &+ 0x9E37_79B9_7F4A_7C15)
        state = SeededGenerator.mix(state ^ SeededGenerator.mix(stream.rawValue))
        generator = SeededGenerator(seed: SeededGenerator.mix(state ^ SeededGenerator.mix(UInt64(device) &+ 0x51)))
    }

    package mutating func next() -> UInt64 { generator.next() }

    /// A number from 0 up to, but not including, 1.
    package mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    package mutating func happens(_ probability: Double) -> Bool { unit() < probability }

    package mutating func within(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound + unit() * (range.upperBound - range.lowerBound)
    }

    package mutating func count(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.upperBound - range.lowerBound + 1))
    }

    /// Returns the time until the next random event, for an average interval in seconds.
    package mutating func wait(mean: Double) -> Double { -log(1 - unit()) * mean }

    /// Returns a log-normal number. Two thirds lie between `median / spread` and `median * spread`.
    package mutating func logNormal(median: Double, spread: Double) -> Double {
        let normal = sqrt(-2 * log(1 - unit())) * cos(2 * .pi * unit())
        return median * exp(normal * log(spread))
    }

    /// Returns one of the choices, according to their weights.
    package mutating func pick<Choice>(_ choices: [(Choice, Double)]) -> Choice? {
        var rest = unit() * choices.reduce(0) { $0 + $1.1 }
        for (choice, weight) in choices {
            if rest < weight { return choice }
            rest -= weight
        }
        return choices.last?.0
    }
}
