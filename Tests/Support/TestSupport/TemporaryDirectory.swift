import AstrolabePlatform
import Foundation

/// A directory of one test's own, which is made by who uses it and removed with the last reference.
package final class TemporaryDirectory: Sendable {
    package let path: String

    package init() {
        path = FileManager.default.temporaryDirectory.path + "/durability-" + IDGenerator().nextUUID()
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// All files, however deep, in the order of their names.
    package var files: [String] {
        let all = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return all.map { path + "/" + $0 }.filter { !PrivateFiles.isDirectory($0) }.sorted()
    }

    /// A copy of all that is there now, whoever has it open: what a kill at this moment would leave.
    package func copy() throws -> TemporaryDirectory {
        let copy = TemporaryDirectory()
        try FileManager.default.copyItem(atPath: path, toPath: copy.path)
        return copy
    }
}
