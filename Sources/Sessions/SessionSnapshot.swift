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

/// The counts of a session that has ended: part of its end.
package struct SessionTotals: Equatable, Sendable {
    /// Seconds from its start to its end, on a monotonic clock.
    package var duration: Double
    /// The number of screens that appeared.
    package var screens: Int
}
