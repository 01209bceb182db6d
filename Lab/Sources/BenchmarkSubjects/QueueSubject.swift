import AstrolabeOfflineQueue
import AstrolabePlatform

/// An offline queue that the benchmarks, a package of their own, can call.
///
/// In its default configuration: each call is on the disk when it returns, as far as the disk tells the truth.
public final class QueueSubject: Sendable {
    private let queue: RecordQueue

    public init(path: String) throws {
        queue = try RecordQueue(path: path)
    }

    /// Stores records of these bytes, made one nanosecond after another, in one transaction.
    public func enqueue(_ payload: [UInt8], count: Int) throws {
        let now = SystemTime.wall
        var batch = QueueBatch()
        for number in 0..<UInt64(count) {
            batch.append(payload, kind: 1, priority: 1, time: now + number, header: [1])
        }
        try queue.enqueue(batch)
    }

    /// Takes up to `count` records out and acknowledges them; gives how many there were.
    public func drain(_ count: Int) throws -> Int {
        guard let lease = try queue.lease(maximumRecords: count, maximumBytes: .max) else { return 0 }
        return try queue.acknowledge(lease.ids)
    }
}
