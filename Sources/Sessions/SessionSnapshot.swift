import AstrolabePlatform
public import Foundation

/// A period of use of the app by one user on one device.
public struct SessionSnapshot: Equatable, Sendable {
    /// A lowercase UUID; the value of `session.id`.
    public let id: String
    /// The previous session on the device, if any; the value of `session.previous_id`.
    public let previousID: String?
    /// When it began.
    public var startTime: Date { Date(nanosecondsSince1970: startTimeUnixNano) }
    /// When it began, in nanoseconds since 1970.
    package let startTimeUnixNano: UInt64
}

/// The limits after which a session ends automatically.
public struct SessionLimits: Equatable, Sendable {
    /// The time without activity after which the next activity begins a new session. Default 30 minutes.
    public var inactivity: Duration = .seconds(1_800)
    /// The time after which even an active session ends. Default 4 hours.
    public var maximumDuration: Duration = .seconds(14_400)

    /// Creates the default limits.
    public init() {}
}

/// The counts of a session that has ended: part of its end.
package struct SessionSummary: Equatable, Sendable {
    /// Seconds from its start to its end, on a monotonic clock.
    package var duration: Double
    /// The number of screens that appeared.
    package var screens: Int
}
