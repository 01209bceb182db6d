package import AstrolabePlatform

/// A bounded queue of records on disk with priorities and leases, stored in SQLite.
///
///     let queue = try RecordQueue(path: directory + "/queue.db")
///     try queue.enqueue(batch)
///     while let lease = try queue.lease(maximumRecords: 512, maximumBytes: 1 << 20) {
///         switch await send(lease) {
///         case .delivered: try queue.acknowledge(lease.ids)
///         case .failed: try queue.recordFailure(lease.ids, of: lease)    // counted; the sixth failure drops
///         case .offline: try queue.release(lease)                        // not counted
///         }
///     }
///
/// - Each call is one transaction, durable when it returns. A call that throws has changed nothing. Leases do not
///   survive a loss of power, and neither does their owner.
/// - Every record is leased to at most one owner at a time, in this process or another.
/// - Every added and removed record is counted in the same transaction; see `QueueStatistics`.
/// - If another file takes the place of the open one, the records of both are in the queue from the next call on.
/// - Performs I/O, so call it from a background executor. Concurrent calls wait for each other.
package final class RecordQueue: Sendable {
    let path: String
    private let configuration: QueueConfiguration
    private let clock: QueueClock
    private let ids: IDGenerator
    private let timeout: LockTimeout
    /// Held during I/O on purpose: it serializes calls. Nothing on the hot path takes it.
    private let state: Locked<State>

    private struct State {
        /// `nil` after `close`, or if a damaged file could not be replaced.
        var store: QueueStore?
        var isClosed = false
        /// The records of a file that was replaced, until they are in the file that has replaced it.
        var saved: [SavedRecord] = []
        var incidents = QueueIncidents()
    }

    /// Incidents of the files while this process used them.
    package var incidents: QueueIncidents { state.withLock { $0.incidents } }

    /// Opens or creates the queue at `path`, an absolute path, with its directory.
    ///
    /// A damaged file is moved to `path` + "-damaged" and replaced by a new one, and the loss is counted.
    ///
    /// - Parameter timeout: How long calls wait for other processes. Default `configuration.busyTimeout`.
    package init(
        path: String, configuration: QueueConfiguration = QueueConfiguration(), clock: QueueClock = .system,
        ids: IDGenerator = IDGenerator(), timeout: LockTimeout? = nil,
    ) throws(QueueError) {
        self.path = path
        self.configuration = configuration
        self.clock = clock
        self.ids = ids
        self.timeout = timeout ?? LockTimeout(milliseconds: configuration.busyTimeout)
        state = Locked(State(), isHeldDuringIO: true)
        try perform { _, _ throws(SQLiteFailure) in }
    }

    deinit {
        close()
    }

    /// Drops expired records, stores all records of the batch or none, and evicts the excess.
    ///
    /// - Parameter change: Changes of the caller's counters and marks, in the same transaction.
    @discardableResult
    package func enqueue(_ batch: QueueBatch, change: QueueChange = QueueChange()) throws(QueueError) -> QueueReceipt {
        try perform { store, tally throws(SQLiteFailure) in
            try store.enqueue(batch, &tally)
            try store.apply(change)
            return QueueReceipt(enqueued: batch.count, dropped: tally.dropped)
        }
    }

    /// Leases records by descending priority, then by time, then by id; `nil` if none are available.
    ///
    /// - Parameters:
    ///   - maximumRecords: At least one record is leased if any is available.
    ///   - maximumBytes: Payload bytes. A first record that is longer is leased alone.
    ///   - kinds: Only records of these kinds; `nil` for all.
    ///   - minimumPriority: Records of lower priority stay. Default 0.
    ///   - hasFailed: Only records with failed attempts, or only those without; `nil` for all.
    package func lease(
        maximumRecords: Int, maximumBytes: Int, kinds: Set<UInt8>? = nil, minimumPriority: UInt8 = 0,
        hasFailed: Bool? = nil,
    ) throws(QueueError) -> QueueLease? {
        let limits = QueueStore.Limits(
            records: maximumRecords, bytes: maximumBytes, kinds: kinds, minimumPriority: minimumPriority,
            hasFailed: hasFailed,
        )
        let lease = Int64(truncatingIfNeeded: ids.next64() >> 1)
        return try perform(surviving: .processDeath) { store, tally throws(SQLiteFailure) in
            try store.lease(limits, as: lease, &tally)
        }
    }

    /// Removes delivered records, whichever lease holds them now. Records already removed are not counted again.
    ///
    /// - Returns: How many were removed.
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

    /// Counts a failed attempt for records and releases them; drops records that exceed the maximum, but none of the
    /// highest priority.
    ///
    /// Records that another lease holds by now are left unchanged.
    /// - Returns: The dropped records.
    @discardableResult
    package func recordFailure(
        _ ids: some Collection<Int64>, of lease: QueueLease, change: QueueChange = QueueChange(),
    ) throws(QueueError) -> QueueReceipt {
        try perform { store, tally throws(SQLiteFailure) in
            try store.recordFailure(ids, lease: lease.id, &tally)
            try store.apply(change)
            return QueueReceipt(dropped: tally.dropped)
        }
    }

    /// Releases records without counting a failure: there was no network, or the policy keeps them on the device.
    package func release(_ lease: QueueLease) throws(QueueError) {
        try perform(surviving: .processDeath) { store, _ throws(SQLiteFailure) in
            try store.end(lease.id, of: lease.ids)
        }
    }

    /// Changes the caller's counters and marks.
    ///
    /// - Parameter durability: What the change must survive. Default the configuration's.
    package func apply(
        _ change: QueueChange, surviving durability: QueueConfiguration.Durability? = nil,
    ) throws(QueueError) {
        try perform(surviving: durability) { store, _ throws(SQLiteFailure) in try store.apply(change) }
    }

    /// Returns the caller's bytes stored under this name.
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

    /// Drops expired records and returns freed disk space, at most 256 pages per call.
    package func maintain() throws(QueueError) {
        try perform { store, tally throws(SQLiteFailure) in
            try store.dropExpired(&tally)
            try store.database.execute("PRAGMA incremental_vacuum(256)")
        }
    }

    /// Releases all leases and closes the file; later calls throw. Releasing the last reference does the same.
    package func close() {
        state.withLock { state in
            // Otherwise the next process ends the leases, as those of a dead owner.
            try? state.store?.retire()
            state.store = nil
            state.isClosed = true
        }
    }

    /// Runs `body` in a transaction.
    ///
    /// If the file is damaged, reopens it, because another process may have replaced it in the meantime. If it is
    /// damaged again, replaces it with a new file.
    private func perform<Result>(
        surviving durability: QueueConfiguration.Durability? = nil,
        _ body: (QueueStore, inout QueueTally) throws(SQLiteFailure) -> Result,
    ) throws(QueueError) -> Result {
        var result: Result?
        // Once for all types of results.
        let isDone = try attempt(durability) { store, tally throws(SQLiteFailure) in
            result = try body(store, &tally)
        }
        guard isDone, let result else {
            throw QueueError(.corrupt, "the queue at \(path) is damaged, and so is the new file that replaced it")
        }
        return result
    }

    /// Runs `body` until it succeeds, on the file in use and then on a new one; false if both are damaged.
    private func attempt(
        _ durability: QueueConfiguration.Durability?,
        _ body: (QueueStore, inout QueueTally) throws(SQLiteFailure) -> Void,
    ) throws(QueueError) -> Bool {
        try state.withLock { state throws(QueueError) in
            guard !state.isClosed else { throw QueueError(.closed, "the queue at \(path) is closed") }
            leaveReplacedFile(&state)
            let attempts = state.store == nil ? [false, true] : [false, false, true]
            for isReplacing in attempts {
                if try attempt(&state, isReplacing: isReplacing, durability, body) { return true }
            }
            return false
        }
    }

    /// Runs `body` on the store, opened if necessary; false if the file is damaged.
    private func attempt(
        _ state: inout State, isReplacing: Bool, _ durability: QueueConfiguration.Durability?,
        _ body: (QueueStore, inout QueueTally) throws(SQLiteFailure) -> Void,
    ) throws(QueueError) -> Bool {
        do throws(QueueError) {
            let store = if let store = state.store { store } else { try open(isReplacing: isReplacing, &state) }
            state.store = store
            if !state.saved.isEmpty {
                let found = try store.adopt(state.saved)
                state.incidents.lost -= found
                state.saved = []
            }
            try store.transaction(surviving: durability) { tally throws(SQLiteFailure) in try body(store, &tally) }
            state.incidents.dropped.merge(store.takeDropped(), uniquingKeysWith: +)
            if let times = store.expiredTimes { state.incidents.noteExpired(times) }
            return true
        } catch  where error.reason == .corrupt {
            state.store = nil
            return false
        }
    }

    /// Closes the file if another one has its name now, and keeps its records.
    private func leaveReplacedFile(_ state: inout State) {
        guard let isInPlace = state.store?.isInPlace, !isInPlace else { return }
        state.incidents.replacedFiles += 1
        // What cannot be read is counted as lost by the file that is opened next.
        if let saved = try? state.store?.savedRecords() { state.saved = saved }
        state.store = nil
    }

    private func open(isReplacing: Bool, _ state: inout State) throws(QueueError) -> QueueStore {
        let store: QueueStore
        if isReplacing {
            store = try QueueStore(
                replacing: path, configuration: configuration, clock: clock, ids: ids, timeout: timeout)
            state.incidents.damagedFiles += 1
        } else {
            store = try QueueStore(
                path: path, configuration: configuration, clock: clock, ids: ids, timeout: timeout)
        }
        state.incidents.lost += store.lost
        return store
    }
}

/// Incidents of the queue's files since the queue was opened.
package struct QueueIncidents: Equatable, Sendable {
    /// The number of times that another file took the place of the one in use.
    package var replacedFiles = 0
    /// Files that were damaged and moved aside.
    package var damagedFiles = 0
    /// Records that were found to be missing when a file was opened.
    package var lost = 0
    /// Records that this process has dropped, by reason.
    package var dropped: [QueueDrop: Int] = [:]
    /// The earliest and the latest time of the records that this process has dropped by age, in nanoseconds since 1970.
    package private(set) var expiredTimes: ClosedRange<UInt64>?

    package init() {}

    fileprivate mutating func noteExpired(_ times: ClosedRange<UInt64>) {
        let known = expiredTimes ?? times
        expiredTimes = min(times.lowerBound, known.lowerBound)...max(times.upperBound, known.upperBound)
    }
}
