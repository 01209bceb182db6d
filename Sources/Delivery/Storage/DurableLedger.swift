package import AstrolabeJournal
package import AstrolabeOfflineQueue
import AstrolabePlatform

/// The queue of this device, opened when it is first needed, and the books that are kept in its file: what became of
/// the records of runs whose journal is gone.
///
/// | name | kind | what |
/// |---|---|---|
/// | `ledger.appended` | counter | records that the journals of retired runs had taken |
/// | `ledger.settled.<n>` | counter | what they noted of them, by `JournalOutcome` |
/// | `ledger.torn`, `ledger.refused.<n>` | counter | what they lost, and what they refused by `JournalRefusal` |
/// | `ledger.sent.rejected` | counter | of the records that left the queue, those that the server rejected |
/// | `ledger.dropped.<reason>` | counter | records that were given up before any journal, by earlier runs |
/// | `ledger.retired` | mark | the runs that were counted last, 16 bytes each: none is counted twice |
/// | `transfer.<run>` | mark | the sequence numbers, 8 bytes each, that the queue took from that run's journal last |
package final class DurableLedger: Sendable {
    private enum State {
        case unopened
        case open(RecordQueue)
        /// It could not be opened, and is not tried again before somebody asks for that.
        case failed
        /// A later version's file lies in its place: this run gets no queue.
        case impossible
        case closed
    }

    /// Bytes of one record at most that a queue takes, unless it is configured otherwise.
    package static let recordLimit = QueueConfiguration().maximumRecordBytes

    private let path: String
    private let configuration: QueueConfiguration
    private let clock: QueueClock
    private let state = Locked(State.unopened)

    package init(path: String, configuration: QueueConfiguration = QueueConfiguration(), clock: QueueClock = .system) {
        self.path = path
        self.configuration = configuration
        self.clock = clock
    }

    /// The queue; `nil` where it cannot be opened, which is tried again after `tryAgain`, or where another process held
    /// it.
    var queue: RecordQueue? {
        state.withLock { state in
            switch state {
            case .open(let queue): return queue
            case .failed, .impossible, .closed: return nil
            case .unopened:
                do throws(QueueError) {
                    let queue = try RecordQueue(path: path, configuration: configuration, clock: clock)
                    state = .open(queue)
                    return queue
                } catch {
                    state =
                        switch error.reason {
                        case .locked: .unopened
                        case .newerSchema: .impossible
                        case .closed: .closed
                        case .diskFull, .readOnly, .corrupt, .other: .failed
                        }
                    return nil
                }
            }
        }
    }

    var isOpen: Bool {
        state.withLock { state in
            if case .open = state { true } else { false }
        }
    }

    /// Lets the queue be opened that could not be before: a disk has room again, a device was unlocked.
    func tryAgain() {
        state.withLock { state in
            if case .failed = state { state = .unopened }
        }
    }

    private var isImpossible: Bool {
        state.withLock { state in
            if case .impossible = state { true } else { false }
        }
    }

    func close() {
        state.withLock { state in
            if case .open(let queue) = state { queue.close() }
            state = .closed
        }
    }

    /// Takes over the final account of a run whose journal is about to go; false asks for another try later.
    package func retire(_ totals: JournalTotals) -> Bool {
        guard let queue else { return isImpossible }
        do throws(QueueError) {
            var retired = try queue.mark(Self.retired) ?? []
            let id = Self.encode([totals.run.high, totals.run.low])
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
            try queue.apply(QueueChange(counters: counters, marks: [Self.retired: retired], removedMarks: done))
            return true
        } catch {
            return false
        }
    }

    /// Runs that are remembered after they were counted: one is asked about again only by the next few starts.
    private static let retiredRuns = 64

    static let appended = "ledger.appended"
    static let torn = "ledger.torn"
    static let rejected = "ledger.sent.rejected"
    private static let retired = "ledger.retired"
    private static let refusedPrefix = "ledger.refused."
    private static let settledPrefix = "ledger.settled."
    private static let droppedPrefix = "ledger.dropped."

    static func counters(of totals: JournalTotals) -> [String: Int] {
        var counters = [appended: totals.appended, torn: totals.torn]
        for (outcome, count) in totals.settled { counters[settledPrefix + String(outcome.rawValue)] = count }
        for (reason, count) in totals.refused { counters[refusedPrefix + String(reason.rawValue)] = count }
        return counters.filter { $0.value != 0 }
    }

    static func dropped(_ reason: DropReason) -> String { droppedPrefix + reason.rawValue }
    static func settled(_ outcome: JournalOutcome) -> String { settledPrefix + String(outcome.rawValue) }
    static func refused(_ reason: JournalRefusal) -> String { refusedPrefix + String(reason.rawValue) }

    static func transferMark(_ run: RunID) -> String { "transfer." + run.description }

    static func encode(_ numbers: [UInt64]) -> [UInt8] {
        numbers.flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
    }

    static func decode(_ bytes: [UInt8]) -> [UInt64] {
        stride(from: 0, to: bytes.count - bytes.count % 8, by: 8).map { offset in
            bytes[offset..<offset + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
    }
}
