/// The user's decisions in this process.
struct Consents: Sendable {
    /// What holds now.
    var current = TelemetryConsent.granted
    /// The app's last call of `setConsent`.
    var decided: TelemetryConsent?
    /// The change that is under way, or the wait for the first unlock.
    var change: Task<Void, Never>?
    /// False until the last decision is stored, and if it could not be: the file says something else then.
    var isStored = true
}
