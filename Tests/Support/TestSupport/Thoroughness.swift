import Foundation

/// How often the tests repeat what is left to chance.
package enum Thoroughness {
    /// A sample by default; all of it in a run of `./astrolabe test --thorough`, which sets `ASTROLABE_THOROUGH`.
    package static func count(_ sample: Int, thorough: Int) -> Int {
        ProcessInfo.processInfo.environment["ASTROLABE_THOROUGH"] == nil ? sample : thorough
    }
}
