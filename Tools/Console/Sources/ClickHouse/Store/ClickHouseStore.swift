package import AstrolabeTelemetryModel
package import ConsoleModel

/// A store in the tables of the Collector's ClickHouse exporter.
///
///     let store = try await ClickHouseStore(ClickHouseConfiguration(address: address), StoreConfiguration(path: path))
///
/// Lists are read with SQL. The page of one trace or session needs values that are derived from its records, so the
/// store copies them into an ``ExcerptStore`` and reads the page there. Consoles keep nothing, so any number of them
/// may serve one database.
package final class ClickHouseStore: TelemetryStore, QueryEvaluator {
    package let configuration: StoreConfiguration
    package let client: ClickHouseClient
    private let writer: ClickHouseWriter
    let feed = ChangeFeed()

    /// Makes the tables that are missing.
    ///
    /// - Parameter configuration: Only its milestones and its clock are used.
    package init(_ clickHouse: ClickHouseConfiguration, _ configuration: StoreConfiguration) async throws {
        self.configuration = configuration
        client = ClickHouseClient(clickHouse)
        writer = ClickHouseWriter(client, now: configuration.now)
        try await SchemaMigrator(client).run()
    }

    @discardableResult
    package func ingest(traces groups: [ResourceGroup<SpanData>]) async throws(StoreError) -> IngestResult {
        let result = try await stored { try await self.writer.write(traces: groups) }
        let rejected = groups.reduce(0) { $0 + $1.recordCount } - result.accepted
        guard rejected > 0 else { return result }
        return IngestResult(
            accepted: result.accepted, rejected: rejected,
            reason: "a span has an invalid trace id or span id; both must be non-zero")
    }

    @discardableResult
    package func ingest(logs groups: [ResourceGroup<LogRecordData>]) async throws(StoreError) -> IngestResult {
        try await stored { try await self.writer.write(logs: groups) }
    }

    @discardableResult
    package func ingest(metrics groups: [ResourceGroup<MetricData>]) async throws(StoreError) -> IngestResult {
        try await stored { try await self.writer.write(metrics: groups) }
    }

    private func stored(_ write: @Sendable () async throws -> Int) async throws(StoreError) -> IngestResult {
        let count = try await asking(write)
        // Which sessions and traces changed is not known, so pages read again what they show.
        if count > 0 { await feed.publish(Change(everythingAt: Int64(clamping: configuration.now()))) }
        return IngestResult(accepted: count, rejected: 0, reason: nil)
    }

    /// ClickHouse removes expired records itself.
    @discardableResult
    package func applyRetention() async throws(StoreError) -> RetentionReport { RetentionReport() }

    /// Reads a table and inserts none of its rows, which needs all that storing a span needs.
    package func check() async throws(StoreError) {
        let table = OTelTable.traces.rawValue
        _ = try await asking {
            try await self.client.execute(Statement("INSERT INTO \(table) SELECT * FROM \(table) LIMIT 0"))
        }
    }

    package func changes() async -> ChangeSubscription { await feed.subscribe() }

    package func close() async { await feed.close() }

    /// Runs statements, and reports their errors as those of a store.
    func asking<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws(StoreError) -> Value {
        do {
            return try await body()
        } catch let error as StoreError {
            throw error
        } catch {
            throw .failed(detail: "\(error)")
        }
    }
}
