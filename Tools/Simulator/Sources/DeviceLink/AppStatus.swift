/// The SDK's current status. Sent at most once a second, if it has changed.
///
/// It contains counts and reasons, never recorded data.
package struct AppStatus: Codable, Hashable, Sendable {
    /// "full", "normal", "reduced" or "minimal".
    package var mode: String
    /// The reasons for the mode, as sentences.
    package var reasons: [String]
    /// The share of sampled sessions by the policy, from 0 to 1.
    package var samplingRate: Double
    /// The share that the app has set in place of the policy's; `nil` if it has set none.
    package var fixedSamplingRate: Double?
    /// The interval between uploads, in seconds.
    package var flushInterval: Double
    /// "immediate", "batched", "wifiOnly" or "queued".
    package var upload: String
    package var ledger: Ledger
    /// The number of records in the offline queue by priority: "critical", "high", "normal", "low".
    package var queue: [String: Int]
    /// The reasons why waiting records were not sent.
    package var blockers: [String]
    package var requests: Int
    package var bytesSent: Int
    /// The time of the last upload, in seconds since 1970; `nil` before the first.
    package var lastUpload: Double?
    package var lastFailure: String?
    package var session: String?
    /// True if the current session is not sent, and only the flight recorder has it; `nil` if sessions are not sampled.
    package var isSampledOut: Bool?
    /// The flight recorder; `nil` if the app has none.
    package var recorder: Recorder?
    package var screen: String?

    /// The number of records in each place: `created = delivered + inJournal + inQueue + notSent + sum(dropped)`.
    package struct Ledger: Codable, Hashable, Sendable {
        package var created: Int
        package var delivered: Int
        package var inJournal: Int
        package var inQueue: Int
        /// Records that only the flight recorder had.
        package var notSent: Int
        /// The number of dropped records by reason.
        package var dropped: [String: Int]

        package init(
            created: Int = 0, delivered: Int = 0, inJournal: Int = 0, inQueue: Int = 0, notSent: Int = 0,
            dropped: [String: Int] = [:],
        ) {
            self.created = created
            self.delivered = delivered
            self.inJournal = inJournal
            self.inQueue = inQueue
            self.notSent = notSent
            self.dropped = dropped
        }

        package var droppedTotal: Int { dropped.values.reduce(0, +) }

        /// True if each record is in one place.
        package var isBalanced: Bool {
            created == delivered + inJournal + inQueue + notSent + droppedTotal
        }
    }

    /// The flight recorder's ring, and what was promoted today. A day is one of UTC.
    package struct Recorder: Codable, Hashable, Sendable {
        /// Why it is off, as the rest of a sentence; `nil` if it is on.
        package var off: String?
        /// The number of records in the ring.
        package var records = 0
        /// Bytes of the records in the ring.
        package var bytes = 0
        /// Bytes that the ring can have.
        package var capacity = 0
        /// The time of the oldest record, in seconds since 1970; `nil` if the ring is empty.
        package var oldest: Double?
        /// The number of records that were promoted today, by trigger.
        package var promoted: [String: Int] = [:]
        /// Bytes of the records that were promoted today.
        package var promotedBytes = 0
        /// Bytes that may be promoted in a day.
        package var dailyBytes = 0
        /// The number of records that had no room in today's budget.
        package var refused = 0

        package init() {}
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
