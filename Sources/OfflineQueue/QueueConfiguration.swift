import AstrolabePlatform

/// How much the queue keeps, and for how long.
package struct QueueConfiguration: Sendable {
    /// Records at most. Default 10,000.
    package var maximumRecords = 10_000
    /// Bytes of payload at most. Default 20 MiB; the file may be some more.
    package var maximumBytes = 20_971_520
    /// Bytes of one record at most. Default 1 MiB.
    package var maximumRecordBytes = 1_048_576
    /// Nanoseconds from a record's time to its expiry. Default 7 days.
    package var maximumAge: UInt64 = 7 * 86_400 * 1_000_000_000
    /// Refusals by the server that a record survives; with the next it is dropped. Default 5.
    package var maximumRefusals = 5
    /// Nanoseconds after which a lease ends though its owner lives. Default 5 minutes.
    package var leaseDuration: UInt64 = 300 * 1_000_000_000
    /// Milliseconds to wait for another process's transaction. Default 2,000.
    package var busyTimeout: Int32 = 2_000
    /// What a commit survives. Default the loss of power.
    package var durability = Durability.powerLoss
    /// Pages that the file may have, for tests of a full disk; `nil` leaves the bound to the disk.
    package var maximumPages: Int?

    /// What a transaction survives when its call has returned.
    package enum Durability: Sendable {
        /// The end of the process, however it ends. The loss of power may take the last transactions, and never half of
        /// one.
        case processDeath
        /// The loss of power too, as far as the disk keeps what it says that it has written: one synchronisation a
        /// transaction.
        case powerLoss
    }

    package init() {}
}

/// Where the queue's time comes from, injected so that tests can turn it by hand.
package struct QueueClock: Sendable {
    /// Nanoseconds since 1970, for the age of records.
    package var wall: @Sendable () -> UInt64
    /// Nanoseconds by a clock that nobody sets, the same for all processes since boot, for leases.
    package var steady: @Sendable () -> UInt64

    package init(wall: @escaping @Sendable () -> UInt64, steady: @escaping @Sendable () -> UInt64) {
        self.wall = wall
        self.steady = steady
    }

    package static let system = QueueClock(wall: { SystemTime.wall }, steady: { SystemTime.sinceBoot })
}
