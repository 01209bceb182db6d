/// The user's decision about telemetry.
public enum TelemetryConsent: String, Hashable, Sendable, CaseIterable {
    /// No decision yet. Records are kept on the device, within the limits of the offline queue, and are not sent.
    /// Requests of the app do not name the session or the installation.
    case pending
    /// Records are sent, including those that were kept while the decision was pending.
    case granted
    /// Nothing is recorded, remembered or sent. Stored records, the session and the installation id are deleted. A
    /// later consent starts from zero.
    case denied
}
