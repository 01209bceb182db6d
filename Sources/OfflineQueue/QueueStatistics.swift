/// What is in the queue, and what became of all that ever was.
///
/// `enqueued = acknowledged + records + sum(dropped)` in every committed state, over kills too. What a damaged file has
/// taken with it uncounted is told by `unknownLosses`.
package struct QueueStatistics: Hashable, Sendable {
    /// Records, leased ones included.
    package var records = 0
    /// Bytes of their payloads.
    package var bytes = 0
    package var byKind: [UInt8: Int] = [:]
    package var byPriority: [UInt8: Int] = [:]
    package var leased = 0
    /// The time of the oldest record.
    package var oldest: UInt64?
    /// All counters, the caller's and the queue's.
    package var counters: [String: Int] = [:]

    /// Those of an empty queue.
    package init() {}

    /// Records that were handed over.
    package var enqueued: Int { counters[QueueCounter.enqueued] ?? 0 }
    /// Records that somebody has taken on.
    package var acknowledged: Int { counters[QueueCounter.acknowledged] ?? 0 }
    package var dropped: [QueueDrop: Int] {
        QueueDrop.allCases.reduce(into: [:]) { dropped, reason in
            if let count = counters[reason.rawValue], count > 0 { dropped[reason] = count }
        }
    }
    /// Files that were damaged so that nobody knows how many records were in them, or whose counters did not add up.
    package var unknownLosses: Int { counters[QueueCounter.unknownLosses] ?? 0 }
}

/// The queue's own counters, besides those of `QueueDrop`.
package enum QueueCounter {
    package static let enqueued = "queue.enqueued"
    package static let acknowledged = "queue.acknowledged"
    package static let unknownLosses = "queue.unknown-losses"
}
