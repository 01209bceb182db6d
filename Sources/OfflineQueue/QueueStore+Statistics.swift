extension QueueStore {
    func statistics() throws(SQLiteFailure) -> QueueStatistics {
        var statistics = QueueStatistics()
        let totals = try database.statement("SELECT kind, priority, records, bytes FROM totals WHERE records > 0")
        defer { totals.reset() }
        while try totals.step() {
            let records = Int(totals.int(2))
            statistics.records += records
            statistics.bytes += Int(totals.int(3))
            statistics.byKind[UInt8(truncatingIfNeeded: totals.int(0)), default: 0] += records
            statistics.byPriority[UInt8(truncatingIfNeeded: totals.int(1)), default: 0] += records
        }
        statistics.leased = Int(try database.number("SELECT count(*) FROM leases"))
        let oldest = try database.statement("SELECT min(time) FROM records WHERE priority = ?1")
        defer { oldest.reset() }
        for priority in statistics.byPriority.keys {
            oldest.reset()
            guard try oldest.bind(1, Int64(priority)).step() else { continue }
            let time = UInt64(clamping: oldest.int(0))
            statistics.oldest = min(statistics.oldest ?? time, time)
        }
        statistics.counters = try counters()
        return statistics
    }

    /// All counters. A value that was damaged since the file was opened is bounded, so that sums do not overflow.
    func counters() throws(SQLiteFailure) -> [String: Int] {
        // More than the sum of all that an opened file can have.
        let bound = 16 * QueueCounter.greatest
        return try storedCounters().mapValues { min(max($0, -bound), bound) }
    }

    func storedCounters() throws(SQLiteFailure) -> [String: Int] {
        let ledger = try database.statement("SELECT name, value FROM ledger")
        defer { ledger.reset() }
        var counters: [String: Int] = [:]
        while try ledger.step() { counters[ledger.text(0)] = Int(ledger.int(1)) }
        return counters
    }
}
