/// What the SDK does about the device's conditions at the moment: sent once a second where it has changed. Holds counts
/// and reasons, never what was recorded.
package struct AppStatus: Codable, Hashable, Sendable {
    /// "full", "normal", "reduced" or "minimal".
    package var mode: String
    /// Why, in words.
    package var reasons: [String]
    /// 0...1, of sessions.
    package var samplingRate: Double
    /// Seconds.
    package var flushInterval: Double
    /// "immediate", "batched", "wifiOnly" or "queued".
    package var upload: String
    package var ledger: Ledger
    /// Records in the offline queue by priority: "critical", "high", "normal", "low".
    package var queue: [String: Int]
    /// Why what waits was not sent.
    package var blockers: [String]
    package var requests: Int
    package var bytesSent: Int
    /// Seconds since 1970; nil before the first.
    package var lastUpload: Double?
    package var lastFailure: String?
    package var session: String?
    package var screen: String?

    /// Where every record is; `created = delivered + inJournal + inQueue + sum(dropped)`.
    package struct Ledger: Codable, Hashable, Sendable {
        package var created: Int
        package var delivered: Int
        package var inJournal: Int
        package var inQueue: Int
        /// By reason, in words.
        package var dropped: [String: Int]

        package init(
            created: Int = 0, delivered: Int = 0, inJournal: Int = 0, inQueue: Int = 0, dropped: [String: Int] = [:],
        ) {
            self.created = created
            self.delivered = delivered
            self.inJournal = inJournal
            self.inQueue = inQueue
            self.dropped = dropped
        }
    }

    package init(
        mode: String, reasons: [String] = [], samplingRate: Double = 1, flushInterval: Double = 0,
        upload: String = "immediate", ledger: Ledger = Ledger(), queue: [String: Int] = [:], blockers: [String] = [],
        requests: Int = 0, bytesSent: Int = 0, lastUpload: Double? = nil, lastFailure: String? = nil,
        session: String? = nil, screen: String? = nil,
    ) {
        self.mode = mode
        self.reasons = reasons
        self.samplingRate = samplingRate
        self.flushInterval = flushInterval
        self.upload = upload
        self.ledger = ledger
        self.queue = queue
        self.blockers = blockers
        self.requests = requests
        self.bytesSent = bytesSent
        self.lastUpload = lastUpload
        self.lastFailure = lastFailure
        self.session = session
        self.screen = screen
    }
}
