import Foundation

/// The number of times that tests repeat what is left to chance.
package enum Thoroughness {
    /// True while `./astrolabe test --thorough` runs, which sets `ASTROLABE_THOROUGH`.
    package static var isThorough: Bool { ProcessInfo.processInfo.environment["ASTROLABE_THOROUGH"] != nil }

    /// A sample by default; all of it in a thorough run.
    package static func count(_ sample: Int, thorough: Int) -> Int { isThorough ? thorough : sample }
}
