package import AstrolabeJournal
package import AstrolabeOfflineQueue
import AstrolabePlatform

/// The queue's lazily opened database, and the persistent counters of runs whose journal has been removed.
///
/// | name | kind | content |
/// |---|---|---|
/// | `ledger.appended` | counter | records appended to the journals of retired runs |
/// | `ledger.settled.<n>` | counter | their outcomes, by `JournalOutcome` |
/// | `ledger.torn`, `ledger.refused.<n>` | counter | records they lost, and records they refused, by `JournalRefusal` |
/// | `ledger.sent.rejected` | counter | records that left the queue and that the server rejected |
/// | `ledger.dropped.<reason>` | counter | records that previous runs dropped before they reached a journal |
/// | `ledger.retired` | mark | the last retired runs, 16 bytes each, so that none is counted twice |
/// | `recorder.day` | mark | the day of the last promotion, and what was promoted in it: see `RecorderDay` |
/// | `recorder.progress` | mark | the numbers of records that were promoted for requests whose window is open |
/// | `transfer.<run>` | mark | the sequence numbers last moved from that run's journal, 8 bytes each |
package final class DurableLedger: Sendable {
    private enum State {
        case unopened
        case open(RecordQueue)
        /// It could not be opened, and is not retried until `allowRetry`.
        case failed
        /// The file has a newer schema: this run has no queue.
        case newerSchema
        case closed
    }

    /// The queue's default maximum bytes of one record.
    package static let recordLimit = QueueConfiguration().maximumRecordBytes

    private let path: String
    private let configuration: QueueConfiguration
    private let clock: QueueClock
    private let state = Locked(State.unopened)
    /// Held while the queue is opened, so that it is opened once. `state` is held for a moment only.
    private let opening = Locked((), isHeldDuringIO: true)
    private let timeout: LockTimeout
    /// The statistics that were read last, with what this process has persisted since.
    private let known = Locked<QueueStatistics?>(nil)
    /// Why the queue could not be opened; `nil` if it is open or was not needed yet.
    private let lastFailure = Locked<QueueError?>(nil)

    /// - Parameter timeout: How long calls wait for other processes. Default `configuration.busyTimeout`.
    package init(
        path: String, configuration: QueueConfiguration = QueueConfiguration(), clock: QueueClock = .system,
        timeout: LockTimeout? = nil,
    ) {
        self.path = path
        self.configuration = configuration
        self.clock = clock
        self.timeout = timeout ?? LockTimeout(milliseconds: configuration.busyTimeout)
    }

    /// - Parameter maximumBytes: Payload bytes of the queue.
    package convenience init(path: String, maximumRecords: Int, maximumBytes: Int, clock: QueueClock = .system) {
        var configuration = QueueConfiguration()
        configuration.maximumRecords = maximumRecords
        configuration.maximumBytes = maximumBytes
        self.init(path: path, configuration: configuration, clock: clock)
    }

    /// The queue; `nil` if it cannot be opened or another process holds the lock. A failed open is retried after
    /// `allowRetry`.
    var queue: RecordQueue? {
        if isUnopened { opening.withLock { _ in open() } }
        return openedQueue
    }

    private var openedQueue: RecordQueue? {
        state.withLock { state -> RecordQueue? in
            guard case .open(let queue) = state else { return nil }
            return queue
        }
    }

    private var isUnopened: Bool {
        state.withLock { state in
            if case .unopened = state { true } else { false }
        }
    }

    /// Opens the queue, unless another caller has done so or has failed to.
    private func open() {
        guard isUnopened else { return }
        do throws(QueueError) {
            let queue = try RecordQueue(path: path, configuration: configuration, clock: clock, timeout: timeout)
            let isKept = leaveUnopened(for: .open(queue))
            lastFailure.withLock { $0 = nil }
            // The ledger was closed meanwhile.
            if !isKept { queue.close() }
        } catch {
            lastFailure.withLock { $0 = error }
            switch error.reason {
            case .locked: break
            case .newerSchema: leaveUnopened(for: .newerSchema)
            case .closed: leaveUnopened(for: .closed)
            case .diskFull, .readOnly, .corrupt, .other: leaveUnopened(for: .failed)
            }
        }
    }

    /// Replaces the state if the queue is still unopened; returns whether it was.
    @discardableResult
    private func leaveUnopened(for new: State) -> Bool {
        state.withLock { state in
            guard case .unopened = state else { return false }
            state = new
            return true
        }
    }

    /// Limits the waits for other processes to a quarter of the time that is left.
    func limitWaits(toQuarterOf seconds: Double) { timeout.limit(toQuarterOf: seconds) }

    /// Why the queue could not be opened, unless another process just holds its lock; `nil` if it was.
    var failure: QueueError? { lastFailure.withLock { $0?.reason == .locked ? nil : $0 } }

    /// The queue's statistics, with whether they are current. If the queue cannot be read, the last ones that were
    /// read; empty if none were.
    var statistics: (statistics: QueueStatistics, isCurrent: Bool) {
        if let current = try? queue?.statistics() {
            known.withLock { $0 = current }
            return (current, true)
        }
        return (known.withLock { $0 } ?? QueueStatistics(), false)
    }

    /// Adds to the persistent counters; returns whether it could.
    func add(_ counters: [String: Int]) -> Bool {
        guard let queue, (try? queue.apply(QueueChange(counters: counters))) != nil else { return false }
        note(counters)
        return true
    }

    /// Adds what was persisted to the statistics read last, so that they stay consistent with the journal's counts.
    private func note(_ counters: [String: Int]) {
        known.withLock { $0?.counters.merge(counters, uniquingKeysWith: +) }
    }

    /// Incidents of the queue's files while this process used them.
    var incidents: QueueIncidents {
        openedQueue?.incidents ?? QueueIncidents()
    }

    var room: QueueRoom {
        let queue = statistics.statistics
        return QueueRoom(
            records: configuration.maximumRecords - queue.records, bytes: configuration.maximumBytes - queue.bytes)
    }

    var isOpen: Bool { openedQueue != nil }

    /// Allows another attempt to open the queue, for example after disk space was freed or the device was unlocked.
    func allowRetry() {
        state.withLock { state in
            if case .failed = state { state = .unopened }
        }
    }

    private var hasNewerSchema: Bool {
        state.withLock { state in
            if case .newerSchema = state { true } else { false }
        }
    }

    func close() {
        if case .open(let queue) = state.exchange(.closed) { queue.close() }
    }

    /// Persists the final counts of a run whose journal is about to be removed; returns false to request a retry later.
    package func retire(_ totals: JournalTotals) -> Bool {
        // The flight recorder was not used.
        if totals.appended == 0, totals.refused.isEmpty { return true }
        guard let queue else { return hasNewerSchema }
        do throws(QueueError) {
            var retired = try queue.mark(Self.retired) ?? []
            let id = [totals.run.high, totals.run.low].littleEndianBytes
            let isCounted = stride(from: 0, to: retired.count, by: 16).contains { offset in
                retired[offset...].starts(with: id)
            }
            let done = [Self.transferMark(totals.run)]
            if isCounted {
                try queue.apply(QueueChange(removedMarks: done))
                return true
            }
            retired = Array((retired + id).suffix(16 * Self.retiredRuns))
            let counters = Self.counters(of: totals)
            // After a loss of power the run would be back too, or be counted less: synchronizing is not worth its time.
            try queue.apply(
                QueueChange(counters: counters, marks: [Self.retired: retired], removedMarks: done),
                surviving: .processDeath,
            )
            note(counters)
            return true
        } catch {
            return false
        }
    }

    /// The number of counted runs that are remembered: a run can be reported again only by the next few launches.
    private static let retiredRuns = 64

    static let appended = "ledger.appended"
    static let torn = "ledger.torn"
    static let rejected = "ledger.sent.rejected"
    private static let retired = "ledger.retired"
    private static let refusedPrefix = "ledger.refused."
    private static let completedPrefix = "ledger.settled."
    private static let droppedPrefix = "ledger.dropped."

    static func counters(of totals: JournalTotals) -> [String: Int] {
        var counters = [appended: totals.appended, torn: totals.torn]
        for (outcome, count) in totals.completed { counters[completedPrefix + String(outcome.rawValue)] = count }
        for (reason, count) in totals.refused { counters[refusedPrefix + String(reason.rawValue)] = count }
        return counters.filter { $0.value != 0 }
    }

    static func dropped(_ reason: DropReason) -> String { droppedPrefix + reason.rawValue }
    static func completed(_ outcome: JournalOutcome) -> String { completedPrefix + String(outcome.rawValue) }
    static func refused(_ reason: JournalRefusal) -> String { refusedPrefix + String(reason.rawValue) }

    static let recorderDay = "recorder.day"
    static let recorderProgress = "recorder.progress"

    static func transferMark(_ run: RunID) -> String { "transfer." + run.description }
}
