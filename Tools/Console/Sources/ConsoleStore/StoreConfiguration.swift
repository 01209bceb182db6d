import AstrolabePlatform

/// Where the console keeps what it knows, and how much of it.
///
///     var configuration = StoreConfiguration(path: ".astrolabe/console.sqlite")
///     configuration.retention.age = .seconds(86_400)
package struct StoreConfiguration: Sendable {
    /// The SQLite file; its folder must exist. SQLite adds a `-wal` and a `-shm` file beside it.
    package var path: String
    package var retention: Retention
    package var limits: Limits
    /// Nanoseconds since 1970, when records arrive and when retention looks at them.
    package var now: @Sendable () -> UInt64

    package init(
        path: String, retention: Retention = Retention(), limits: Limits = Limits(),
        now: @escaping @Sendable () -> UInt64 = { SystemTime.wall },
    ) {
        self.path = path
        self.retention = retention
        self.limits = limits
        self.now = now
    }

    /// What is given up, and when. The record that arrived first goes first.
    package struct Retention: Sendable, Hashable {
        /// Counted from a record's arrival, so that a phone whose clock is wrong loses nothing. 7 days by default.
        package var age: Duration
        /// Bytes of the file that hold data; the file itself may stay larger by what was freed and not yet returned.
        /// 1 GiB by default; the smallest that works is 1 MiB.
        package var bytes: Int

        package init(age: Duration = .seconds(7 * 86_400), bytes: Int = 1 << 30) {
            self.age = age
            self.bytes = max(bytes, 1 << 20)
        }
    }

    /// What may wait for the disk at one moment; past it a request is refused.
    package struct Limits: Sendable, Hashable {
        /// Records accepted and not yet committed, over all requests. 65,536 by default.
        package var waitingRecords: Int
        /// Records that one transaction takes, unless a single request has more. 8,192 by default.
        package var recordsPerCommit: Int

        package init(waitingRecords: Int = 65_536, recordsPerCommit: Int = 8_192) {
            self.waitingRecords = max(waitingRecords, 1)
            self.recordsPerCommit = max(recordsPerCommit, 1)
        }
    }
}
