import Foundation

#if canImport(os)
import os
#endif

/// Lines about telemetry itself, for a developer.
enum DiagnosticLog {
    #if canImport(os)
    private static let logger = Logger(subsystem: "astrolabe", category: "telemetry")

    /// Writes a line to the unified log.
    static let write: @Sendable (String) -> Void = { line in logger.notice("\(line, privacy: .public)") }
    #else
    /// Writes a line to standard error.
    static let write: @Sendable (String) -> Void = { line in
        FileHandle.standardError.write(Data("[astrolabe] \(line)\n".utf8))
    }
    #endif
}
