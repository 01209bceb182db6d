import ClickHouse
import ClickHouseFixture
import Foundation
import Testing

@testable import TelemetryConsole

/// The stores that a page is tested on.
enum TestedStore: String, CaseIterable, CustomTestStringConvertible {
    case embedded
    case clickHouse

    /// Without ClickHouse, which says so once, the embedded store only.
    static let all: [TestedStore] = {
        if ClickHouseServer.command != nil { return allCases }
        print("Pages are tested on the embedded store only: \(ClickHouseServer.isMissing).")
        return [.embedded]
    }()

    var testDescription: String { rawValue }

    /// Evaluates `body` with a console's configuration, while the store's server runs.
    func serving<Value: Sendable>(
        _ configuration: ConsoleConfiguration, in folder: URL,
        _ body: (ConsoleConfiguration) async throws -> Value,
    ) async throws -> Value {
        guard self == .clickHouse else { return try await body(configuration) }
        let server = try await ClickHouseServer(folder: folder.appendingPathComponent("clickhouse"))
        var configuration = configuration
        var clickHouse = try server.client().configuration
        // The records of tests are of any time.
        clickHouse.retentionDays = 3_650
        configuration.clickHouse = clickHouse
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(configuration))
        } catch {
            result = .failure(error)
        }
        await server.kill()
        return try result.get()
    }
}
