import AstrolabePlatform
import ConsoleTransports
import Foundation
import Logging
import TelemetryConsole

@testable import AstrolabeCommands

extension ConsoleSwitch {
    /// Starts a console in the process of the tests. The test must unplug it.
    ///
    /// - Parameter database: The path of its file, in a folder that is made if it does not exist.
    static func listening(
        on database: String, _ adjust: (inout ConsoleConfiguration) throws -> Void = { _ in },
    ) async throws -> ConsoleSwitch {
        try PrivateFiles.makeDirectory(URL(fileURLWithPath: database).deletingLastPathComponent().path)
        var configuration = ConsoleConfiguration(databasePath: database)
        configuration.capabilities = .all
        configuration.port = 0
        configuration.logger.logLevel = .critical
        try adjust(&configuration)
        let plug = ConsoleSwitch(configuration)
        try await plug.plugIn()
        return plug
    }

    /// Runs `body` with the address of a console, which stops at the end of it.
    static func run<Value: Sendable>(
        on database: String, _ adjust: (inout ConsoleConfiguration) throws -> Void = { _ in },
        _ body: (_ address: String) async throws -> Value,
    ) async throws -> Value {
        let plug = try await listening(on: database, adjust)
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(await plug.address))
        } catch {
            result = .failure(error)
        }
        try await plug.unplug()
        return try result.get()
    }
}
