extension QueueStore {
    /// Evicts records until the limits hold: lowest priority first, then oldest; never leased records.
    func evictExcess(_ tally: inout QueueTally) throws(SQLiteFailure) {
        var excess = try excess(over: tally)
        for priority in 0...3 as ClosedRange<Int64> {
            while excess.records > 0 || excess.bytes > 0 {
                let oldest = try oldest(ofPriority: priority, limit: excess.records > 0 ? excess.records : 64)
                if oldest.isEmpty { break }
                var evicted: [Int64] = []
                for (id, bytes) in oldest where excess.records > 0 || excess.bytes > 0 {
                    evicted.append(id)
                    excess.records -= 1
                    excess.bytes -= bytes
                }
                try remove(evicted, as: QueueDrop.evicted.rawValue, &tally)
            }
        }
    }

    /// Returns by how much the sums, including this transaction's changes, exceed the limits.
    private func excess(over tally: QueueTally) throws(SQLiteFailure) -> QueueTally.Sum {
        let select = try database.statement("SELECT total(records), total(bytes) FROM totals")
        defer { select.reset() }
        var sum = QueueTally.Sum()
        if try select.step() { sum = QueueTally.Sum(records: Int(select.int(0)), bytes: Int(select.int(1))) }
        for change in tally.groups.values {
            sum.records += change.records
            sum.bytes += change.bytes
        }
        return QueueTally.Sum(
            records: sum.records - configuration.maximumRecords, bytes: sum.bytes - configuration.maximumBytes,
        )
    }

    private func oldest(
        ofPriority priority: Int64, limit: Int,
    ) throws(SQLiteFailure) -> [(id: Int64, bytes: Int)] {
        let select = try database.statement(
            """
            SELECT id, length(payload) FROM records WHERE priority = ?1
            AND NOT EXISTS (SELECT 1 FROM leases WHERE record = records.id) ORDER BY time, id LIMIT ?2
            """)
        try select.bind(1, priority).bind(2, Int64(limit))
        defer { select.reset() }
        var found: [(id: Int64, bytes: Int)] = []
        while try select.step() { found.append((select.int(0), Int(select.int(1)))) }
        return found
    }

    /// Returns the first column of all rows.
    func ids(of select: SQLiteStatement) throws(SQLiteFailure) -> [Int64] {
        defer { select.reset() }
        var ids: [Int64] = []
        while try select.step() { ids.append(select.int(0)) }
        return ids
    }
}
