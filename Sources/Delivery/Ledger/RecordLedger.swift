import AstrolabeJournal
import AstrolabeOfflineQueue

/// The ledger of every record since the app was installed: each record is in exactly one place.
///
///     created = delivered + pending + recorded, not sent + sum(dropped)
///
/// The equation holds whenever no operation is in progress, including after restarts and kills. A file that is damaged
/// beyond reading can lose its part of the ledger. Records known to have been in it then count as corrupt.
public struct RecordLedger: Codable, Equatable, Sendable {
    /// Records that were created.
    public var created = 0
    /// Accepted by the server.
    public var delivered = 0
    /// Pending in memory-mapped files.
    package var inJournal = 0
    /// Pending in the database until the network, the server and the policy allow sending.
    package var inQueue = 0
    /// Held by the flight recorder, or overwritten there: no trigger has asked for them.
    public var notSent = 0
    /// Dropped, by reason.
    public var dropped: [DropReason: Int] = [:]

    package init() {}

    /// Records that wait on the device, in the journal or in the queue.
    public var pending: Int { inJournal + inQueue }
    /// The sum of `dropped`.
    package var droppedTotal: Int { dropped.values.reduce(0, +) }
    /// True if every record is accounted for, which holds whenever no operation is in progress.
    public var isBalanced: Bool { created == delivered + pending + notSent + droppedTotal }
}

extension RecordLedger {
    /// Adds up the counts of the journal's runs, the queue, and the queue's persisted counters.
    ///
    /// - Parameters:
    ///   - ring: The flight recorder's; `nil` if there is none.
    ///   - isCurrent: Whether `queue` was read now. If not, records that have moved to the queue since are in it.
    ///   - unpersisted: Records that this process dropped before they reached the journal, by reason. Below 0
    ///     for records that the persisted counters include as dropped and that were recorded after all.
    init(
        journal: JournalStatistics, ring: JournalStatistics? = nil, queue: QueueStatistics, isCurrent: Bool,
        unpersisted: [DropReason: Int],
    ) {
        self.init()
        let counters = queue.counters
        var queuedFromJournals = counters[DurableLedger.completed(.queued)] ?? 0
        created = counters[DurableLedger.appended] ?? 0
        delivered = counters[DurableLedger.completed(.delivered)] ?? 0
        notSent = counters[DurableLedger.completed(.notSent)] ?? 0
        drop(counters[DurableLedger.torn] ?? 0, .corrupt)
        for outcome in [JournalOutcome.rejected, .evicted] {
            if let reason = outcome.dropReason { drop(counters[DurableLedger.completed(outcome)] ?? 0, reason) }
        }
        for refusal in JournalRefusal.allCases {
            create(counters[DurableLedger.refused(refusal)] ?? 0, dropped: DropReason(refusal))
        }
        for reason in DropReason.allCases { create(counters[DurableLedger.dropped(reason)] ?? 0, dropped: reason) }
        for (reason, count) in unpersisted { create(count, dropped: reason) }

        for run in journal.earlier + [journal.current] {
            inJournal += run.pending
            queuedFromJournals += add(run)
        }
        if let ring {
            for run in ring.earlier + [ring.current] {
                notSent += run.pending
                queuedFromJournals += add(run)
            }
        }

        let rejected = counters[DurableLedger.rejected] ?? 0
        delivered += queue.acknowledged - rejected
        inQueue = queue.records
        drop(rejected, .rejected)
        for (reason, count) in queue.dropped { drop(count, DropReason(reason)) }
        // The queue holds more than these journals moved: records of a process that is still running.
        created += max(0, queue.enqueued - queuedFromJournals)
        let missing = max(0, queuedFromJournals - queue.enqueued)
        if isCurrent {
            // The queue holds fewer: its file was damaged beyond reading, and these records were in it.
            drop(missing, .corrupt)
        } else {
            inQueue += missing
        }
    }

    /// Adds a run's records except the pending ones; returns how many have moved to the queue.
    private mutating func add(_ run: JournalTotals) -> Int {
        created += run.appended
        drop(run.torn, .corrupt)
        for (outcome, count) in run.completed {
            switch outcome {
            case .queued: break
            case .delivered: delivered += count
            case .notSent: notSent += count
            default: drop(count, outcome.dropReason ?? .corrupt)
            }
        }
        for (refusal, count) in run.refused { create(count, dropped: DropReason(refusal)) }
        return run.completed[.queued] ?? 0
    }

    private mutating func create(_ count: Int, dropped reason: DropReason) {
        created += count
        drop(count, reason)
    }

    private mutating func drop(_ count: Int, _ reason: DropReason) {
        guard count != 0 else { return }
        let total = dropped[reason, default: 0] + count
        dropped[reason] = total == 0 ? nil : total
    }
}
