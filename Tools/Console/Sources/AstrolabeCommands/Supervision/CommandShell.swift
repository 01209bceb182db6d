import Foundation
import TelemetryConsole

/// The process as a command sees it: the arguments, the environment and the output. A test replaces it.
struct CommandShell: Sendable {
    /// The shell of the command that the task runs.
    @TaskLocal static var current = CommandShell.process

    /// The arguments after the name of the program.
    var arguments: [String]
    var environment: @Sendable () -> [String: String]
    /// Writes text to standard output.
    var output: @Sendable (String) -> Void
    /// Writes text to standard error.
    var errors: @Sendable (String) -> Void
    /// True if the signals that stop the process stop the command.
    var handlesSignals: Bool
    /// The capabilities of the consoles that the command starts.
    var capabilities = ConsoleCapabilities()

    /// The shell of this process. It writes without buffering, also if its output is a pipe.
    static let process = CommandShell(
        arguments: Array(CommandLine.arguments.dropFirst()), environment: { ProcessInfo.processInfo.environment },
        output: { FileHandle.standardOutput.write(Data($0.utf8)) },
        errors: { FileHandle.standardError.write(Data($0.utf8)) }, handlesSignals: true)
}
