import Foundation
import Testing

@testable import TelemetryBoards
@testable import TelemetryQuery

/// The examples of `Docs/Guide/Boards.md` and `Docs/Guide/Honeycomb.md` are what they say.
@Suite struct `The guides of boards` {
    private static func blocks(_ language: String, of page: String) throws -> [String] {
        // Five folders up: the file, the suite, Tests, Console, Tools.
        let root = (0..<5).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let page = try String(contentsOf: root.appendingPathComponent("Docs/Guide/\(page)"), encoding: .utf8)
        return page.components(separatedBy: "```\(language)\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
    }

    @Test func `each YAML block is a board, as console and as Honeycomb take it`() throws {
        let blocks = try Self.blocks("yaml", of: "Boards.md")
        #expect(blocks.count == 2)
        for (block, queries) in zip(blocks, [3, 0]) {
            let board = try Board(yaml: block, file: "Boards.md")
            #expect(try Board(yaml: board.yaml, file: "") == board)
            #expect(HoneycombBoard(board).queries.count == queries)
        }
    }

    @Test func `the JSON query of the Honeycomb guide is the text beside it`() throws {
        let block = try #require(try Self.blocks("json", of: "Honeycomb.md").first)
        let json = try #require(try JSONSerialization.jsonObject(with: Data(block.utf8)) as? NSDictionary)
        #expect(HoneycombSpecification.problems(inQuery: json as? [String: Any] ?? [:]) == [])
        let query = try Query(text: "p95(duration), count by http.route where kind = server limit 10")
        var notes: [String] = []
        let written = try HoneycombQuery(query, range: .last(nanoseconds: 21_600_000_000_000), notes: &notes)
        let encoded = try JSONSerialization.jsonObject(with: HoneycombBoard.encoder.encode(written)) as? NSDictionary
        #expect(encoded == json)
    }
}
