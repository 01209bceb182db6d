/// The queue's contents, and the counts of all records that were ever in it.
///
/// `enqueued = acknowledged + records + sum(dropped)` in every committed state, across kills. `unknownLosses` counts
/// damaged files whose records could not be counted.
package struct QueueStatistics: Equatable, Sendable {
    /// Records, including leased ones.
    package internal(set) var records = 0
    /// Bytes of the payloads.
    package internal(set) var bytes = 0
    package internal(set) var byKind: [UInt8: Int] = [:]
    package internal(set) var byPriority: [UInt8: Int] = [:]
    package internal(set) var leased = 0
    /// The time of the oldest record.
    package internal(set) var oldest: UInt64?
    /// All counters, the caller's and the queue's.
    package var counters: [String: Int] = [:]

    /// Creates the statistics of an empty queue.
    package init() {}

    /// Records that were enqueued.
    package var enqueued: Int { counters[QueueCounter.enqueued] ?? 0 }
    /// Records that were acknowledged.
    package var acknowledged: Int { counters[QueueCounter.acknowledged] ?? 0 }
    package var dropped: [QueueDrop: Int] {
        QueueDrop.allCases.reduce(into: [:]) { dropped, reason in
            if let count = counters[reason.rawValue], count > 0 { dropped[reason] = count }
        }
    }
    /// Damaged files whose record count could not be read, or whose counters were inconsistent.
    package var unknownLosses: Int { counters[QueueCounter.unknownLosses] ?? 0 }
}

/// The names of the queue's own counters, in addition to those of `QueueDrop`.
package enum QueueCounter {
    /// No counter goes beyond it: 100 records a second for 300 years.
    static let greatest = 1 << 40

    package static let enqueued = "queue.enqueued"
    package static let acknowledged = "queue.acknowledged"
    package static let unknownLosses = "queue.unknown-losses"
}
