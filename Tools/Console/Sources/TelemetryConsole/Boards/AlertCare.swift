import TelemetryBoards

/// The history of an alert, and its mute and acknowledgement.
struct AlertCare: Codable, Hashable, Sendable {
    /// A change of the past.
    struct Entry: Codable, Hashable, Sendable {
        let change: AlertState.Change
        /// Empty for a query without groups, and for an alert as a whole.
        let group: String
        let value: Double?
        /// When the console learned of it, in nanoseconds since 1970.
        let time: Int64
        /// The time of the newest record of a group that fired; `nil` if it is not known.
        let happened: Int64?
    }

    /// The number of changes that are kept of each alert.
    static let longest = 50
    /// The longest time for which an alert is mute, in seconds: 30 days.
    static let longestMute: Int64 = 2_592_000

    /// Until then, in nanoseconds since 1970, nothing that fires has a notice.
    var mutedUntil: Int64?
    /// When someone said that they know what fires; `nil` if nothing fires, too.
    var acknowledged: Int64?
    /// The newest first.
    private(set) var history: [Entry] = []

    func isMuted(at time: Int64) -> Bool { mutedUntil.map { $0 > time } ?? false }

    /// Takes what an evaluation changed.
    mutating func take(_ events: [AlertState.Event], phase: AlertState.Phase) {
        let entries = events.map { event in
            Entry(
                change: event.change, group: event.group, value: event.value, time: event.time,
                happened: event.happened)
        }
        history = Array((entries.reversed() + history).prefix(Self.longest))
        // A new firing is not acknowledged yet.
        if phase != .firing || events.contains(where: { $0.change == .fired }) { acknowledged = nil }
    }
}
