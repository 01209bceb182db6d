package import Foundation

/// The checkout that the tests are built from.
package enum Repository {
    /// - Parameter path: Relative to the root of the repository, such as "Docs/Guide/Testing.md".
    package static func file(_ path: String) -> URL {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        return root.appendingPathComponent(path)
    }
}
