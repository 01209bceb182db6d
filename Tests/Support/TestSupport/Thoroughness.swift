import Foundation

/// How often the tests repeat what is left to chance.
package enum Thoroughness {
    /// Whether `./astrolabe test --thorough` runs, which sets `ASTROLABE_THOROUGH`.
    package static var isThorough: Bool { ProcessInfo.processInfo.environment["ASTROLABE_THOROUGH"] != nil }

    /// A sample by default; all of it in a thorough run.
    package static func count(_ sample: Int, thorough: Int) -> Int { isThorough ? thorough : sample }
}
