/// One installation of an app on a device, summed up over everything that it has sent.
package struct DeviceSummary: Sendable, Hashable {
    /// The value of `app.installation.id`.
    package let id: String
    /// As the device described itself last.
    package let device: DeviceFacts
    /// Every `service.version` that it has sent from, the latest first.
    package let appVersions: [String]
    package let sessions: Int
    /// Records received, those included that retention has removed while the device was known.
    package let spans: Int
    package let events: Int
    package let metricPoints: Int
    /// The minute in which its last record arrived, by the console's clock; 0 where retention has forgotten it.
    package let heardUnixNano: UInt64
    /// Its newest account of its records; `nil` where it has sent none.
    package let ledger: LedgerSnapshot?
    /// The last number of the sequence that the device sent.
    package let cursor: Int64
}
