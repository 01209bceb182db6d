/// A period in which one person uses the app on one device.
public struct Session: Codable, Hashable, Sendable {
    /// A UUID in lower case; the value of `session.id`.
    public let id: String
    /// The session before this one on the device, if there was one; the value of `session.previous_id`.
    public let previousID: String?
    /// Nanoseconds since 1970.
    public let startTimeUnixNano: UInt64
    /// When the person last did something, in nanoseconds since 1970.
    public internal(set) var lastActivityUnixNano: UInt64

    package init(id: String, previousID: String?, startTimeUnixNano: UInt64) {
        self.id = id
        self.previousID = previousID
        self.startTimeUnixNano = startTimeUnixNano
        lastActivityUnixNano = startTimeUnixNano
    }
}

/// When a session ends by itself.
public struct SessionLimits: Hashable, Sendable {
    /// Seconds without activity after which the next activity begins a new session. Default 1,800 (30 minutes).
    public var inactivity: Double = 1_800
    /// Seconds after which even a busy session ends. Default 14,400 (4 hours).
    public var maximumDuration: Double = 14_400

    public init() {}
}
