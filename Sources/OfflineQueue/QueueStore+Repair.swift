import AstrolabePlatform

extension QueueStore {
    /// Moves a damaged file aside and creates a new one with the counters that could still be read.
    ///
    /// If the sums were readable, each lost record is counted. Otherwise the file counts as a loss of unknown size.
    /// Only the last damaged file is kept.
    convenience init(
        replacing path: String, configuration: QueueConfiguration, clock: QueueClock, ids: IDGenerator,
        timeout: LockTimeout,
    ) throws(QueueError) {
        let aside = path + "-damaged"
        let salvaged = SalvagedCounters(of: path)
        for suffix in ["-wal", "-shm", ""] {
            PrivateFiles.removeFile(aside + suffix)
            if PrivateFiles.modified(path + suffix) == nil { continue }
            do throws(SystemError) {
                try PrivateFiles.move(path + suffix, to: aside + suffix)
            } catch {
                throw QueueError(error)
            }
        }
        // Otherwise the counts beside the file are all that is known of its records.
        if salvaged != nil { QueueWitness.remove(of: path) }
        try self.init(path: path, configuration: configuration, clock: clock, ids: ids, timeout: timeout)
        try transaction { _ throws(SQLiteFailure) in
            guard let salvaged else { return try add(1, to: QueueCounter.unknownLosses) }
            for (name, value) in salvaged.counters where value != 0 { try add(value, to: name) }
            try apply(QueueChange(marks: Self.withoutAges(salvaged.marks)))
            if salvaged.records > 0 { try add(salvaged.records, to: QueueDrop.corrupt.rawValue) }
        }
        noteLost(salvaged?.records ?? 0)
    }

    /// The counters that a damaged file still contains.
    private struct SalvagedCounters {
        var counters: [String: Int] = [:]
        var marks: [String: [UInt8]] = [:]
        var records = 0

        /// `nil` if any of it cannot be read or is inconsistent.
        init?(of path: String) {
            do throws(SQLiteFailure) {
                let database = try SQLiteDatabase(path: path, busyTimeout: 0)
                let ledger = try database.statement("SELECT name, value FROM ledger")
                while try ledger.step() { counters[ledger.text(0)] = Int(ledger.int(1)) }
                ledger.reset()
                let rows = try database.statement("SELECT name, value FROM marks")
                while try rows.step() { marks[rows.text(0)] = rows.bytes(1) }
                rows.reset()
                records = Int(try database.number("SELECT sum(records) FROM totals"))
            } catch {
                return nil
            }
            let left = QueueDrop.allCases.reduce(counters[QueueCounter.acknowledged] ?? 0) {
                $0 &+ (counters[$1.rawValue] ?? 0)
            }
            guard records >= 0, counters.values.allSatisfy({ $0 >= 0 }) else { return nil }
            guard counters[QueueCounter.enqueued] ?? 0 == left &+ records else { return nil }
        }
    }
}
