extension AttributeKey {
    /// The session a record belongs to: what one person did with the app without a long pause.
    ///
    /// String, a UUID, such as `00112233-4455-6677-8899-aabbccddeeff`. In development.
    public static let sessionID = "session.id"

    /// The session before this one on the same installation; absent for the first.
    ///
    /// String, a UUID, such as `550e8400-e29b-41d4-a716-446655440000`. In development.
    public static let sessionPreviousID = "session.previous_id"

    /// Why the session began: `launch`, `inactivity`, `max_length` or `reset`.
    ///
    /// After `reset`, the session belongs to the same visit as the one that ``sessionPreviousID`` names.
    ///
    /// String, such as `launch`. Not in the conventions.
    package static let astrolabeSessionStartReason = "astrolabe.session.start_reason"

    /// The duration of the session when it or the app ended.
    ///
    /// Double, seconds, such as `312.5`. Not in the conventions.
    package static let sessionDurationSeconds = "session_duration_seconds"

    /// The number of screens that had appeared in the session when it or the app ended.
    ///
    /// Int, such as `7`. Not in the conventions.
    package static let screensVisited = "screens_visited"
}
