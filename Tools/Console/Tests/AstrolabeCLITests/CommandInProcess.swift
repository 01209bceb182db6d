import ArgumentParser
import AstrolabePlatform
import ConsoleTransports

@testable import AstrolabeCommands

/// The commands of `astrolabe` in the process of the tests. `Executable` runs them as processes.
enum CommandInProcess {
    /// Runs a command, and returns its status and all of its output.
    ///
    /// - Parameters:
    ///   - key: The value of `ASTROLABE_KEY`.
    ///   - environment: The other variables.
    static func run(
        _ arguments: [String], key: String? = nil, environment others: [String: String] = [:],
    ) async -> (status: Int32, output: String) {
        let text = Locked("")
        let write: @Sendable (String) -> Void = { part in text.withLock { $0 += part } }
        let environment = others.merging(key.map { [ConsoleKey.variable: $0] } ?? [:]) { $1 }
        let shell = CommandShell(
            arguments: arguments, environment: { environment }, output: write, errors: write, handlesSignals: false,
            capabilities: .all)
        let status = await CommandShell.$current.withValue(shell) { await Self.status(of: arguments, write) }
        return (status, text.withLock { $0 })
    }

    /// As the generated `main` of the program, which exits with the status.
    private static func status(of arguments: [String], _ write: (String) -> Void) async -> Int32 {
        do {
            var command = try await AstrolabeCommand.asyncParseAsRoot(arguments)
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
            return 0
        } catch {
            let message = AstrolabeCommand.fullMessage(for: error, columns: nil)
            if !message.isEmpty { write(message + "\n") }
            return AstrolabeCommand.exitCode(for: error).rawValue
        }
    }
}
