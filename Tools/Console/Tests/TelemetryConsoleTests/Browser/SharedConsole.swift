import Foundation
import ShopHistory
import Testing

@testable import TelemetryConsole

/// A console with records that all tests of a suite read, and none changes.
struct SharedConsole: SuiteTrait, TestScoping {
    /// The console of the suite that runs.
    @TaskLocal static var current: ConsoleUnderTest?

    fileprivate let adjust: @Sendable (inout ConsoleConfiguration) -> Void
    fileprivate let fill: @Sendable (ConsoleUnderTest) async throws -> Void

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void,
    ) async throws {
        let (consoles, started) = AsyncStream.makeStream(of: ConsoleUnderTest.self)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let running = Task {
            defer { started.finish() }
            try await ConsoleUnderTest.run(adjust) { console in
                try await fill(console)
                started.yield(console)
                for await _ in ends {}
            }
        }
        guard let console = await consoles.first(where: { _ in true }) else { return try await running.value }
        defer { end.finish() }
        try await Self.$current.withValue(console) { try await function() }
        end.finish()
        try await running.value
    }
}

extension Trait where Self == SharedConsole {
    /// - Parameters:
    ///   - adjust: Changes the configuration.
    ///   - fill: Sends the records.
    static func console(
        _ adjust: @escaping @Sendable (inout ConsoleConfiguration) -> Void,
        with fill: @escaping @Sendable (ConsoleUnderTest) async throws -> Void,
    ) -> SharedConsole {
        SharedConsole(adjust: adjust, fill: fill)
    }
}

extension HistorySettings {
    /// A history that ends yesterday evening, because some services have no records in the hours of the night.
    ///
    /// Its records are the same every day, at other times: they depend on the hour of its end alone.
    static func ofYesterday(sessions: Int = defaultSessions) -> HistorySettings {
        let days = UInt64(Date().timeIntervalSince1970) / 86_400
        var settings = HistorySettings(end: (days * 86_400 - 4 * 3_600) * 1_000_000_000)
        settings.sessions = sessions
        return settings
    }
}
