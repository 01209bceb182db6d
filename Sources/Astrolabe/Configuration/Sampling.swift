/// The choice of the sessions that are recorded: `TelemetryConfiguration.sampling`.
public enum Sampling: Equatable, Sendable {
    /// All sessions in debug builds and in simulators; otherwise as the policy decides.
    case automatic
    /// The policy decides from the device's conditions, in debug builds as well.
    case policy
    /// All sessions, whatever the conditions.
    case everything
    /// A fixed share of all sessions, 0 to 1, whatever the conditions.
    case ratio(Double)
}
