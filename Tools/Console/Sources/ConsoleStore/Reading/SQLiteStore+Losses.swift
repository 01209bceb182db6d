import AstrolabeSemantics
package import ConsoleModel

extension SQLiteStore {
    /// Returns true if a ledger snapshot of the time reports dropped records, other than those that sampling left out.
    ///
    /// It costs a few lookups for each series of such records, and nothing without one.
    package func reportsLosses(from start: Int64, to end: Int64) async throws(StoreError) -> Bool {
        try await read { database in
            try database.isTrue(
                """
                SELECT EXISTS (SELECT 1 FROM series e WHERE e.name = ? AND e.kind = \(MetricKind.gauge.rawValue)
                    AND \(Schema.text(AttributeKey.astrolabeDropReason, in: "e.attributes")) IS NOT ?
                    AND EXISTS (SELECT 1 FROM points p
                        WHERE p.series = e.id AND p.time >= ? AND p.time < ? AND p.value > 0))
                """,
                [MetricName.recordsDropped, RecordLoss.sampledOut, start, end],
            )
        }
    }

    /// Sums what the ledgers of devices report of a time, by the devices' clocks.
    ///
    /// A device's part is the change between its last snapshots before `start` and before `end`. Without an earlier
    /// snapshot it is the change since the installation, or since the first snapshot if retention has removed records.
    /// A device whose snapshots cannot be compared has no part.
    package func losses(
        ofDevices ids: [String], from start: Int64, to end: Int64,
    ) async throws(StoreError) -> RecordLoss {
        try await read { database in
            let isComplete = try database.trimmedThrough() == 0
            var loss = RecordLoss()
            for id in ids {
                let reader = try LedgerReader(database: database, device: id)
                guard let last = try reader.last(upTo: end - 1) else { continue }
                let first =
                    try reader.last(upTo: start)
                    ?? (isComplete ? .atInstallation : try reader.nearest(to: start, after: start))
                if let first, let period = LedgerPeriod(from: first, to: last) { loss.add(period) }
            }
            return loss
        }
    }
}

extension LedgerSnapshot {
    /// Nothing was recorded yet.
    fileprivate static var atInstallation: LedgerSnapshot {
        var snapshot = LedgerSnapshot(timeUnixNano: 0)
        (snapshot.created, snapshot.delivered, snapshot.inJournal, snapshot.inQueue) = (0, 0, 0, 0)
        return snapshot
    }
}
