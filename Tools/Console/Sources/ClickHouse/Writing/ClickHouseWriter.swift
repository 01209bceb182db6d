package import AstrolabeTelemetryModel
import ConsoleStore

/// Writes OTLP records into the exporter's tables.
///
///     let writer = ClickHouseWriter(client)
///     try await writer.write(traces: groups)
///
/// When `write` returns, ClickHouse has the records.
package struct ClickHouseWriter: Sendable {
    private let queues: [OTelTable: InsertQueue]

    package init(_ client: ClickHouseClient) {
        queues = Dictionary(uniqueKeysWithValues: OTelTable.allCases.map { ($0, InsertQueue($0, client)) })
    }

    /// Returns the number of stored spans.
    @discardableResult
    package func write(traces groups: [ResourceGroup<SpanData>]) async throws -> Int {
        var rows = RowBinaryWriter()
        let count = rows.write(traces: groups)
        try await queues[.traces]?.insert(rows.bytes, count: count)
        return count
    }

    /// Returns the number of stored log records.
    @discardableResult
    package func write(logs groups: [ResourceGroup<LogRecordData>]) async throws -> Int {
        var rows = RowBinaryWriter()
        let count = rows.write(logs: groups)
        try await queues[.logs]?.insert(rows.bytes, count: count)
        return count
    }

    /// Returns the number of stored points.
    @discardableResult
    package func write(metrics groups: [ResourceGroup<MetricData>]) async throws -> Int {
        let rows = MetricRows(groups)
        for (table, writer) in rows.writers.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            try await queues[table]?.insert(writer.bytes, count: rows.counts[table] ?? 0)
        }
        return rows.counts.values.reduce(0, +)
    }
}
