import AstrolabeJournal
import AstrolabeOTLP
import AstrolabeOfflineQueue
import AstrolabePlatform
import AstrolabeTelemetryModel

/// All that waits on this device, in the order in which it leaves: the journal's records, and the queue's that had to
/// wait before.
///
///                       next() ------------------------------> consignment --> settle, release
///                        ^   ^
///     Journal -----------+   +----- OfflineQueue
///        |                               ^
///        +------- moveToQueue() ------------+      the network is away, the server said "later", the policy says wait
///
/// It does I/O; its owner keeps calls to it in a row. Where the queue cannot be opened (a read-only disk), records stay
/// in the journal, within its bounds.
final class PendingRecords {
    let journal: RecordJournal
    private let books: DurableLedger
    private var isPrepared = false
    /// Records in the queue, as far as this process knows: without any, the queue is not asked.
    private(set) var queued = 0

    init(_ journal: RecordJournal, books: DurableLedger) {
        self.journal = journal
        self.books = books
    }

    /// Recycles the journal's segments; the first time recovers what earlier runs left and ends what a kill cut short.
    func prepare() {
        if !isPrepared {
            isPrepared = true
            journal.recover()
            if let queue = books.queue { endTransfers(in: queue) }
            recount()
        }
        journal.maintain()
    }

    /// Asks the queue how many records it holds: another process may have added or sent some.
    func recount() {
        queued = (try? books.queue?.statistics().records) ?? 0
    }

    /// Tries again to open a queue that could not be opened.
    func reopenQueue() {
        guard !books.isOpen else { return }
        books.tryAgain()
        guard let queue = books.queue else { return }
        endTransfers(in: queue)
        recount()
    }

    /// Drops from the queue what is too old.
    func maintainQueue() {
        guard queued > 0, let queue = books.queue else { return }
        try? queue.maintain()
        recount()
    }

    /// Takes out the most urgent records: of the queue's and the journal's those of the higher priority, of equals the
    /// queue's, which have waited for longer. `nil` where none of at least `minimumPriority` waits.
    func next(minimumPriority: UInt8, records: Int, bytes: Int) -> LeasedBatches? {
        guard queued > 0, let queue = books.queue else {
            return journal.lease(maximumRecords: records, maximumBytes: bytes, minimumPriority: minimumPriority)
                .map { LeasedBatches($0) }
        }
        for priority in (minimumPriority...max(minimumPriority, Priority.critical.rawValue)).reversed() {
            let lease = try? queue.lease(maximumRecords: records, maximumBytes: bytes, minimumPriority: priority)
            if let lease { return LeasedBatches(lease) }
            let fresh = journal.lease(maximumRecords: records, maximumBytes: bytes, minimumPriority: priority)
            if let fresh { return LeasedBatches(fresh) }
        }
        return nil
    }

    /// Notes that the server has taken a parcel's records but for `rejected` of them, which it names no more.
    func settle(_ parcel: ExportBatch, of consignment: LeasedBatches, rejected: Int) {
        switch consignment.source {
        case .journal(let lease): journal.acknowledge(lease, as: .delivered, exceptLast: rejected, as: .rejected)
        case .queue:
            let change = QueueChange(counters: rejected > 0 ? [DurableLedger.rejected: rejected] : [:])
            queued -= (try? books.queue?.acknowledge(parcel.ids, change: change)) ?? 0
        }
    }

    /// Charges a parcel's records with a refusal that a retry may mend, and lets them wait; those that were refused too
    /// often are gone.
    ///
    /// - Returns: How many are gone.
    func refuse(_ parcel: ExportBatch, of consignment: LeasedBatches) -> Int {
        switch consignment.source {
        case .journal(let lease):
            moveToQueue(lease, refusals: 1)
            return 0
        case .queue(let lease):
            let receipt = try? books.queue?.refuse(parcel.ids, of: lease)
            let gone = receipt?.dropped.values.reduce(0, +) ?? 0
            queued -= gone
            return gone
        }
    }

    /// Lets what is left of a consignment wait again, without a charge.
    func release(_ consignment: LeasedBatches) {
        switch consignment.source {
        case .journal(let lease): journal.release(lease)
        case .queue(let lease): try? books.queue?.release(lease)
        }
    }

    /// Moves all that waits in the journal into the queue, where it is kept by priority and outlasts a loss of power.
    func moveToQueue() {
        while let lease = journal.lease(maximumRecords: 2_048, maximumBytes: 4 << 20) {
            guard moveToQueue(lease) else { return }
        }
    }

    /// In one transaction the queue takes the records and notes whose they were; only then the journal lets them go. A
    /// kill between the two is mended by `endTransfers`.
    @discardableResult
    private func moveToQueue(_ lease: JournalLease, refusals: Int = 0) -> Bool {
        guard let queue = books.queue else {
            journal.release(lease)
            return false
        }
        let resource = EncodedResource(fields: lease.run.header ?? [])
        var headers: [UInt16: [UInt8]] = [:]
        var batch = QueueBatch()
        for record in lease.records {
            let header =
                headers[record.tag]
                ?? RecordOrigin(resource: resource, scope: lease.run.scope(record.tag)).bytes
            headers[record.tag] = header
            batch.append(
                record.bytes, kind: lease.kind, priority: record.priority, time: record.time, header: header,
                refusals: refusals,
            )
        }
        let mark = DurableLedger.transferMark(lease.run.id)
        let change = QueueChange(marks: [mark: DurableLedger.encode(lease.records.map(\.sequence))])
        do {
            let receipt = try queue.enqueue(batch, change: change)
            journal.acknowledge(lease, as: .queued)
            queued += receipt.enqueued - receipt.dropped.values.reduce(0, +)
            return true
        } catch {
            journal.release(lease)
            return false
        }
    }

    private func endTransfers(in queue: RecordQueue) {
        let statistics = journal.statistics()
        for run in statistics.earlier.map(\.run) {
            guard let bytes = try? queue.mark(DurableLedger.transferMark(run)) else { continue }
            journal.acknowledge(run: run, sequences: DurableLedger.decode(bytes), as: .queued)
        }
    }
}

/// One lease of the journal's or the queue's, as the parcels that carry it.
struct LeasedBatches {
    enum Source {
        case journal(JournalLease)
        case queue(QueueLease)
    }

    let source: Source
    let parcels: [ExportBatch]

    init(_ lease: JournalLease) {
        source = .journal(lease)
        let kind = RecordKind(rawValue: lease.kind) ?? .event
        var parcel = ExportBatch(kind: kind, resource: EncodedResource(fields: lease.run.header ?? []))
        var scopes: [UInt16: EncodedScope] = [:]
        for record in lease.records {
            let scope = scopes[record.tag] ?? lease.run.scope(record.tag)
            scopes[record.tag] = scope
            parcel.append(record.bytes, scope: scope)
        }
        parcels = [parcel]
    }

    init(_ lease: QueueLease) {
        source = .queue(lease)
        var parcels: [ExportBatch] = []
        let origins = lease.headers.mapValues(RecordOrigin.init)
        for record in lease.records {
            let kind = RecordKind(rawValue: record.kind) ?? .event
            let origin = origins[record.header].flatMap { $0 } ?? .unknown
            let index =
                parcels.firstIndex { $0.kind == kind && $0.resource == origin.resource }
                ?? {
                    parcels.append(ExportBatch(kind: kind, resource: origin.resource))
                    return parcels.count - 1
                }()
            record.payload.withUnsafeBytes { parcels[index].append($0, scope: origin.scope, id: record.id) }
        }
        self.parcels = parcels
    }
}

extension RecordOrigin {
    /// For records whose origin was damaged: their own bytes are whole.
    static let unknown = RecordOrigin(resource: EncodedResource(fields: []), scope: EncodedScope(fields: []))
}

extension JournalRun {
    func scope(_ tag: UInt16) -> EncodedScope { EncodedScope(fields: definition(tag) ?? []) }
}
