import AstrolabeTestSupport
import Foundation
import Testing

struct PolicyDocumentTests {
    /// With `ASTROLABE_WRITE_DOCS=1` in the environment the tables are written instead of compared.
    @Test func `the tables of the document match the policy`() throws {
        let file = Repository.file("Docs/Internals/PolicyTables.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let begin = try #require(text.range(of: PolicyDocument.begin))
        let end = try #require(text.range(of: PolicyDocument.end))
        let written = text[begin.upperBound..<end.lowerBound]
        let expected = "\n\n" + PolicyDocument.tables + "\n\n"
        if ProcessInfo.processInfo.environment["ASTROLABE_WRITE_DOCS"] == "1" {
            let updated = text.replacingCharacters(in: begin.upperBound..<end.lowerBound, with: expected)
            try updated.write(to: file, atomically: true, encoding: .utf8)
            return
        }
        #expect(
            written == expected,
            "PolicyTables.md is stale: ASTROLABE_WRITE_DOCS=1 swift test --filter PolicyDocumentTests rewrites it",
        )
    }
}
