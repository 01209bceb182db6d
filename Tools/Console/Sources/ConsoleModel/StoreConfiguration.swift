import AstrolabePlatform

/// The configuration of the store: file, retention and limits.
///
///     var configuration = StoreConfiguration(path: ".astrolabe/console.sqlite")
///     configuration.retention.age = .seconds(86_400)
package struct StoreConfiguration: Sendable {
    /// The path of the SQLite file, whose folder must exist. SQLite creates a `-wal` and a `-shm` file next to it.
    package var path: String
    package var retention: Retention
    package var limits: Limits
    /// The names of the records that a session is judged by.
    package var milestones = ConversionEvents()
    /// Returns the current time in nanoseconds since 1970, for arrival times.
    package var now: @Sendable () -> UInt64
    /// Returns the nanoseconds of a monotonic clock, for retention.
    package var elapsed: @Sendable () -> UInt64

    package init(
        path: String, retention: Retention = Retention(), limits: Limits = Limits(),
        now: @escaping @Sendable () -> UInt64 = { SystemTime.wall },
        elapsed: @escaping @Sendable () -> UInt64 = { SystemTime.sinceBoot },
    ) {
        self.path = path
        self.retention = retention
        self.limits = limits
        self.now = now
        self.elapsed = elapsed
    }

    /// The limits of age and size. The records that arrived first are removed first.
    package struct Retention: Sendable, Hashable {
        /// The maximum age. The default is 7 days.
        ///
        /// It is counted from a record's arrival, so that a wrong device clock loses nothing. It is counted by the
        /// monotonic clock, so that a wrong clock of the machine loses nothing.
        package var age: Duration
        /// The maximum number of bytes of the file that hold data. The default is 1 GiB, the minimum is 1 MiB.
        ///
        /// The file may be larger by the free pages that were not returned to the file system yet. The write-ahead log
        /// beside it has ``logBytes`` at most, unless a reader or a large request delays its end.
        package var bytes: Int
        /// The size of the write-ahead log: a sixteenth of ``bytes``, from 16 to 64 MiB.
        package var logBytes: Int { min(max(bytes / 16, 16 << 20), 64 << 20) }

        package init(age: Duration = .seconds(7 * 86_400), bytes: Int = 1 << 30) {
            self.age = age
            self.bytes = max(bytes, 1 << 20)
        }
    }

    /// The limits of the write queue, beyond which requests are rejected, and of the time of a search.
    package struct Limits: Sendable, Hashable {
        /// The maximum number of accepted but uncommitted records over all requests. The default is 65,536.
        package var waitingRecords: Int
        /// The maximum number of records per transaction. A request with more is stored in several, and other requests
        /// come between them. The default is 8,192.
        package var recordsPerCommit: Int
        /// The time that a search walks a list in its order. The default is 0.4 s.
        package var searchWalk: Duration = .milliseconds(400)
        /// The time that a search then reads all records for what the walk has not found. The default is 10 s.
        package var searchScan: Duration = .seconds(10)
        /// The size of the newest records that stay in memory until columns are made from them. The default is 32 MiB.
        package var arrivalBytes = 32 << 20

        package init(waitingRecords: Int = 65_536, recordsPerCommit: Int = 8_192) {
            self.waitingRecords = max(waitingRecords, 1)
            self.recordsPerCommit = max(recordsPerCommit, 1)
        }
    }
}
