package import AstrolabeTelemetryModel
import GRDB

/// What the console knows: spans, events, metric points, and the sessions they make up, in one SQLite file.
///
///     let store = try await TelemetryStore(StoreConfiguration(path: "console.sqlite"))
///     try await store.ingest(traces: groups)
///     let page = try await store.sessions(SessionQuery(text: "checkout"))
///
/// What `ingest` returns from is committed and found by every query. Taking a record twice changes nothing: a span is
/// known by its trace id and span id, an event by `log.record.uid` or its content, a point by its series and time.
package final class TelemetryStore: Sendable {
    package let configuration: StoreConfiguration
    let pool: DatabasePool
    let feed: ChangeFeed
    private let writer: WriterAccess
    private let committer: GroupCommitter

    /// Opens the file, or makes it.
    package init(_ configuration: StoreConfiguration) async throws(StoreError) {
        self.configuration = configuration
        let pool = try StoreFile.open(configuration.path)
        let writer: WriterAccess
        do {
            writer = try await WriterAccess(pool)
        } catch {
            throw StoreError(error, path: configuration.path)
        }
        let feed = ChangeFeed()
        self.pool = pool
        self.feed = feed
        self.writer = writer
        committer = GroupCommitter(
            limits: configuration.limits,
            commit: { batches in
                do {
                    return try await writer.transaction { writer in
                        try writer.write(batches, now: configuration.now())
                    }
                } catch {
                    throw StoreError(error, path: configuration.path)
                }
            },
            committed: { report in
                if report.storedRecords > 0 { await feed.publish(Change(report)) }
            },
        )
    }

    /// Waits for what was admitted, ends every subscription and closes the file.
    package func close() async {
        await committer.close()
        await feed.close()
        writer.invalidate()
        try? pool.close()
    }

    /// Changes from this moment on.
    package func changes() async -> ChangeSubscription {
        await feed.subscribe()
    }
}

extension TelemetryStore {
    @discardableResult
    package func ingest(traces groups: [ResourceGroup<SpanData>]) async throws(StoreError) -> IngestResult {
        try await ingest(PreparedBatch(traces: groups))
    }

    @discardableResult
    package func ingest(logs groups: [ResourceGroup<LogRecordData>]) async throws(StoreError) -> IngestResult {
        try await ingest(PreparedBatch(logs: groups))
    }

    @discardableResult
    package func ingest(metrics groups: [ResourceGroup<MetricData>]) async throws(StoreError) -> IngestResult {
        try await ingest(PreparedBatch(metrics: groups))
    }

    private func ingest(_ batch: PreparedBatch) async throws(StoreError) -> IngestResult {
        if batch.recordCount > 0 {
            do {
                try await committer.submit(batch)
            } catch {
                throw StoreError(error, path: configuration.path)
            }
        }
        return IngestResult(
            accepted: batch.recordCount, rejected: batch.rejection.count, reason: batch.rejection.reason,
        )
    }

    /// Runs `body` in a transaction on the writer's queue, between two commits of records.
    func maintain<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        do {
            return try await writer.maintain(body)
        } catch {
            throw StoreError(error, path: configuration.path)
        }
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        do {
            return try await pool.read(body)
        } catch {
            throw StoreError(error, path: configuration.path)
        }
    }
}

/// What became of the records of one request.
package struct IngestResult: Sendable, Hashable {
    /// Records that are on disk now, those that had been there before included.
    package let accepted: Int
    /// Records that no retry will make acceptable.
    package let rejected: Int
    /// Why the first of the rejected was.
    package let reason: String?
}
