#if canImport(SQLite3)
import SQLite3
#else
import CAstrolabeSQLite
#endif

extension QueueStore {
    /// Higher ids come from damage: assigned ids begin below 2^48.
    private static let greatestID: Int64 = 1 << 62

    /// Throws if the tables differ from those of this version.
    func checkTables() throws(SQLiteFailure) {
        let model = try SQLiteDatabase(path: ":memory:", busyTimeout: 0)
        try model.execute(QueueSchema.tables)
        let query = """
            SELECT group_concat(row) FROM
            (SELECT type || name || tbl_name || ifnull(sql, '') AS row FROM sqlite_master ORDER BY type, name)
            """
        guard try database.text(query) == model.text(query) else {
            throw SQLiteFailure(
                code: SQLITE_CORRUPT, message: "unexpected tables; expected those of schema \(QueueSchema.version)",
                operation: "use the file",
            )
        }
    }

    /// Makes the counters match the rows when the queue is opened.
    ///
    /// They match unless there was damage that SQLite cannot detect, because it has no checksums. Sums are recomputed
    /// from the rows. If the counters of added and removed records disagree, the added count is corrected and the file
    /// is counted as a loss of unknown size.
    func audit(_ tally: inout QueueTally) throws(SQLiteFailure) {
        try dropUnreachable(&tally)
        try database.statement("DELETE FROM leases WHERE owner NOT IN (SELECT id FROM owners)").run()
        try database.statement(
            """
            UPDATE ids SET last = (SELECT ifnull(max(id), 0) + (1 << 32) FROM records)
            WHERE last NOT BETWEEN (SELECT ifnull(max(id), 0) FROM records) AND ?1
            """
        ).bind(1, Self.greatestID).run()
        let sums = try sumsOfRows()
        if sums.groups != (try groups()) {
            try database.statement("DELETE FROM totals").run()
            let insert = try database.statement("INSERT INTO totals VALUES (?1, ?2, ?3, ?4)")
            for (group, sum) in sums.groups {
                try insert.bind(1, Int64(group.kind)).bind(2, Int64(group.priority)).bind(3, Int64(sum.records))
                    .bind(4, Int64(sum.bytes)).run()
            }
        }
        for (header, count) in sums.headers {
            try database.statement("UPDATE headers SET records = ?2 WHERE id = ?1 AND records <> ?2")
                .bind(1, header).bind(2, Int64(count)).run()
        }
        try balance(records: sums.groups.values.reduce(0) { $0 + $1.records })
    }

    /// Drops rows whose priority or id no query would find.
    private func dropUnreachable(_ tally: inout QueueTally) throws(SQLiteFailure) {
        let select = try database.statement("SELECT id FROM records WHERE priority NOT BETWEEN 0 AND 3 OR id > ?1")
        try select.bind(1, Self.greatestID)
        try remove(try ids(of: select), as: QueueDrop.corrupt.rawValue, &tally)
        // The sums are about to be recomputed from the remaining rows.
        let dropped = tally.counters[QueueDrop.corrupt.rawValue] ?? 0
        tally = QueueTally()
        if dropped > 0 { try add(dropped, to: QueueDrop.corrupt.rawValue) }
    }

    private func sumsOfRows() throws(SQLiteFailure) -> QueueTally {
        // In the order of the rows: grouping in SQL would sort them all.
        let select = try database.statement("SELECT kind, priority, header, length(payload) FROM records")
        defer { select.reset() }
        var tally = QueueTally()
        while try select.step() {
            let group = QueueTally.Group(
                kind: UInt8(truncatingIfNeeded: select.int(0)), priority: UInt8(truncatingIfNeeded: select.int(1)),
            )
            tally.enter(
                QueueTally.Sum(records: 1, bytes: Int(select.int(3))), of: group, header: select.int(2),
            )
        }
        return tally
    }

    private func groups() throws(SQLiteFailure) -> [QueueTally.Group: QueueTally.Sum] {
        let select = try database.statement("SELECT kind, priority, records, bytes FROM totals WHERE records <> 0")
        defer { select.reset() }
        var groups: [QueueTally.Group: QueueTally.Sum] = [:]
        while try select.step() {
            let group = QueueTally.Group(
                kind: UInt8(truncatingIfNeeded: select.int(0)), priority: UInt8(truncatingIfNeeded: select.int(1)),
            )
            groups[group] = QueueTally.Sum(records: Int(select.int(2)), bytes: Int(select.int(3)))
        }
        return groups
    }

    private func balance(records: Int) throws(SQLiteFailure) {
        let found = try storedCounters()
        // Bounds a damaged value.
        var counters = found.mapValues { min(max($0, -QueueCounter.greatest), QueueCounter.greatest) }
        var left = 0
        for name in [QueueCounter.acknowledged] + QueueDrop.allCases.map(\.rawValue) {
            guard let count = counters[name] else { continue }
            counters[name] = max(count, 0)
            left += counters[name] ?? 0
        }
        if found[QueueCounter.enqueued] ?? 0 != left + records {
            counters[QueueCounter.enqueued] = left + records
            counters[QueueCounter.unknownLosses] = max(counters[QueueCounter.unknownLosses] ?? 0, 0) + 1
        }
        guard counters != found else { return }
        // Rewrites all rows: one with a damaged name is stored where a lookup cannot find it.
        try database.statement("DELETE FROM ledger").run()
        for (name, value) in counters { try add(value, to: name) }
    }
}
