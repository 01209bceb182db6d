import AstrolabeJournal

/// A journal that the benchmarks, a package of their own, can call: its API is for our modules alone.
public final class JournalSubject: Sendable {
    private let journal: RecordJournal

    public init(directory: String) throws {
        var configuration = JournalConfiguration(directory: directory)
        configuration.preparesOnDemand = true
        journal = try RecordJournal(configuration, header: [])
        journal.maintain()
    }

    deinit {
        journal.close()
    }

    /// False if the journal has no room.
    public func append(_ record: UnsafeRawBufferPointer, time: UInt64) -> Bool {
        if case .appended = journal.append(record, kind: 1, priority: 1, tag: 0, time: time) { true } else { false }
    }

    /// Runs the SDK's work off the hot path, now and then.
    public func maintain() {
        journal.maintain()
    }

    /// Takes up to `count` records out, lends each, and settles them; gives how many there were.
    public func drain(_ count: Int, _ body: (UnsafeRawBufferPointer) -> Void) -> Int {
        guard let lease = journal.lease(maximumRecords: count, maximumBytes: .max) else { return 0 }
        for record in lease.records { body(record.bytes) }
        journal.acknowledge(lease)
        return lease.records.count
    }
}
