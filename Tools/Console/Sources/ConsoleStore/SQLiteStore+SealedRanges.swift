package import ConsoleModel

extension SQLiteStore {
    /// Returns the sealed ranges of a dataset, the oldest first, and the last sequence number that retention removed.
    package func sealedRanges(
        of dataset: String
    ) async throws(StoreError) -> (ranges: [SealedRange], trimmedThrough: Int64) {
        try await read { database in
            let rows = try database.rows(
                "SELECT start, last, row_count, version, checksum, omitted FROM sealed WHERE dataset = ? ORDER BY last",
                [dataset])
            let ranges = rows.compactMap { row -> SealedRange? in
                guard row.integer(0) <= row.integer(1) else { return nil }
                return SealedRange(
                    dataset: dataset, sequence: row.integer(0)...row.integer(1), rowCount: Int(row.integer(2)),
                    version: Int(row.integer(3)), checksum: row.bits(4), stamp: row.integer(5))
            }
            return (ranges, try database.trimmedThrough())
        }
    }

    /// Returns the sequence number of the record that arrived last.
    package func lastSequence() async throws(StoreError) -> Int64 {
        try await read { try $0.lastSeq() }
    }

    /// Returns the start of the minute in which the last record arrived, in nanoseconds since 1970; `nil` without one.
    package func lastArrival() async throws(StoreError) -> Int64? {
        try await read { database in
            try database.integer("SELECT minute FROM arrivals ORDER BY last_seq DESC LIMIT 1")?
                .clampedProduct(60_000_000_000)
        }
    }
}

extension Schema {
    /// The statements that upgrade version 7 to 8: the ranges of records that are in files of columns.
    ///
    /// `omitted` has the stamp of a range.
    static let additionsOfVersion8: [String] = [
        """
        CREATE TABLE IF NOT EXISTS sealed (
            dataset TEXT NOT NULL, start INTEGER NOT NULL, last INTEGER NOT NULL, row_count INTEGER NOT NULL,
            omitted INTEGER NOT NULL, version INTEGER NOT NULL, checksum INTEGER NOT NULL,
            PRIMARY KEY (dataset, last)) WITHOUT ROWID
        """
    ]
}
