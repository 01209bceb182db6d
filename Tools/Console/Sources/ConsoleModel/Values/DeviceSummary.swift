/// A summary of one installation of an app on a device.
package struct DeviceSummary: Sendable, Hashable {
    /// The value of `app.installation.id`.
    package let id: String
    /// The device's latest description of itself.
    package let device: DeviceFacts
    /// The values of `service.version` in the device's records, newest first.
    package let appVersions: [String]
    package let sessions: Int
    /// The number of received records, including those that retention removed while the device was known.
    package let spans: Int
    package let events: Int
    package let metricPoints: Int
    /// The minute in which the last record arrived, by the console's clock; 0 if retention removed that information.
    package let lastSeenUnixNano: UInt64
    /// The device's latest ledger snapshot; `nil` if it has sent none.
    package var ledger: LedgerSnapshot?
    /// The highest sequence number of the device's records.
    package let cursor: Int64

    package init(
        id: String, device: DeviceFacts, appVersions: [String], sessions: Int, spans: Int, events: Int,
        metricPoints: Int, lastSeenUnixNano: UInt64, ledger: LedgerSnapshot?, cursor: Int64,
    ) {
        self.id = id
        self.device = device
        self.appVersions = appVersions
        self.sessions = sessions
        self.spans = spans
        self.events = events
        self.metricPoints = metricPoints
        self.lastSeenUnixNano = lastSeenUnixNano
        self.ledger = ledger
        self.cursor = cursor
    }
}
