import AstrolabePlatform

/// The limits of the queue.
package struct QueueConfiguration: Sendable {
    /// Maximum number of records. Default 10,000.
    package var maximumRecords = 10_000
    /// Maximum payload bytes. Default 20 MiB; the file may be slightly larger.
    package var maximumBytes = 20_971_520
    /// Maximum bytes of one record. Default 1 MiB.
    package var maximumRecordBytes = 1_048_576
    /// Nanoseconds for which a record waits, by a monotonic clock that counts while the device is on; up to a 168th
    /// less. Default 7 days.
    package var maximumAge: UInt64 = 7 * 86_400 * 1_000_000_000
    /// Maximum failed attempts of a record; one more drops it. Default 5.
    package var maximumFailedAttempts = 5
    /// Nanoseconds after which a lease expires even if its owner is alive. Default 5 minutes.
    package var leaseDuration: UInt64 = 300 * 1_000_000_000
    /// Milliseconds to wait for another process's transaction. Default 2,000.
    package var busyTimeout: Int32 = 2_000
    /// The failures that a commit survives. Default a loss of power.
    package var durability = Durability.powerLoss
    /// Maximum pages of the file, for tests of a full disk; `nil` for no limit.
    package var maximumPages: Int?

    /// The failures that a transaction survives once its call has returned.
    package enum Durability: Sendable {
        /// Any end of the process. A loss of power may undo the last transactions as a whole, but never a part of one.
        case processDeath
        /// A loss of power too, if the disk honours synchronisation: one per transaction.
        case powerLoss
    }

    package init() {}
}

/// The queue's clock, injected so that tests control the time. The queue reads no wall clock, which may be set.
package struct QueueClock: Sendable {
    /// Nanoseconds on a monotonic clock, the same for all processes since boot, for leases and the ages of records.
    package var steady: @Sendable () -> UInt64
    /// The boot that `steady` counts from; empty if it is not known.
    package var boot: @Sendable () -> String

    package init(
        steady: @escaping @Sendable () -> UInt64, boot: @escaping @Sendable () -> String = { SystemTime.bootID },
    ) {
        self.steady = steady
        self.boot = boot
    }

    package static let system = QueueClock(steady: { SystemTime.sinceBoot })
}
