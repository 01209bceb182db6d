/// Which requests wait for the disk, and which go into the next transaction: a value, moved by `GroupCommitter`.
///
/// While one transaction runs, what arrives waits; the next one takes all of it up to a limit. Under load that turns
/// many small requests into few large transactions, and when it is quiet a request waits for nobody.
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

    /// A request larger than the limit is admitted when nothing else waits, or it could never be.
    mutating func admit(records: Int) -> Admission {
        guard !isClosed else { return .rejectedClosed }
        guard waitingRecords == 0 || waitingRecords + records <= limits.waitingRecords else { return .rejectedFull }
        defer { nextTicket += 1 }
        waiting.append(Entry(ticket: nextTicket, records: records))
        waitingRecords += records
        return .admitted(ticket: nextTicket)
    }

    /// The requests of the next transaction; empty where one runs already or nothing waits.
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
