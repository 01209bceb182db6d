package import Foundation

/// A build of the crashing app: unoptimised, built with the tests, or optimised, built by `./astrolabe test`.
package enum FixtureBuild: String, CaseIterable, Sendable {
    case debug
    case release

    /// `nil` if this build does not exist.
    package var executable: URL? {
        guard let beside = try? BuiltProducts.executable(named: "HealthFixture") else { return nil }
        let file = beside.deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent(rawValue)
            .appendingPathComponent(beside.lastPathComponent)
        return FileManager.default.isExecutableFile(atPath: file.path) ? file : nil
    }

    package var isBuilt: Bool { executable != nil }

    package static let howToBuild =
        "HealthFixture is not built so; ./astrolabe test does it, and so does swift build -c release --product HealthFixture"
}
