import Foundation

extension BridgedLogHandler.Mirror {
    /// Writes the line with the time to standard error, at once and in one piece. Errors there are ignored.
    static let standardError: @Sendable (String) -> Void = { line in
        let time = Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        try? FileHandle.standardError.write(contentsOf: Data("\(time) \(line)\n".utf8))
    }
}
