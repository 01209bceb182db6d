import Foundation
import TelemetryBoards

/// Reads board files that a command names.
enum BoardFiles {
    static func read(_ path: String) throws -> Board {
        let file = URL(fileURLWithPath: path)
        guard let source = try? String(contentsOf: file, encoding: .utf8) else {
            throw BoardError(file: path, line: nil, message: "expected a file that can be read, in UTF-8")
        }
        return try Board(yaml: source, file: path)
    }
}
