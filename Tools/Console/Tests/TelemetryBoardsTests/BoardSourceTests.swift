import Testing

@testable import TelemetryBoards

@Suite struct `Saving over a file` {
    private static let source = """
        # Made by hand.
        title: Checkout   # the page
        time: last 6h

        # The panels in the order of the steps.
        panels:
          # Keep this one first.
          - title: One
            query: count          # all of them
          - title: Two
            query: >-
              count by name
              where kind = server
            as: bar

          # The last one.
          - {title: Three, query: rate}
        alerts:
          # Wakes somebody.
          - name: Many
            query: count
            above: 5
            window: 5m

        """

    private static var board: Board { get throws { try Board(yaml: source, file: "") } }

    @Test func `without a change writes the same text`() throws {
        #expect(try Self.board.yaml(replacing: Self.source) == Self.source)
    }

    @Test func `changes the lines of one panel and keeps all others`() throws {
        var board = try Self.board
        board.panels[1].title = "Second"
        let text = board.yaml(replacing: Self.source)
        #expect(try Board(yaml: text, file: "") == board)
        for comment in [
            "# Made by hand.", "# the page", "# The panels in the order", "# Keep this one first.", "# all of them",
            "# The last one.", "# Wakes somebody.",
        ] { #expect(text.contains(comment), "\(comment)") }
        #expect(text.contains("- title: Second"))
        #expect(!text.contains(">-"))
    }

    @Test func `moves and removes panels with their comments`() throws {
        var board = try Self.board
        board.panels = [board.panels[2], board.panels[0]]
        let text = board.yaml(replacing: Self.source)
        #expect(try Board(yaml: text, file: "") == board)
        let lines = text.split(separator: "\n").map(String.init)
        let last = try #require(lines.firstIndex { $0.contains("# The last one.") })
        let first = try #require(lines.firstIndex { $0.contains("# Keep this one first.") })
        #expect(last < first)
        #expect(!text.contains(">-"))
    }

    @Test(
        arguments: [
            "{title: A, panels: [{title: One, query: count}]}", "---\ntitle: A\npanels: [{title: One, query: count}]",
            "panels:\n- {title: One, query: count}\ntitle: A",
            "title: A\npanels:\n  - title: One\n    query: count # x",
            "\"title\": A\npanels:\n\n\n\n  -\n    query: count\n    title: One\n# end",
        ])
    func `writes the board whatever the layout of the file is`(source: String) throws {
        var board = try Board(yaml: source, file: "")
        board.panels.append(BoardPanel(title: "More", content: .query(try BoardQuery("rate"), as: .number)))
        #expect(try Board(yaml: board.yaml(replacing: source), file: "") == board)
        board.title = "B"
        board.panels.remove(at: 0)
        #expect(try Board(yaml: board.yaml(replacing: source), file: "") == board)
    }
}
