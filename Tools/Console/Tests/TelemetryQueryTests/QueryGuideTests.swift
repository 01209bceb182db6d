import Foundation
import Testing

@testable import TelemetryQuery

/// The examples of the guides are queries.
@Suite
struct QueryGuideTests {
    private static func blocks(_ language: String, in page: String = "Queries.md") throws -> [String] {
        // Five folders up: the file, the suite, Tests, Console, Tools.
        let root = (0..<5).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let text = try String(contentsOf: root.appendingPathComponent("Docs/Guide/\(page)"), encoding: .utf8)
        return text.components(separatedBy: "```\(language)\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
    }

    // GuideQueryTests asks them all.
    @Test(arguments: [("Queries.md", 15), ("Shop.md", 4), ("Demo.md", 4)])
    func `each line of a block of queries is read, planned and written in the same way`(
        page: String, atLeast: Int,
    ) throws {
        let lines = try Self.blocks("query", in: page).flatMap { $0.split(separator: "\n") }
        #expect(lines.count > atLeast)
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
    func `the JSON of the guide to journeys is a funnel`() throws {
        let body = try #require(try Self.blocks("json", in: "Journeys.md").first)
        #expect(try FunnelQuery(json: Data(body.utf8)).steps.map(\.name) == ["Product list", "Cart", "Order"])
    }

    @Test
    func `the JSON of the guide is the query of the guide`() throws {
        let body = try #require(try Self.blocks("json").first)
        let line = try #require(try Self.blocks("query").first)
        #expect(try Query(json: Data(body.utf8)).description == String(line.split(separator: "\n")[0]))
    }
}
