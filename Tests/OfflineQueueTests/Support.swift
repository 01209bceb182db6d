import AstrolabeOfflineQueue
import AstrolabePlatform
import AstrolabeTestSupport

/// A queue's file and a clock that the test controls.
final class QueueBench: Sendable {
    let directory: TemporaryDirectory
    let path: String
    /// Nanoseconds since 1970, for the times of records; the queue does not read it.
    let wall: Locked<UInt64>
    let steady: Locked<UInt64>
    /// Empty if the queue cannot know it.
    let boot: Locked<String>

    static let second: UInt64 = 1_000_000_000
    static let start: UInt64 = 365 * 86_400 * second

    init(_ directory: TemporaryDirectory = TemporaryDirectory(), wall: UInt64 = start, steady: UInt64 = second) {
        self.directory = directory
        path = directory.path + "/queue.db"
        self.wall = Locked(wall)
        self.steady = Locked(steady)
        boot = Locked("boot")
    }

    var now: UInt64 { wall.withLock { $0 } }

    /// - Parameter timeout: How long calls wait for other connections. Default `configuration.busyTimeout`.
    func open(
        timeout: LockTimeout? = nil, _ configure: (inout QueueConfiguration) -> Void = { _ in },
    ) throws -> RecordQueue {
        var configuration = QueueConfiguration()
        configuration.durability = .processDeath
        // A busy machine must not exceed it.
        configuration.busyTimeout = 60_000
        configure(&configuration)
        let clock = QueueClock(
            steady: { [steady] in steady.withLock { $0 } }, boot: { [boot] in boot.withLock { $0 } })
        return try RecordQueue(path: path, configuration: configuration, clock: clock, timeout: timeout)
    }

    /// Returns a bench with a copy of the current files, as a kill would leave them.
    func crashed() throws -> QueueBench {
        QueueBench(try directory.copy(), wall: now, steady: steady.withLock { $0 })
    }

    /// Returns one record for each priority, one second apart, starting after `later` seconds.
    func batch(
        _ priorities: [UInt8], kind: UInt8 = 1, header: [UInt8] = [9], size: Int = 10, later: UInt64 = 0,
    ) -> QueueBatch {
        var batch = QueueBatch()
        for (index, priority) in priorities.enumerated() {
            batch.append(
                [UInt8](repeating: UInt8(truncatingIfNeeded: index), count: size), kind: kind, priority: priority,
                time: now + (later + UInt64(index)) * Self.second, header: header,
            )
        }
        return batch
    }
}

extension RecordQueue {
    func leaseAll() throws -> QueueLease? { try lease(maximumRecords: 100_000, maximumBytes: .max) }
}

extension QueueLease {
    /// The first byte of each payload, which identifies the record.
    var marks: [UInt8] { records.compactMap(\.payload.first) }
}

extension QueueStatistics {
    /// True if every enqueued record is accounted for.
    var isBalanced: Bool { enqueued == acknowledged + records + dropped.values.reduce(0, +) }
}
