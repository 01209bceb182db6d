package import ClickHouse
import Foundation

/// A database of its own for each test, on one server for all tests of the process.
///
///     try await ClickHouseDatabase.run { client in
///         try await SchemaMigrator(client).run()
///     }
///
/// A server takes seconds to start, and it runs queries one after the other. It ends with the process.
package enum ClickHouseDatabase {
    private static let start = Task { try await ClickHouseServer(folder: folder) }

    /// The folder of the server, which is removed when the process ends.
    private static let folder: URL = {
        atexit { try? FileManager.default.removeItem(at: ClickHouseDatabase.folder) }
        return FileManager.default.temporaryDirectory.appendingPathComponent("clickhouse-\(UUID().uuidString)")
    }()

    /// The server. A test that kills one, or sets its password, starts its own.
    package static var server: ClickHouseServer { get async throws { try await start.value } }

    /// Runs `body` with a client of a database that does not exist yet, and drops the database.
    package static func run<Value>(_ body: (ClickHouseClient) async throws -> Value) async throws -> Value {
        let name = "test_" + UUID().uuidString.lowercased().replacing("-", with: "_")
        let client = try await server.client(database: name)
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(client))
        } catch {
            result = .failure(error)
        }
        try? await client.execute(Statement("DROP DATABASE IF EXISTS \(name)"), inDatabase: false)
        return try result.get()
    }
}
