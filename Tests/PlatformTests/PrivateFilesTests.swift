import Foundation
import Testing

@testable import AstrolabePlatform

@Suite struct `A private file` {
    private static func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("private-\(UUID().uuidString)")
        try PrivateFiles.makeDirectory(folder.path)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.path)
    }

    @Test func `is replaced as a whole, for the owner alone, without leftovers`() throws {
        try Self.withFolder { folder in
            let path = folder + "/id"
            try PrivateFiles.replace(path, with: Array("a long text".utf8))
            try PrivateFiles.replace(path, with: Array("short".utf8))
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "short")
            #expect(PrivateFiles.names(in: folder) == ["id"])
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func `is replaced durably in the same way`() throws {
        try Self.withFolder { folder in
            let path = folder + "/id"
            try PrivateFiles.replaceDurably(path, with: Array("a long text".utf8))
            try PrivateFiles.replaceDurably(path, with: Array("short".utf8))
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "short")
            #expect(PrivateFiles.names(in: folder) == ["id"])
            try PrivateFiles.synchronizeDirectory(folder)
            #expect(throws: SystemError.self) { try PrivateFiles.synchronizeDirectory(folder + "/missing") }
        }
    }

    @Test func `does not change if the new one cannot replace it`() throws {
        try Self.withFolder { folder in
            let path = folder + "/id"
            try PrivateFiles.makeDirectory(path)
            try Data("kept".utf8).write(to: URL(fileURLWithPath: path + "/inside"))
            let failure = #expect(throws: SystemError.self) { try PrivateFiles.replace(path, with: [1]) }
            #expect(failure?.operation == "rename")
            #expect(PrivateFiles.names(in: folder) == ["id"])
            #expect(try String(contentsOfFile: path + "/inside", encoding: .utf8) == "kept")
        }
    }
}
