extension QueueStore {
    func enqueue(_ batch: QueueBatch, _ tally: inout QueueTally) throws(SQLiteFailure) {
        try dropExpired(&tally)
        var headers: [Int64] = []
        for header in batch.headers { headers.append(try headerID(header)) }
        tally.count(QueueCounter.enqueued, batch.count)
        let admitted = batch.records.filter { $0.range.count <= configuration.maximumRecordBytes }
        tally.count(QueueDrop.oversized.rawValue, batch.count - admitted.count)
        let first = try takeIDs(admitted.count)
        if !admitted.isEmpty { try noteArrival(after: first &- 1) }
        let result = batch.bytes.withUnsafeBytes { bytes in
            Result { () throws(SQLiteFailure) in try insert(admitted, of: bytes, headers, firstID: first) }
        }
        try result.get()
        for record in admitted {
            let group = QueueTally.Group(kind: record.kind, priority: record.priority)
            tally.enter(
                QueueTally.Sum(records: 1, bytes: record.range.count), of: group, header: headers[record.header],
            )
        }
        try evictExcess(&tally)
    }

    /// Rows inserted by one statement: fewer statements need less setup per row.
    private static let rowsPerStatement = 16

    private func insert(
        _ records: [QueueBatch.Record], of bytes: UnsafeRawBufferPointer, _ headers: [Int64], firstID: Int64,
    ) throws(SQLiteFailure) {
        var index = 0
        while index < records.count {
            let rows = records.count - index >= Self.rowsPerStatement ? Self.rowsPerStatement : 1
            let values = Array(repeating: "(?, ?, ?, ?, ?, ?, ?, ?)", count: rows).joined(separator: ", ")
            let insert = try database.statement(
                "INSERT INTO records (id, kind, priority, time, header, refusals, checksum, payload) VALUES " + values)
            for row in 0..<rows {
                let record = records[index + row]
                let column = Int32(row * 8)
                let payload = UnsafeRawBufferPointer(rebasing: bytes[record.range])
                let header = headers[record.header]
                let checksum = Self.checksum(
                    kind: record.kind, priority: record.priority, time: record.time, header: header, payload,
                )
                try insert.bind(column + 1, firstID &+ Int64(index + row)).bind(column + 2, Int64(record.kind))
                    .bind(column + 3, Int64(record.priority)).bind(column + 4, Int64(clamping: record.time))
                    .bind(column + 5, header).bind(column + 6, Int64(record.failedAttempts))
                    .bind(column + 7, checksum).bind(column + 8, payload)
            }
            try insert.run()
            index += rows
        }
    }

    /// Reserves consecutive ids and returns the first.
    private func takeIDs(_ count: Int) throws(SQLiteFailure) -> Int64 {
        let last = try database.number("SELECT last FROM ids")
        try database.statement("UPDATE ids SET last = last + ?1").bind(1, Int64(count)).run()
        return last &+ 1
    }

    private func headerID(_ bytes: [UInt8]) throws(SQLiteFailure) -> Int64 {
        let checksum = Self.checksum(bytes)
        let select = try database.statement("SELECT id FROM headers WHERE checksum = ?1 AND bytes = ?2")
        try select.bind(1, checksum).bind(2, bytes)
        defer { select.reset() }
        if try select.step() { return select.int(0) }
        try database.statement("INSERT INTO headers (checksum, records, bytes) VALUES (?1, 0, ?2)")
            .bind(1, checksum).bind(2, bytes).run()
        return database.lastInsertedRow
    }

    /// The limits of a lease.
    struct Limits {
        var records: Int
        var bytes: Int
        var kinds: Set<UInt8>?
        var minimumPriority: UInt8
        var hasFailed: Bool?
    }

    /// Leases records in order; `nil` if none are available.
    func lease(_ limits: Limits, as lease: Int64, _ tally: inout QueueTally) throws(SQLiteFailure) -> QueueLease? {
        let now = Int64(clamping: clock.steady())
        try database.statement("DELETE FROM leases WHERE expires <= ?1").bind(1, now).run()
        try dropExpired(&tally)
        var (records, headers) = try intact(limits, &tally)
        // All of them had damaged headers. Other records may be available.
        while let found = records, found.isEmpty { (records, headers) = try intact(limits, &tally) }
        guard let records else { return nil }
        let expires = Int64(clamping: clock.steady().addingReportingOverflow(configuration.leaseDuration).partialValue)
        try database.statement("INSERT INTO leases SELECT value, ?2, ?3, ?4 FROM json_each(?1)")
            .bind(1, Self.list(records.map(\.id))).bind(2, lease).bind(3, ownerID).bind(4, expires).run()
        return QueueLease(id: lease, records: records, headers: headers)
    }

    /// Returns available records in order with their headers; `nil` if there are none. Drops records with a damaged
    /// header.
    private func intact(
        _ limits: Limits, _ tally: inout QueueTally,
    ) throws(SQLiteFailure) -> (records: [QueueLease.Record]?, headers: [Int64: [UInt8]]) {
        var records: [QueueLease.Record] = []
        var bytes = 0
        for priority in (UInt8(0)...3).reversed() where priority >= limits.minimumPriority {
            let (found, isFull) = try waiting(priority, limits, taken: records.count, bytes: &bytes, &tally)
            records += found
            if isFull { break }
        }
        if records.isEmpty { return (nil, [:]) }
        let headers = try headers(of: records)
        let damaged = records.filter { headers[$0.header] == nil }
        try remove(damaged.map(\.id), as: QueueDrop.corrupt.rawValue, &tally)
        return (records.filter { headers[$0.header] != nil }, headers)
    }

    /// Returns available records of one priority within the remaining limits. Drops records with damaged bytes.
    private func waiting(
        _ priority: UInt8, _ limits: Limits, taken: Int, bytes: inout Int, _ tally: inout QueueTally,
    ) throws(SQLiteFailure) -> (records: [QueueLease.Record], isFull: Bool) {
        let select = try database.statement(
            """
            SELECT id, kind, time, refusals, header, checksum, payload FROM records
            WHERE priority = ?1 AND (?2 IS NULL OR kind IN (SELECT value FROM json_each(?2)) AND EXISTS (
                SELECT 1 FROM totals WHERE priority = ?1 AND records > 0 AND kind IN (SELECT value FROM json_each(?2))
            )) AND (?3 < 0 OR (refusals > 0) = ?3)
            AND NOT EXISTS (SELECT 1 FROM leases WHERE record = records.id) ORDER BY time, id
            """)
        try select.bind(1, Int64(priority)).bind(2, limits.kinds.map { Self.list($0.map(Int64.init)) })
            .bind(3, limits.hasFailed.map { $0 ? 1 : 0 } ?? -1)
        var records: [QueueLease.Record] = []
        var damaged: [Int64] = []
        var isFull = false
        while true {
            guard taken + records.count < max(limits.records, 1) else {
                isFull = true
                break
            }
            guard try select.step() else { break }
            guard let record = Self.record(in: select, priority: priority) else {
                damaged.append(select.int(0))
                continue
            }
            guard bytes + record.payload.count <= limits.bytes || taken + records.count == 0 else {
                isFull = true
                break
            }
            bytes += record.payload.count
            records.append(record)
        }
        select.reset()
        try remove(damaged, as: QueueDrop.corrupt.rawValue, &tally)
        return (records, isFull)
    }

    /// The record in a row that begins with its id, kind, time, refusals, header, checksum and payload; `nil` if it is
    /// damaged.
    static func record(in row: SQLiteStatement, priority: UInt8) -> QueueLease.Record? {
        let kind = UInt8(truncatingIfNeeded: row.int(1))
        let (time, header, payload) = (UInt64(clamping: row.int(2)), row.int(4), row.bytes(6))
        let checksum = payload.withUnsafeBytes {
            Self.checksum(kind: kind, priority: priority, time: time, header: header, $0)
        }
        guard checksum == row.int(5) else { return nil }
        return QueueLease.Record(
            id: row.int(0), kind: kind, priority: priority, time: time, failedAttempts: Int(clamping: row.int(3)),
            header: header, payload: payload,
        )
    }

    private func headers(of records: [QueueLease.Record]) throws(SQLiteFailure) -> [Int64: [UInt8]] {
        let select = try database.statement("SELECT bytes, checksum FROM headers WHERE id = ?1")
        defer { select.reset() }
        var headers: [Int64: [UInt8]] = [:]
        for id in Set(records.map(\.header)) {
            try select.bind(1, id)
            if try select.step() {
                let bytes = select.bytes(0)
                if Self.checksum(bytes) == select.int(1) { headers[id] = bytes }
            }
            select.reset()
        }
        return headers
    }

    /// Counts a failed attempt for records that no other lease holds; drops those that have failed too often, but none
    /// of the highest priority.
    func recordFailure(_ ids: some Collection<Int64>, lease: Int64, _ tally: inout QueueTally) throws(SQLiteFailure) {
        try end(lease, of: ids)
        let free = """
            id IN (SELECT value FROM json_each(?1)) AND NOT EXISTS (SELECT 1 FROM leases WHERE record = records.id)
            """
        let list = Self.list(ids)
        try database.statement("UPDATE records SET refusals = refusals + 1 WHERE \(free)").bind(1, list).run()
        let spent = try database.statement("SELECT id FROM records WHERE \(free) AND refusals > ?2 AND priority < 3")
        try spent.bind(1, list).bind(2, Int64(configuration.maximumFailedAttempts))
        try remove(try self.ids(of: spent), as: QueueDrop.retriesExhausted.rawValue, &tally)
    }

    /// Ends a lease of records; leaves records that another lease holds unchanged.
    func end(_ lease: Int64, of ids: some Collection<Int64>) throws(SQLiteFailure) {
        try database.statement("DELETE FROM leases WHERE lease = ?2 AND record IN (SELECT value FROM json_each(?1))")
            .bind(1, Self.list(ids)).bind(2, lease).run()
    }
}
