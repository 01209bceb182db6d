import AstrolabePlatform
package import AstrolabeTelemetryModel
package import ConsoleModel
import GRDB

/// A store of spans, events, metric points and their sessions in one SQLite file.
///
///     let store = try await SQLiteStore(StoreConfiguration(path: "console.sqlite"))
///     try await store.ingest(traces: groups)
///     let page = try await store.sessions(SessionQuery(text: "checkout"))
///
/// When `ingest` returns, its records are committed and visible to every query. Storing a record twice has no effect.
/// Spans are identified by trace id, span id, service and kind; events by `log.record.uid`, or their content and place
/// among equal ones in a request; points by series and time.
package final class SQLiteStore: TelemetryStore, ArrivalSource {
    package let configuration: StoreConfiguration
    let pool: DatabasePool
    let feed: ChangeFeed
    let scans = KeptScans()
    let arrivals: KeptArrivals
    let ages: Locked<AgeClock>
    /// True if the disk has refused an export since the last ``check()``.
    let wasFull: Locked<Bool>
    private let writer: WriterAccess
    private let committer: GroupCommitter
    private let milestones: MilestoneFinder

    /// Opens the file, or creates it.
    package init(_ configuration: StoreConfiguration) async throws(StoreError) {
        self.configuration = configuration
        milestones = MilestoneFinder(configuration.milestones)
        let pool = try StoreFile.open(configuration)
        let writer: WriterAccess
        let ages: Locked<AgeClock>
        do {
            writer = try await WriterAccess(pool)
            let reading = configuration.reading
            ages = Locked(try await pool.read { try QueryConnection($0).ageClock(at: reading) })
        } catch {
            throw StoreError(error, path: configuration.path)
        }
        let feed = ChangeFeed()
        let arrivals = KeptArrivals(bytes: configuration.limits.arrivalBytes)
        let wasFull = Locked(false)
        self.pool = pool
        self.arrivals = arrivals
        self.feed = feed
        self.writer = writer
        self.ages = ages
        self.wasFull = wasFull
        committer = GroupCommitter(
            limits: configuration.limits,
            commit: { parts in
                do {
                    let report = try await writer.transaction { writer in
                        let reading = configuration.reading
                        let age = ages.withLock { clock in
                            clock.advance(to: reading)
                            return clock.state.age
                        }
                        return try writer.write(parts, at: Arrival(wall: reading.wall, age: age))
                    }
                    arrivals.add(report.arrivals)
                    return report
                } catch {
                    arrivals.restart()
                    let failure = StoreError(error, path: configuration.path)
                    if case .diskFull = failure { wasFull.withLock { $0 = true } }
                    throw failure
                }
            },
            committed: { report in
                if report.storedRecords > 0 { await feed.publish(Change(report)) }
            },
        )
    }

    /// Waits for accepted records, ends all subscriptions and closes the file.
    package func close() async {
        await committer.close()
        try? await saveAge()
        await feed.close()
        writer.invalidate()
        try? pool.close()
    }

    /// Subscribes to all changes from now on.
    package func changes() async -> ChangeSubscription {
        await feed.subscribe()
    }
}

extension SQLiteStore {
    @discardableResult
    package func ingest(traces groups: [ResourceGroup<SpanData>]) async throws(StoreError) -> IngestResult {
        try await ingest(PreparedBatch(traces: groups, milestones: milestones, times: times))
    }

    @discardableResult
    package func ingest(logs groups: [ResourceGroup<LogRecordData>]) async throws(StoreError) -> IngestResult {
        try await ingest(PreparedBatch(logs: groups, milestones: milestones, times: times))
    }

    @discardableResult
    package func ingest(metrics groups: [ResourceGroup<MetricData>]) async throws(StoreError) -> IngestResult {
        try await ingest(PreparedBatch(metrics: groups, times: times))
    }

    private var times: RecordTimes { RecordTimes(arrival: configuration.now()) }

    private func ingest(_ batch: PreparedBatch) async throws(StoreError) -> IngestResult {
        var conflicts = Rejection()
        if batch.recordCount > 0 {
            do {
                conflicts = try await committer.submit(batch)
            } catch {
                throw StoreError(error, path: configuration.path)
            }
        }
        return IngestResult(
            accepted: batch.recordCount - conflicts.count, rejected: batch.rejection.count + conflicts.count,
            reason: batch.rejection.reason ?? conflicts.reason)
    }

    /// Runs `body` in a transaction on the writing queue, between two commits of records.
    func maintain<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        do {
            return try await writer.maintain(body)
        } catch {
            throw StoreError(error, path: configuration.path)
        }
    }

    /// Adds a sealed range, in place of those with which it shares records.
    ///
    /// A range from which retention has removed a record meanwhile is not added.
    package func addSealedRange(_ range: SealedRange) async throws(StoreError) {
        try await maintain { database in
            try database.inTransaction(.immediate) {
                let trimmed = try QueryConnection(database).trimmedThrough()
                guard range.sequence.lowerBound > trimmed else { return .rollback }
                try database.execute(
                    sql: "DELETE FROM sealed WHERE dataset = ? AND start <= ? AND last >= ?",
                    arguments: [range.dataset, range.sequence.upperBound, range.sequence.lowerBound])
                try database.execute(
                    sql: "INSERT INTO sealed VALUES (?, ?, ?, ?, ?, ?, ?)",
                    arguments: [
                        range.dataset, range.sequence.lowerBound, range.sequence.upperBound, range.rowCount,
                        range.stamp, range.version, Int64(bitPattern: range.checksum),
                    ])
                return .commit
            }
        }
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (QueryConnection) throws -> Value
    ) async throws(StoreError) -> Value {
        do {
            return try await pool.read { try body(QueryConnection($0)) }
        } catch {
            throw StoreError(error, path: configuration.path)
        }
    }
}
