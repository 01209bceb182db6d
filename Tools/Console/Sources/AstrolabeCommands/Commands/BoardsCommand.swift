import ArgumentParser
import Foundation
import TelemetryBoards

/// The command that works on board files.
struct BoardsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "boards", abstract: "Write boards in the form of other backends.",
        subcommands: [HoneycombCommand.self])
}

/// The command that writes boards as Honeycomb's queries, boards and triggers.
struct HoneycombCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "honeycomb", abstract: "Write boards as the JSON of Honeycomb's API.",
        discussion: "Docs/Guide/Honeycomb.md says how to send it. What Honeycomb cannot say is in the notes.")

    @Argument(help: "Board files (YAML). Without any, the boards that ship.")
    var files: [String] = []

    @Option(help: "The folder for one file of each board. Without it, the boards are printed.")
    var out: String?

    func run() async throws {
        try await UserFacingErrors.run {
            var boards: [(name: String, board: HoneycombBoard)] = []
            if files.isEmpty {
                for id in ShippedBoards.ids {
                    let source = ShippedBoards.source(id) ?? ""
                    boards.append((id, HoneycombBoard(try Board(yaml: source, file: id + ".yaml"))))
                }
            }
            for file in files {
                let name = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
                boards.append((name, HoneycombBoard(try BoardFiles.read(file))))
            }
            for (name, board) in boards { try write(board, name) }
        }
    }

    private func write(_ board: HoneycombBoard, _ name: String) throws {
        let json = try board.json()
        guard let out else { return say(String(decoding: json, as: UTF8.self)) }
        let folder = URL(fileURLWithPath: out, isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appendingPathComponent(name + ".json")
        try json.write(to: file, options: .atomic)
        say("\(file.relativePath)  \(board.queries.count) queries, \(board.triggers.count) triggers")
        for note in board.notes { say("  \(note)") }
    }
}
