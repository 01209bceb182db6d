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

    /// Evaluates `body` with a console's configuration, while the store has a database.
    func serving<Value: Sendable>(
        _ configuration: ConsoleConfiguration, _ body: (ConsoleConfiguration) async throws -> Value,
    ) async throws -> Value {
        guard self == .clickHouse else { return try await body(configuration) }
        return try await ClickHouseDatabase.run { client in
            var configuration = configuration
            configuration.clickHouse = client.configuration
            return try await body(configuration)
        }
    }
}
