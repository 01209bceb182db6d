import AstrolabeTestSupport
import AstrolabeTesting
import Foundation
import Testing

/// Holds the code in `Docs/Guide/Testing.md` against `Examples`, which the compiler and the test runner see.
struct TestingDocumentTests {
    private static let document = Repository.file("Docs/Guide/Testing.md")

    @Test func `every piece of code in the document is compiled and run here`() throws {
        let folder = Repository.file("Tests/AstrolabeTestingTests/Examples")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "swift" }
        let examples = try files.map { try String(contentsOf: $0, encoding: .utf8) }
        let pieces = try Self.pieces(of: "swift")
        #expect(pieces.count >= 3)
        for piece in pieces {
            #expect(examples.contains { $0.contains(piece) }, "in none of Tests/AstrolabeTestingTests/Examples")
        }
    }

    @Test func `every script in the document can be played`() throws {
        let scripts = try Self.pieces(of: "json").map {
            try JSONDecoder().decode(ConditionsScript.self, from: Data($0.utf8))
        }
        #expect(scripts.map(\.steps.count) == [3])
        #expect(scripts.first?.conditions(at: .seconds(90)).lifecycle == .background)
    }

    /// The texts between the document's fences of a language, without the blocks that `Scripts/snippets` compares.
    private static func pieces(of language: String) throws -> [String] {
        let parts = try String(contentsOf: document, encoding: .utf8).components(separatedBy: "```\(language)\n")
        return zip(parts, parts.dropFirst()).filter { before, _ in !before.hasSuffix(" -->\n") }
            .compactMap { _, piece in piece.components(separatedBy: "```").first }
    }
}
