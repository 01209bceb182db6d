import Testing

@testable import TelemetryBoards

@Suite struct `The boards that ship` {
    @Test(arguments: ShippedBoards.ids) func `are valid and survive writing`(id: String) throws {
        let source = try #require(ShippedBoards.source(id))
        let board = try Board(yaml: source, file: "\(id).yaml")
        #expect(BoardLimits.isID(id))
        #expect(!board.panels.isEmpty)
        #expect(try Board(yaml: board.yaml, file: "again") == board)
        #expect(try Board(json: board.json()) == board)
        #expect(board.yaml(replacing: source) == source)
    }
}
