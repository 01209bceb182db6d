package import AstrolabePlatform

/// Records that wait on disk for the network: bounded, by priority, leased, in SQLite.
///
///     let queue = try RecordQueue(path: directory + "/queue.db")
///     try queue.enqueue(batch)
///     while let lease = try queue.lease(maximumRecords: 512, maximumBytes: 1 << 20) {
///         switch await send(lease) {
///         case .delivered: try queue.acknowledge(lease.ids)
///         case .refused: try queue.refuse(lease.ids, of: lease)          // charged: after 5 the next drops
///         case .offline: try queue.release(lease)                        // not charged
///         }
///     }
///
/// - Each call is one transaction, durable when it returns. A call that throws has changed nothing. A lease survives
///   no loss of power, as its owner does not either.
/// - Every record is leased to at most one owner at a time, in this process or another.
/// - All that enters and all that leaves is counted in the transaction that does it; see `QueueStatistics`.
/// - It does I/O, so call it from a background executor. Calls from several threads wait for one another.
package final class RecordQueue: Sendable {
    let path: String
    private let configuration: QueueConfiguration
    private let clock: QueueClock
    private let ids: IDGenerator
    /// The lock is held during I/O on purpose: it is what puts calls in a row. Nobody on the hot path takes it.
    private let state: Locked<State>

    private struct State {
        /// `nil` after a damaged file could not be replaced, and after `close`.
        var store: QueueStore?
        var isClosed = false
    }

    /// Opens or makes the queue at `path`, an absolute path, with its directory.
    ///
    /// A file that is damaged is moved aside to `path` + "-damaged", a new one takes its place, and the loss is
    /// counted.
    package init(
        path: String, configuration: QueueConfiguration = QueueConfiguration(), clock: QueueClock = .system,
        ids: IDGenerator = IDGenerator(),
    ) throws(QueueError) {
        self.path = path
        self.configuration = configuration
        self.clock = clock
        self.ids = ids
        state = Locked(State())
        try perform { _, _ throws(SQLiteFailure) in }
    }

    deinit {
        close()
    }

    /// Stores all records of the batch, or none; then drops what is too old and evicts what is too much.
    ///
    /// - Parameter change: Of the caller's own books, in the same transaction.
    @discardableResult
    package func enqueue(_ batch: QueueBatch, change: QueueChange = QueueChange()) throws(QueueError) -> QueueReceipt {
        try perform { store, tally throws(SQLiteFailure) in
            try store.enqueue(batch, &tally)
            try store.apply(change)
            return QueueReceipt(enqueued: batch.count, dropped: tally.dropped)
        }
    }

    /// Takes out records by falling priority, then by time, then by id; `nil` where none waits.
    ///
    /// - Parameters:
    ///   - maximumRecords: At least one is given where any waits.
    ///   - maximumBytes: Of payload; a first record that is longer comes alone.
    ///   - kind: Only records of this kind; `nil` for all.
    ///   - minimumPriority: What is less urgent stays. Default 0.
    package func lease(
        maximumRecords: Int, maximumBytes: Int, kind: UInt8? = nil, minimumPriority: UInt8 = 0,
    ) throws(QueueError) -> QueueLease? {
        let limits = QueueStore.Limits(
            records: maximumRecords, bytes: maximumBytes, kind: kind, minimumPriority: minimumPriority,
        )
        let lease = Int64(truncatingIfNeeded: ids.next64() >> 1)
        return try perform(surviving: .processDeath) { store, tally throws(SQLiteFailure) in
            try store.lease(limits, as: lease, &tally)
        }
    }

    /// Removes records that were taken on, whoever holds them now. Those that are gone already are not counted again.
    ///
    /// - Returns: How many were there.
    @discardableResult
    package func acknowledge(
        _ ids: some Collection<Int64>, change: QueueChange = QueueChange(),
    ) throws(QueueError) -> Int {
        try perform { store, tally throws(SQLiteFailure) in
            let count = try store.remove(ids, as: QueueCounter.acknowledged, &tally)
            try store.apply(change)
            return count
        }
    }

    /// Charges records with a refusal by the server, and lets them wait again, or drops them after one too many.
    ///
    /// Records that another lease holds by now are left alone.
    /// - Returns: What was dropped.
    @discardableResult
    package func refuse(
        _ ids: some Collection<Int64>, of lease: QueueLease, change: QueueChange = QueueChange(),
    ) throws(QueueError) -> QueueReceipt {
        try perform { store, tally throws(SQLiteFailure) in
            try store.refuse(ids, lease: lease.id, &tally)
            try store.apply(change)
            return QueueReceipt(dropped: tally.dropped)
        }
    }

    /// Lets records wait again without a charge: there was no network, or the policy said wait.
    package func release(_ lease: QueueLease) throws(QueueError) {
        try perform(surviving: .processDeath) { store, _ throws(SQLiteFailure) in
            try store.end(lease.id, of: lease.ids)
        }
    }

    /// Changes the caller's own books.
    package func apply(_ change: QueueChange) throws(QueueError) {
        try perform { store, _ throws(SQLiteFailure) in try store.apply(change) }
    }

    /// The caller's bytes of this name.
    package func mark(_ name: String) throws(QueueError) -> [UInt8]? {
        try perform { store, _ throws(SQLiteFailure) in
            let select = try store.database.statement("SELECT value FROM marks WHERE name = ?1")
            defer { select.reset() }
            return try select.bind(1, name).step() ? select.bytes(0) : nil
        }
    }

    package func statistics() throws(QueueError) -> QueueStatistics {
        try perform { store, _ throws(SQLiteFailure) in try store.statistics() }
    }

    /// Drops what is too old, and gives disk space back that was freed: at most 256 pages in one call.
    package func maintain() throws(QueueError) {
        try perform { store, tally throws(SQLiteFailure) in
            try store.dropExpired(&tally)
            try store.database.execute("PRAGMA incremental_vacuum(256)")
        }
    }

    /// Gives leases back and closes the file; all later calls throw. The last reference does the same.
    package func close() {
        state.withLock { state in
            try? state.store?.retire()
            state.store = nil
            state.isClosed = true
        }
    }

    /// Runs `body` in a transaction. Where the file proves damaged it is opened again, for another process may have
    /// replaced it meanwhile; where that proves damaged too, a new one takes its place.
    private func perform<Result>(
        surviving durability: QueueConfiguration.Durability? = nil,
        _ body: (QueueStore, inout QueueTally) throws(SQLiteFailure) -> Result,
    ) throws(QueueError) -> Result {
        try state.withLock { state throws(QueueError) in
            guard !state.isClosed else { throw QueueError(.closed, "the queue at \(path) was closed") }
            let attempts = state.store == nil ? [false, true] : [false, false, true]
            for isReplacing in attempts {
                if let result = try attempt(&state, isReplacing: isReplacing, durability, body) { return result }
            }
            throw QueueError(.corrupt, "the queue at \(path) was damaged, and so is the new file that took its place")
        }
    }

    /// Runs `body` on the store, which is opened where there is none; `nil` where the file is damaged.
    private func attempt<Result>(
        _ state: inout State, isReplacing: Bool, _ durability: QueueConfiguration.Durability?,
        _ body: (QueueStore, inout QueueTally) throws(SQLiteFailure) -> Result,
    ) throws(QueueError) -> Result? {
        do throws(QueueError) {
            let store = if let store = state.store { store } else { try open(isReplacing: isReplacing) }
            state.store = store
            return try store.transaction(surviving: durability) { tally throws(SQLiteFailure) in
                try body(store, &tally)
            }
        } catch  where error.reason == .corrupt {
            state.store = nil
            return nil
        }
    }

    private func open(isReplacing: Bool) throws(QueueError) -> QueueStore {
        if isReplacing {
            try QueueStore(replacing: path, configuration: configuration, clock: clock, ids: ids)
        } else {
            try QueueStore(path: path, configuration: configuration, clock: clock, ids: ids)
        }
    }
}
