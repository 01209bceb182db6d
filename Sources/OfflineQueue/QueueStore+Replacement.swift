/// A record of a file that another file has replaced.
struct SavedRecord {
    let record: QueueLease.Record
    let header: [UInt8]
    let checksum: Int64
}

/// A file that was replaced by another one, such as an older copy, while it was open.
extension QueueStore {
    /// The intact records of the file.
    func savedRecords() throws(SQLiteFailure) -> [SavedRecord] {
        let select = try database.statement(
            """
            SELECT records.id, kind, time, refusals, header, records.checksum, payload, priority, headers.bytes,
            headers.checksum FROM records JOIN headers ON headers.id = header
            """)
        defer { select.reset() }
        var saved: [SavedRecord] = []
        while try select.step() {
            let bytes = select.bytes(8)
            guard let record = Self.record(in: select, priority: UInt8(clamping: select.int(7))),
                Self.checksum(bytes) == select.int(9)
            else { continue }
            saved.append(SavedRecord(record: record, header: bytes, checksum: select.int(5)))
        }
        return saved
    }

    /// Adds the records of the file that this one has replaced, except those that it has already.
    ///
    /// - Returns: How many of them were counted as lost when this file was opened.
    func adopt(_ saved: [SavedRecord]) throws(QueueError) -> Int {
        try transaction { tally throws(SQLiteFailure) in
            let known = try database.statement("SELECT 1 FROM records WHERE id = ?1 AND checksum = ?2")
            var batch = QueueBatch()
            for entry in saved {
                let record = entry.record
                let isKnown = try known.bind(1, record.id).bind(2, entry.checksum).step()
                known.reset()
                if isKnown { continue }
                record.payload.withUnsafeBytes { bytes in
                    batch.append(
                        bytes, kind: record.kind, priority: record.priority, time: record.time, header: entry.header,
                        failedAttempts: record.failedAttempts,
                    )
                }
            }
            guard batch.count > 0 else { return 0 }
            try enqueue(batch, &tally)
            // Both files count them as enqueued, and this one as lost.
            let found = min(lost, batch.count)
            try add(-found, to: QueueCounter.enqueued)
            try add(-found, to: QueueDrop.corrupt.rawValue)
            return found
        }
    }
}
