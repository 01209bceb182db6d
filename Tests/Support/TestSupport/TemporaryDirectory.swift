import AstrolabePlatform
import Foundation

/// A test's own directory, created by its user and removed with the last reference.
package final class TemporaryDirectory: Sendable {
    package let path: String

    package init() {
        path = TestFolders.path("directory")
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// All files at any depth, sorted by name.
    package var files: [String] {
        let all = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return all.map { path + "/" + $0 }.filter { !PrivateFiles.isDirectory($0) }.sorted()
    }

    /// Returns a copy of the current files, even open ones, as a kill would leave them.
    package func copy() throws -> TemporaryDirectory {
        let copy = TemporaryDirectory()
        try FileManager.default.copyItem(atPath: path, toPath: copy.path)
        return copy
    }
}
