/// The size of a history and the numbers that it is made from.
package struct HistorySettings: Sendable {
    /// The number of sessions.
    package var sessions = Self.defaultSessions
    /// The same seed and end give the same records.
    package var seed: UInt64 = 7
    /// The end of the history in nanoseconds since 1970. It begins ``length`` earlier.
    package var end: UInt64

    package static let defaultSessions = 600
    /// Two days, in seconds.
    package static let length = 172_800.0

    package init(end: UInt64) {
        self.end = end
    }
}
