import AstrolabeJournal
import AstrolabeOfflineQueue

/// The account of every record since the app was installed: each is in exactly one place.
///
///     created = delivered + inJournal + inQueue + sum(dropped)
///
/// It holds at every quiet moment, over restarts and kills too. A file that was damaged beyond reading can take its
/// part of the account with it; what is known to have been in it counts as corrupt then.
public struct RecordLedger: Codable, Hashable, Sendable {
    public var created = 0
    /// Taken by the server.
    public var delivered = 0
    /// Waiting in memory-mapped files for their turn.
    public var inJournal = 0
    /// Waiting in the database for the network, for the server or for the policy.
    public var inQueue = 0
    /// Given up, by reason.
    public var dropped: [DropReason: Int] = [:]

    public init() {}

    /// Waiting, wherever.
    public var pending: Int { inJournal + inQueue }
    public var droppedTotal: Int { dropped.values.reduce(0, +) }
    /// Whether every record is accounted for.
    public var isBalanced: Bool { created == delivered + pending + droppedTotal }
}

extension RecordLedger {
    /// Adds up what the journal's runs, the queue and its books say.
    ///
    /// - Parameter given: Records that this process gave up before any journal, by reason; below 0 for those that the
    ///   queue's books have as given up and that have been recorded after all.
    init(journal: JournalStatistics, queue: QueueStatistics, given: [DropReason: Int]) {
        self.init()
        let counters = queue.counters
        var queuedFromJournals = counters[DurableLedger.settled(.queued)] ?? 0
        created = counters[DurableLedger.appended] ?? 0
        delivered = counters[DurableLedger.settled(.delivered)] ?? 0
        drop(counters[DurableLedger.torn] ?? 0, .corrupt)
        for outcome in [JournalOutcome.rejected, .evicted] {
            if let reason = outcome.dropReason { drop(counters[DurableLedger.settled(outcome)] ?? 0, reason) }
        }
        for refusal in JournalRefusal.allCases {
            create(counters[DurableLedger.refused(refusal)] ?? 0, dropped: DropReason(refusal))
        }
        for reason in DropReason.allCases { create(counters[DurableLedger.dropped(reason)] ?? 0, dropped: reason) }
        for (reason, count) in given { create(count, dropped: reason) }

        for run in journal.earlier + [journal.current] {
            created += run.appended
            inJournal += run.pending
            drop(run.torn, .corrupt)
            for (outcome, count) in run.settled {
                switch outcome {
                case .delivered: delivered += count
                case .queued: queuedFromJournals += count
                default: drop(count, outcome.dropReason ?? .corrupt)
                }
            }
            for (refusal, count) in run.refused { create(count, dropped: DropReason(refusal)) }
        }

        let rejected = counters[DurableLedger.rejected] ?? 0
        delivered += queue.acknowledged - rejected
        inQueue = queue.records
        drop(rejected, .rejected)
        for (reason, count) in queue.dropped { drop(count, DropReason(reason)) }
        // More came into the queue than these journals sent: those of a process that still runs.
        created += max(0, queue.enqueued - queuedFromJournals)
        // Fewer: the queue's file was damaged beyond reading, and these were in it.
        drop(max(0, queuedFromJournals - queue.enqueued), .corrupt)
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
