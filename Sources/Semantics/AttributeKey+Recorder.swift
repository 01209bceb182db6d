/// Why a record of a session or trace that was sampled out is there at all.
extension AttributeKey {
    /// The trigger that made the flight recorder send a record, such as `crash`, `hang`, `run_end`, `error`, `http` or
    /// `app`. It is `remote` on a server that was asked for its part of a trace. Such a record has no sampling
    /// probability and must not be counted as if it stood for others.
    ///
    /// String, such as `error`. Not in the conventions.
    package static let astrolabeRecorderTrigger = "astrolabe.recorder.trigger"

    /// Identifies the promotion that a record was sent with: one for each ``EventName/recorderPromotion``.
    ///
    /// String, such as `8a3d7f0e-5b1c-4f5a-9d8e-2c1b0a9f8e7d`. Not in the conventions.
    package static let astrolabeRecorderID = "astrolabe.recorder.id"

    /// The reason that the app gave for keeping the session.
    ///
    /// String, such as `feedback`. Not in the conventions.
    package static let astrolabeRecorderReason = "astrolabe.recorder.reason"

    /// The first screen of the flow that a session has abandoned.
    ///
    /// String, such as `Cart`. Not in the conventions.
    package static let astrolabeRecorderFlowFrom = "astrolabe.recorder.flow.from"

    /// The last screen of the flow, which the session has not reached.
    ///
    /// String, such as `Confirmation`. Not in the conventions.
    package static let astrolabeRecorderFlowTo = "astrolabe.recorder.flow.to"

    /// The number of records that were sent with a promotion.
    ///
    /// Int, such as `118`. Not in the conventions.
    package static let astrolabeRecorderRecords = "astrolabe.recorder.records"

    /// The number of records that were not sent because of ``astrolabeRecorderRefusal``.
    ///
    /// Int, such as `40`. Not in the conventions.
    package static let astrolabeRecorderRefused = "astrolabe.recorder.refused"

    /// The budget that kept records from being sent.
    ///
    /// String, such as `daily_bytes` or `hourly_bytes`. Not in the conventions.
    package static let astrolabeRecorderRefusal = "astrolabe.recorder.refusal"
}
