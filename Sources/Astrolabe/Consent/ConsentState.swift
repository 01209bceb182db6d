/// The user's decisions in this process.
struct ConsentState: Sendable {
    /// The current decision.
    var current = TelemetryConsent.granted
    /// The app's last call of `setConsent`.
    var decided: TelemetryConsent?
    /// When the user agreed after a refusal, for the last run that began, in nanoseconds since 1970; 0 if never. `nil`
    /// before the first run.
    var since: UInt64?
    /// The change that is under way, or the wait for the first unlock.
    var change: Task<Void, Never>?
    /// False until the last decision is stored, and if it could not be: the file says something else then.
    var isStored = true

    /// `since`, while the file says what holds here unless another process has changed it; otherwise `nil`.
    var followed: UInt64? { current != .denied && isStored ? since : nil }
}
