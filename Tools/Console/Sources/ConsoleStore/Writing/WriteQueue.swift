import ConsoleModel

/// A queue of write requests, as a value that `GroupCommitter` drives.
///
/// Requests that arrive during a transaction wait. The next transaction takes all of them, up to a limit. So many small
/// requests become few large transactions under load, and an idle store commits each request immediately.
struct WriteQueue: Sendable {
    private let limits: StoreConfiguration.Limits
    private var waiting: [Entry] = []
    private(set) var waitingRecords = 0
    private(set) var isCommitting = false
    private(set) var isClosed = false
    private var nextTicket = 0

    struct Entry: Sendable, Hashable {
        let ticket: Int
        let records: Int
    }

    enum Admission: Sendable, Hashable {
        case admitted(ticket: Int)
        case rejectedFull
        case rejectedClosed
    }

    init(limits: StoreConfiguration.Limits) {
        self.limits = limits
    }

    /// Admits or rejects a request. A request larger than the limit is admitted only if the queue is empty.
    ///
    /// - Parameter isRest: Whether a part of the request is on disk already, so that the limit does not apply.
    mutating func admit(records: Int, isRest: Bool = false) -> Admission {
        guard !isClosed else { return .rejectedClosed }
        guard isRest || waitingRecords == 0 || waitingRecords + records <= limits.waitingRecords else {
            return .rejectedFull
        }
        defer { nextTicket += 1 }
        waiting.append(Entry(ticket: nextTicket, records: records))
        waitingRecords += records
        return .admitted(ticket: nextTicket)
    }

    /// Returns the requests of the next transaction; empty if one is running or nothing waits.
    mutating func beginCommit() -> [Entry] {
        guard !isCommitting, !waiting.isEmpty else { return [] }
        isCommitting = true
        var records = 0
        let count = waiting.prefix { entry in
            defer { records += entry.records }
            return records == 0 || records + entry.records <= limits.recordsPerCommit
        }.count
        defer { waiting.removeFirst(count) }
        return Array(waiting.prefix(count))
    }

    mutating func endCommit(_ entries: [Entry]) {
        isCommitting = false
        waitingRecords -= entries.reduce(0) { $0 + $1.records }
    }

    mutating func close() {
        isClosed = true
    }
}
