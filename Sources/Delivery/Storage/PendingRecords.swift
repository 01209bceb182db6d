import AstrolabeJournal
import AstrolabeOfflineQueue
import AstrolabePlatform
import AstrolabeTelemetryModel
import AstrolabeWire

/// All pending records on this device in the order in which they are sent: the journal's records and the queue's.
///
///                       next() ------------------------------> LeasedBatches --> acknowledge, release
///                        ^   ^
///     Journal -----------+   +----- OfflineQueue
///        |                               ^
///        +------- moveToQueue -----------+      no network, the server requested a retry, the policy says wait
///
/// Performs I/O; the owner must serialize calls to it. If the queue cannot be opened (a read-only disk), records stay
/// in the journal, within its bounds.
final class PendingRecords {
    let journal: RecordJournal
    /// `nil` if there is no flight recorder.
    let recorder: FlightRecorder?
    private let durableLedger: DurableLedger
    /// The number of records in the queue as far as this process knows; at 0, the queue is not read.
    private(set) var queued = 0
    /// True if `queued` was read since the queue was opened.
    private var hasCounted = false
    /// The number of recovered runs whose interrupted moves were completed.
    private var completedRuns = 0
    /// Leases of records that the server has refused while the queue was not available. They are kept until it is, so
    /// that these records are not found first again.
    private var refused: [JournalLease] = []
    /// Records of previous runs that were evicted, because neither delivery nor the queue took them.
    private var evicted = 0
    /// Maximum number of such leases.
    private static let refusedLimit = 256

    init(_ journal: RecordJournal, durableLedger: DurableLedger, recorder: FlightRecorder? = nil) {
        self.journal = journal
        self.recorder = recorder
        self.durableLedger = durableLedger
    }

    /// Recovers previous runs, recycles the journal's segments, and completes moves that a kill interrupted.
    func prepare() {
        journal.maintain()
        // The runs that were finished have made way for others.
        journal.recover()
        recorder?.ring.recover()
        openQueue()
        moveRefused()
    }

    /// Takes over what previous runs left, within a second of the start. Returns whether anything is to be sent.
    ///
    /// Many small runs, as a crash loop leaves them, move to the queue, so that their files do not accumulate if this
    /// run is short too. Others stay in the journal until they are sent.
    func takeOver() -> Bool {
        prepare()
        let runs = journal.statistics().earlier
        if runs.count >= Self.runsToMove || journal.hasMoreRuns { movePreviousRuns() }
        return queued > 0 || runs.contains { $0.pending > 0 }
    }

    /// At least this many previous runs are moved to the queue at a start.
    private static let runsToMove = 8

    private func movePreviousRuns() {
        var room = durableLedger.room
        room.bytes = min(room.bytes, 8 << 20)
        while room.records > 0, room.bytes > 0 {
            let leases = leases(ofPreviousRuns: true, within: room)
            if leases.isEmpty {
                guard journal.hasMoreRuns else { return }
                let known = journal.recoveredRuns
                prepare()
                if journal.recoveredRuns == known { return }
                continue
            }
            guard move(leases) else { return }
            room.subtract(leases)
        }
        journal.maintain()
    }

    /// The queue, after the moves that a kill interrupted were completed; `nil` if it cannot be opened.
    @discardableResult
    private func openQueue() -> RecordQueue? {
        guard let queue = durableLedger.queue else { return nil }
        let recovered = recoveredRuns
        if recovered != completedRuns, completeTransfers(in: queue) { completedRuns = recovered }
        if !hasCounted { recount() }
        return queue
    }

    /// Reads the queue's record count: another process may have added or sent records.
    func recount() {
        guard let count = try? durableLedger.queue?.statistics().records else { return }
        hasCounted = true
        queued = count
    }

    /// Retries opening a queue that could not be opened.
    func reopenQueue() {
        guard !durableLedger.isOpen else { return }
        durableLedger.allowRetry()
        openQueue()
        moveRefused()
    }

    /// Drops expired records from the queue.
    func maintainQueue() {
        guard queued > 0, let queue = durableLedger.queue else { return }
        // Otherwise the next call drops them, and no lease returns an expired record.
        try? queue.maintain()
        recount()
    }

    /// Leases the most urgent records, of the queue or the journal; at equal priority the queue's, which are older.
    /// Records that the server has refused before are left to `nextRefused`.
    ///
    /// Returns `nil` if no record that is permitted is pending.
    func next(_ permission: UploadSchedule.Permission, records: Int, bytes: Int) -> LeasedBatches? {
        if let leased = nextOfOpenRuns(permission, records: records, bytes: bytes) { return leased }
        // The runs that are open were sent, so that the next can be recovered.
        while journal.hasMoreRuns {
            let known = journal.recoveredRuns
            prepare()
            if let leased = nextOfOpenRuns(permission, records: records, bytes: bytes) { return leased }
            if journal.recoveredRuns == known { break }
        }
        return nil
    }

    /// Leases as `next` does, from the runs that are open.
    func nextOfOpenRuns(_ permission: UploadSchedule.Permission, records: Int, bytes: Int) -> LeasedBatches? {
        let (lowest, kinds) = (permission.lowestPriority, permission.kindNumbers)
        guard queued > 0, let queue = openQueue() else {
            return journal.lease(
                maximumRecords: records, maximumBytes: bytes, kinds: kinds, minimumPriority: lowest,
            )
            .map { LeasedBatches($0) }
        }
        for priority in (lowest...max(lowest, Priority.critical.rawValue)).reversed() {
            // From a queue that cannot be read now, nothing is sent now. Its records stay.
            let lease = try? queue.lease(
                maximumRecords: records, maximumBytes: bytes, kinds: kinds, minimumPriority: priority,
                hasFailed: false)
            if let lease { return LeasedBatches(lease) }
            let fresh = journal.lease(
                maximumRecords: records, maximumBytes: bytes, kinds: kinds, minimumPriority: priority)
            if let fresh { return LeasedBatches(fresh) }
        }
        return nil
    }

    /// Leases records that the server has refused, each in a batch of its own.
    func nextRefused(_ permission: UploadSchedule.Permission, records: Int) -> LeasedBatches? {
        guard queued > 0, let queue = durableLedger.queue else { return nil }
        let lease = try? queue.lease(
            maximumRecords: records, maximumBytes: .max, kinds: permission.kindNumbers,
            minimumPriority: permission.lowestPriority, hasFailed: true)
        return lease.map { LeasedBatches(refused: $0) }
    }

    /// Records that the server accepted a batch except `rejected` of its records, which it does not identify.
    func acknowledge(_ batch: ExportBatch, of leased: LeasedBatches, rejected: Int) {
        switch leased.source {
        case .journal(let lease): journal.acknowledge(lease, as: .delivered, exceptLast: rejected, as: .rejected)
        case .queue:
            let change = QueueChange(counters: rejected > 0 ? [DurableLedger.rejected: rejected] : [:])
            // Otherwise they are sent again, with the same ids.
            queued -= (try? durableLedger.queue?.acknowledge(batch.ids, change: change)) ?? 0
        }
    }

    /// Counts a failed attempt for a batch's records and releases them; drops records that have failed too often.
    ///
    /// - Returns: How many were dropped.
    func recordFailure(_ batch: ExportBatch, of leased: LeasedBatches) -> Int {
        switch leased.source {
        case .journal(let lease):
            guard !move([lease], failedAttempts: 1, keepsLeases: true) else { return 0 }
            if refused.count < Self.refusedLimit { refused.append(lease) } else { journal.release(lease) }
            return 0
        case .queue(let lease):
            // Otherwise the attempt is not counted, and the lease ends by its age.
            let receipt = try? durableLedger.queue?.recordFailure(batch.ids, of: lease)
            let dropped = receipt?.dropped.values.reduce(0, +) ?? 0
            queued -= dropped
            return dropped
        }
    }

    /// Releases the remaining records of a lease without counting a failure.
    func release(_ leased: LeasedBatches) {
        switch leased.source {
        case .journal(let lease): if !refused.contains(where: { $0 === lease }) { journal.release(lease) }
        case .queue(let lease):
            // Otherwise the lease ends by its age.
            try? durableLedger.queue?.release(lease)
        }
    }

    /// Moves all pending records of the journal to the queue, which orders them by priority and survives a loss of
    /// power.
    ///
    /// If the queue does not take them, what previous runs left is kept in the journal within its bounds.
    ///
    /// - Parameter isLast: Whether nothing follows that might send them. Then the queue evicts records beyond its
    ///   limit; otherwise they stay in the journal.
    func moveToQueue(isLast: Bool) {
        openQueue()
        var room = isLast ? QueueRoom(records: .max, bytes: .max) : durableLedger.room
        repeat {
            let leases = leases(ofPreviousRuns: false, within: room)
            if leases.isEmpty { return }
            guard move(leases) else {
                evicted += journal.evictExcess()
                return
            }
            room.subtract(leases)
        } while true
    }

    /// Records that this process has dropped from the queue and from previous runs, by reason.
    var losses: [DropReason: Int] {
        var losses: [DropReason: Int] = [.evicted: evicted]
        for (drop, count) in durableLedger.incidents.dropped { losses[DropReason(drop), default: 0] += count }
        return losses
    }

    /// Leases records of as many runs and kinds as one transaction should store, and as the queue has room for.
    private func leases(ofPreviousRuns: Bool, within room: QueueRoom) -> [JournalLease] {
        var leases: [JournalLease] = []
        let limit = 4 << 20
        var left = QueueRoom(records: min(2_048, room.records), bytes: min(limit, room.bytes))
        while left.records > 0, left.bytes > 0,
            let lease = journal.lease(
                maximumRecords: left.records, maximumBytes: left.bytes, ofPreviousRuns: ofPreviousRuns)
        {
            // The first record of a lease may be longer than the limit.
            if lease.byteCount > left.bytes, left.bytes < limit {
                journal.release(lease)
                break
            }
            leases.append(lease)
            left.subtract([lease])
        }
        return leases
    }

    /// The queue stores the records and their origin in one transaction; only then does the journal complete them. If
    /// the process is killed between the two steps, `completeTransfers` completes the move.
    ///
    /// - Parameter keepsLeases: Whether the leases last if the queue does not take the records.
    private func move(_ leases: [JournalLease], failedAttempts: Int = 0, keepsLeases: Bool = false) -> Bool {
        var batch = QueueBatch()
        var moved: [RunID: [UInt64]] = [:]
        for lease in leases {
            batch.append(lease, failedAttempts: failedAttempts)
            moved[lease.run.id, default: []] += lease.records.map(\.sequence)
        }
        let marks = moved.map { (DurableLedger.transferMark($0.key), $0.value.littleEndianBytes) }
        let change = QueueChange(marks: Dictionary(uniqueKeysWithValues: marks))
        guard enqueue(batch, change) else {
            if !keepsLeases { for lease in leases { journal.release(lease) } }
            return false
        }
        for lease in leases { journal.acknowledge(lease, as: .queued) }
        return true
    }

    private func enqueue(_ batch: QueueBatch, _ change: QueueChange) -> Bool {
        guard let queue = openQueue(), let receipt = try? queue.enqueue(batch, change: change) else { return false }
        queued += receipt.enqueued - receipt.dropped.values.reduce(0, +)
        return true
    }

    /// Moves what the flight recorder was asked for to the queue.
    ///
    /// - Parameters:
    ///   - now: Nanoseconds since 1970.
    ///   - isReported: False if the ends of previous runs may still lead to requests.
    ///   - continuesSession: True if the session of the last run goes on.
    func promote(at now: UInt64, isReported: Bool, continuesSession: Bool) {
        guard let recorder else { return }
        // Runs without records are removed.
        guard recorder.isUsed else { return recorder.ring.maintain() }
        // First what a kill has interrupted: without the queue, nothing is known of that.
        guard openQueue() != nil, completedRuns == recoveredRuns else { return recorder.wait() }
        recorder.promote(at: now, isReported: isReported, continuesSession: continuesSession) { enqueue($0, $1) }
    }

    private var recoveredRuns: Int { journal.recoveredRuns + (recorder?.ring.recoveredRuns ?? 0) }

    private func moveRefused() {
        guard !refused.isEmpty, durableLedger.queue != nil else { return }
        if move(refused, failedAttempts: 1, keepsLeases: true) { refused = [] }
    }

    /// Returns whether the moves of all recovered runs could be read.
    private func completeTransfers(in queue: RecordQueue) -> Bool {
        for journal in [journal, recorder?.ring].compactMap(\.self) {
            for run in journal.statistics().earlier.map(\.run) {
                do throws(QueueError) {
                    guard let bytes = try queue.mark(DurableLedger.transferMark(run)) else { continue }
                    journal.acknowledge(run: run, sequences: [UInt64](littleEndian: bytes), as: .queued)
                } catch {
                    return false
                }
            }
        }
        return true
    }
}

/// The room of the queue: records and bytes that it takes without evicting any.
struct QueueRoom {
    var records: Int
    var bytes: Int

    mutating func subtract(_ leases: [JournalLease]) {
        for lease in leases {
            records -= lease.records.count
            bytes -= lease.byteCount
        }
    }
}

extension QueueBatch {
    /// Appends the records of a lease, and what they come from.
    ///
    /// - Parameters:
    ///   - priority: That of all; `nil` for the one that each has.
    ///   - suffix: Fields at the end of each record that has room for them.
    mutating func append(
        _ lease: JournalLease, priority: Priority? = nil, adding suffix: [UInt8] = [], failedAttempts: Int = 0,
    ) {
        let resource = EncodedResource(fields: lease.run.header ?? [])
        var headers: [UInt16: [UInt8]] = [:]
        for record in lease.records {
            let header =
                headers[record.tag]
                ?? RecordOrigin(resource: resource, scope: lease.run.scope(record.tag)).bytes
            headers[record.tag] = header
            let hasRoom = record.bytes.count + suffix.count <= DurableLedger.recordLimit
            append(
                record.bytes, kind: lease.kind, priority: priority?.rawValue ?? record.priority,
                time: record.time, header: header, failedAttempts: failedAttempts, adding: hasRoom ? suffix : [],
            )
        }
    }
}

extension RecordOrigin {
    /// The origin for records whose own origin was damaged: their bytes are intact.
    static let unknown = RecordOrigin(resource: EncodedResource(fields: []), scope: EncodedScope(fields: []))
}

extension JournalRun {
    func scope(_ tag: UInt16) -> EncodedScope { EncodedScope(fields: definition(tag) ?? []) }
}
