/// One person's visit, summed up.
///
/// Counts include what the backend did for the session: records that name no session belong to those of their trace.
package struct SessionSummary: Sendable, Hashable {
    /// The value of `session.id`.
    package let id: String
    /// The session's number in this store, as `Change` names it.
    package let number: Int64
    /// First and last moment of the device's own records, by the device's clock; of all records that name the session
    /// where no device has sent any. 0 where no record had a time.
    package let firstSeenUnixNano: UInt64
    package let lastSeenUnixNano: UInt64
    package let device: DeviceFacts
    package let side: OriginSide
    /// Values of `app.screen.name` in the order in which they were first visited.
    package let screens: [String]
    package let spans: Int
    package let events: Int
    package let metricPoints: Int
    /// Spans whose status is an error, and log records of severity ERROR or above that are not crashes.
    package let errors: Int
    package let crashes: Int
    /// HTTP requests of the device; of all clients that name the session where no device has sent any.
    package let requests: Int
    package let failedRequests: Int
    package let traces: Int
    /// Records over the session's time, in equal parts; the session's own alone.
    package let activity: [ActivityPart]
    /// True where there are frames of a replay.
    package let hasReplay: Bool
    /// The last number of the sequence that changed the session.
    package let cursor: Int64
    /// True where retention has removed records that the counts include.
    package let isTrimmed: Bool

    package struct ActivityPart: Sendable, Hashable {
        package var records = 0
        package var errors = 0
    }

    /// The most parts that `activity` is divided into; none is shorter than a second.
    package static let activityParts = 32
}
