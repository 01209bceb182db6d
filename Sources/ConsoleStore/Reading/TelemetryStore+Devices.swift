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

    /// A device's last account up to a moment of its own clock; the first after it where there is none before.
    ///
    /// The SDK's accounts name no session: they are of the device. This is how one is found for a session's time.
    package func ledger(ofDevice id: String, at timeUnixNano: UInt64) async throws(StoreError) -> LedgerSnapshot? {
        try await read { database in
            try LedgerReader(database: database, device: id).snapshot(at: Int64(clamping: timeUnixNano))
        }
    }
}
