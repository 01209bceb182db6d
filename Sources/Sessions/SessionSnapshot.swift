/// A period of use of the app by one user on one device.
public struct SessionSnapshot: Codable, Hashable, Sendable {
    /// A lowercase UUID; the value of `session.id`.
    public let id: String
    /// The previous session on the device, if any; the value of `session.previous_id`.
    public let previousID: String?
    /// Nanoseconds since 1970.
    public let startTimeUnixNano: UInt64
    /// The user's last activity, in nanoseconds since 1970.
    package internal(set) var lastActivityUnixNano: UInt64

    package init(id: String, previousID: String?, startTimeUnixNano: UInt64) {
        self.id = id
        self.previousID = previousID
        self.startTimeUnixNano = startTimeUnixNano
        lastActivityUnixNano = startTimeUnixNano
    }
}

/// The limits after which a session ends automatically.
public struct SessionLimits: Hashable, Sendable {
    /// The time without activity after which the next activity begins a new session. Default 30 minutes.
    public var inactivity: Duration = .seconds(1_800)
    /// The time after which even an active session ends. Default 4 hours.
    public var maximumDuration: Duration = .seconds(14_400)

    /// Creates the default limits.
    public init() {}
}
