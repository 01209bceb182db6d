import AstrolabeTelemetryModel
import ConsoleModel
import ConsoleStore
import Foundation

/// A SQLite store of the records of one page, so that a page is computed in one way for both stores.
enum ExcerptStore {
    /// The records of a page.
    struct Records: Sendable {
        var spans: [ResourceGroup<SpanData>] = []
        var logs: [ResourceGroup<LogRecordData>] = []
        /// The oldest first, so that the newest series are those that changed last.
        var points: [ResourceGroup<MetricData>] = []
    }

    /// Evaluates `body` with a store of these records, which is removed afterwards.
    static func reading<Value: Sendable>(
        _ records: Records, configuration: StoreConfiguration, _ body: (SQLiteStore) async throws -> Value,
    ) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("astrolabe-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        var settings = configuration
        settings.path = folder.appendingPathComponent("excerpt.sqlite").path
        settings.limits.waitingRecords = .max
        let store = try await SQLiteStore(settings)
        let result: Result<Value, any Error>
        do {
            try await store.ingest(traces: records.spans)
            try await store.ingest(logs: records.logs)
            try await store.ingest(metrics: records.points)
            result = .success(try await body(store))
        } catch {
            result = .failure(error)
        }
        await store.close()
        return try result.get()
    }
}
