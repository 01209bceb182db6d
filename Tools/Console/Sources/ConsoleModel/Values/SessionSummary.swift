/// A summary of one session.
///
/// The counts include the backend's work for the session: records without a session belong to the sessions of their
/// trace.
package struct SessionSummary: Sendable, Hashable {
    /// The value of `session.id`.
    package let id: String
    /// The session's number in this store, as used by `Change`.
    package let number: Int64
    /// The time of the device's first record, by the device's clock.
    ///
    /// If no device has sent records, the records of all origins count. The value is 0 if no record has a time.
    package let firstSeenUnixNano: UInt64
    package let lastSeenUnixNano: UInt64
    package let device: DeviceFacts
    package let side: OriginSide
    /// The values of `app.screen.name` in the order of the first visits.
    package let screens: [String]
    /// The triggers for which the flight recorder sent records of the session, in the order of the first records.
    package let triggers: [String]
    package let spans: Int
    package let events: Int
    package let metricPoints: Int
    /// The number of spans with an error status, and of log records with severity ERROR or higher that are not crashes.
    package let errors: Int
    package let crashes: Int
    /// The number of HTTP requests of the device, or of all clients if no device has sent records.
    package let requests: Int
    package let failedRequests: Int
    package let traces: Int
    /// The session's own records over time, in equal parts.
    package let activity: [ActivityPart]
    /// True if the session has replay frames.
    package var hasReplay: Bool
    /// The sequence number of the session's last change.
    package let cursor: Int64
    /// True if retention removed records that the counts include.
    package let isTrimmed: Bool

    package init(
        id: String, number: Int64, firstSeenUnixNano: UInt64, lastSeenUnixNano: UInt64, device: DeviceFacts,
        side: OriginSide, screens: [String], triggers: [String], spans: Int, events: Int, metricPoints: Int,
        errors: Int, crashes: Int, requests: Int, failedRequests: Int, traces: Int, activity: [ActivityPart],
        hasReplay: Bool, cursor: Int64, isTrimmed: Bool,
    ) {
        self.id = id
        self.number = number
        self.firstSeenUnixNano = firstSeenUnixNano
        self.lastSeenUnixNano = lastSeenUnixNano
        self.device = device
        self.side = side
        self.screens = screens
        self.triggers = triggers
        self.spans = spans
        self.events = events
        self.metricPoints = metricPoints
        self.errors = errors
        self.crashes = crashes
        self.requests = requests
        self.failedRequests = failedRequests
        self.traces = traces
        self.activity = activity
        self.hasReplay = hasReplay
        self.cursor = cursor
        self.isTrimmed = isTrimmed
    }

    package struct ActivityPart: Sendable, Hashable {
        package var records = 0
        package var errors = 0

        package init() {}
    }

    /// The maximum number of parts in `activity`. Each part is at least one second long.
    package static let activityParts = 32
}
