import AstrolabePlatform
import AstrolabeSeededRandomness
import Foundation

/// The random numbers of a run: the same for the same `FIXTURE_SEED`.
enum Chance {
    private static let generator = Locked(
        SeededGenerator(seed: ProcessInfo.processInfo.environment["FIXTURE_SEED"].flatMap { UInt64($0) } ?? 1))

    static func number(in range: ClosedRange<Int>) -> Int {
        generator.withLock { Int.random(in: range, using: &$0) }
    }

    static func coin() -> Bool { number(in: 0...1) == 0 }
}
