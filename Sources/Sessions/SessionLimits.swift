/// The limits after which a session ends automatically.
public struct SessionLimits: Equatable, Sendable {
    /// The time without activity after which the next activity begins a new session. Default 30 minutes.
    public var inactivity: Duration = .seconds(1_800)
    /// The time after which even an active session ends. Default 4 hours.
    public var maximumDuration: Duration = .seconds(14_400)

    /// Creates the default limits.
    public init() {}
}
