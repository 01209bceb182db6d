import Foundation
import Testing

/// Apps in `Tests/Apps`, as their developers would write them for iOS alone.
@Suite struct `An app that knows nothing of Linux` {
    @Test(arguments: ["Groceries"])
    func `compiles unchanged`(name: String) async throws {
        let folder = Compiler.sources.deletingLastPathComponent().appendingPathComponent("Apps/\(name)")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        let sources = (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
        #expect(sources.count >= 5)
        #expect(try await Compiler.errors(in: sources) == [:])
    }
}
