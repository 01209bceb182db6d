package import Foundation

/// A build of the crashing app: unoptimised, built with the tests, or optimised.
package enum FixtureBuild: String, CaseIterable, Sendable {
    case debug
    case release

    /// The builds that this run tests, for a test's arguments: the optimised one only in a thorough run, so that a
    /// default run compiles nothing in release mode.
    package static var tested: [FixtureBuild] { allCases.filter { $0 == .debug || Thoroughness.isThorough } }

    /// `nil` if this build does not exist, or if this run does not test it.
    package var executable: URL? {
        guard Self.tested.contains(self), let beside = try? BuiltProducts.executable(named: "HealthFixture") else {
            return nil
        }
        let file = beside.deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent(rawValue)
            .appendingPathComponent(beside.lastPathComponent)
        return FileManager.default.isExecutableFile(atPath: file.path) ? file : nil
    }

    package var isBuilt: Bool { executable != nil }

    package static let howToBuild =
        "the optimised HealthFixture runs with ./astrolabe test --thorough, which builds it"
}
