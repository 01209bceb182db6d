package import ConsoleModel

extension SQLiteStore {
    /// The time in nanoseconds by which a snapshot may follow a session's start and still count as the one before it.
    ///
    /// An SDK that flushes at a session change takes its snapshot shortly after the start of the new session.
    private static let ledgerSlack: Int64 = 2_000_000_000

    /// Returns devices, most recently seen first. A device is a distinct `app.installation.id` of the stored resources.
    package func devices(_ query: DeviceQuery = DeviceQuery()) async throws(StoreError) -> Page<DeviceSummary> {
        try await read { database in
            try DeviceReader(database: database).page(query)
        }
    }

    /// Returns the device with an `app.installation.id`.
    package func device(_ id: String) async throws(StoreError) -> DeviceSummary? {
        try await read { database in
            try DeviceReader(database: database).device(id)
        }
    }

    /// Returns a device's ledger snapshots, oldest first; `nil` if the device is not known.
    ///
    /// - Parameter parts: The maximum number of snapshots, 1 to 1,000. If there are more, time is divided into that
    ///   many equal parts, and the last snapshot of each part is returned.
    package func ledgerHistory(ofDevice id: String, parts: Int = 200) async throws(StoreError) -> [LedgerSnapshot]? {
        let parts = min(max(parts, 1), 1_000)
        return try await read { database in
            guard try DeviceReader(database: database).isKnown(id) else { return nil }
            return try LedgerReader(database: database, device: id).course(parts: parts)
        }
    }

    /// Returns the ledger of a session's device during the session; `nil` if the session is not known.
    ///
    /// Snapshots belong to a device, not to a session. They are matched to the session by the device's clock.
    package func ledger(ofSession id: String) async throws(StoreError) -> SessionLedger? {
        try await read { database in
            guard let session = try SessionReader(database: database).session(id) else { return nil }
            guard !session.device.installation.isEmpty else { return SessionLedger(account: nil, before: nil) }
            let reader = try LedgerReader(database: database, device: session.device.installation)
            let start = min(Int64(clamping: session.firstSeenUnixNano), .max - Self.ledgerSlack) + Self.ledgerSlack
            let before = try reader.last(upTo: start)
            let end = try reader.nearest(to: max(Int64(clamping: session.lastSeenUnixNano), start), after: start)
            return SessionLedger(account: end ?? before, before: end == nil ? nil : before)
        }
    }
}
