package import AstrolabeTelemetryModel
import ConsoleModel

/// Writes OTLP records into the exporter's tables.
///
///     let writer = ClickHouseWriter(client, now: configuration.now)
///     try await writer.write(traces: groups)
///
/// When `write` returns, ClickHouse has the records.
package struct ClickHouseWriter: Sendable {
    private let queues: [OTelTable: InsertQueue]

    private let now: @Sendable () -> UInt64

    /// - Parameter now: The time in nanoseconds since 1970, which is that of a record without a time.
    package init(_ client: ClickHouseClient, now: @escaping @Sendable () -> UInt64) {
        self.now = now
        queues = Dictionary(uniqueKeysWithValues: OTelTable.allCases.map { ($0, InsertQueue($0, client)) })
    }

    /// Returns the number of stored spans.
    @discardableResult
    package func write(traces groups: [ResourceGroup<SpanData>]) async throws -> Int {
        var rows = RowBinaryWriter()
        let count = rows.write(traces: groups, RecordTimes(arrival: now()))
        try await queues[.traces]?.insert(rows.bytes, count: count)
        return count
    }

    /// Returns the number of stored log records.
    @discardableResult
    package func write(logs groups: [ResourceGroup<LogRecordData>]) async throws -> Int {
        var rows = RowBinaryWriter()
        let count = rows.write(logs: groups, RecordTimes(arrival: now()))
        try await queues[.logs]?.insert(rows.bytes, count: count)
        return count
    }

    /// Returns the number of stored points.
    @discardableResult
    package func write(metrics groups: [ResourceGroup<MetricData>]) async throws -> Int {
        let rows = MetricTableRows(groups, RecordTimes(arrival: now()))
        for (table, writer) in rows.writers.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            try await queues[table]?.insert(writer.bytes, count: rows.counts[table] ?? 0)
        }
        return rows.counts.values.reduce(0, +)
    }
}
