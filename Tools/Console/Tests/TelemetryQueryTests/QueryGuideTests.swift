import Foundation
import Testing

@testable import TelemetryQuery

/// The examples of `Docs/Guide/Queries.md` are queries.
@Suite
struct QueryGuideTests {
    private static func blocks(_ language: String) throws -> [String] {
        // Five folders up: the file, the suite, Tests, Console, Tools.
        let root = (0..<5).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let page = try String(contentsOf: root.appendingPathComponent("Docs/Guide/Queries.md"), encoding: .utf8)
        return page.components(separatedBy: "```\(language)\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
    }

    @Test
    func `each line of a block of queries is read, planned and written in the same way`() throws {
        let lines = try Self.blocks("query").flatMap { $0.split(separator: "\n") }
        #expect(lines.count > 15)
        for line in lines {
            do {
                let query = try Query(text: String(line))
                #expect(query.description == line)
                _ = try QueryPlan(query, now: RandomRecords.now)
            } catch {
                Issue.record("\(line): \(error)")
            }
        }
    }

    @Test
    func `the JSON of the guide is the query of the guide`() throws {
        let body = try #require(try Self.blocks("json").first)
        let line = try #require(try Self.blocks("query").first)
        #expect(try Query(json: Data(body.utf8)).description == String(line.split(separator: "\n")[0]))
    }
}
