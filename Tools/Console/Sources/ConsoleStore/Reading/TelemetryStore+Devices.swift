/// Which devices to list.
package struct DeviceQuery: Sendable, Hashable {
    /// Words that must all be found in what the device says of itself.
    package var text = ""
    /// The `next` of the page before.
    package var cursor: String?
    /// 1 to 200.
    package var limit = 50

    package init(text: String = "", limit: Int = 50) {
        self.text = text
        self.limit = limit
    }
}

extension TelemetryStore {
    /// Nanoseconds by which an account may be later than a session's start and still be taken for the one before it:
    /// an SDK that flushes when one session follows another takes its account a moment after the next one's start.
    private static let ledgerSlack: Int64 = 2_000_000_000

    /// Devices, the one heard last first. A device is an `app.installation.id` that some resource names.
    package func devices(_ query: DeviceQuery = DeviceQuery()) async throws(StoreError) -> Page<DeviceSummary> {
        try await read { database in
            try DeviceReader(database: database).page(query)
        }
    }

    /// One device, by its `app.installation.id`.
    package func device(_ id: String) async throws(StoreError) -> DeviceSummary? {
        try await read { database in
            try DeviceReader(database: database).device(id)
        }
    }

    /// A device's accounts of its records over time, oldest first; `nil` where the device is not known.
    ///
    /// - Parameter parts: 1 to 1,000; where there are more accounts, time is divided into that many equal parts and
    ///   the last account of each is read.
    package func ledgerCourse(ofDevice id: String, parts: Int = 200) async throws(StoreError) -> [LedgerSnapshot]? {
        let parts = min(max(parts, 1), 1_000)
        return try await read { database in
            guard try DeviceReader(database: database).isKnown(id) else { return nil }
            return try LedgerReader(database: database, device: id).course(parts: parts)
        }
    }

    /// What became of the records of a session's device while the session lasted; `nil` where the session is not known.
    ///
    /// The SDK's accounts name no session: they are of the device. The session's are found by its time, by the
    /// device's clock.
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
