import ConsoleModel

/// The difference between the clocks of two sides, estimated from requests that both recorded.
///
/// A server cannot work on a request before the client sends it nor after the client has its answer. Where it seems to,
/// the clocks differ: the server's span belongs in the middle of the client's, or at its start where it is the longer.
enum ClockSkew {
    /// Returns what to add to the server's times; 0 if the server's span is inside the client's.
    static func shift(server: Interval, client: Interval) -> Int64 {
        // No time and no duration is negative, so a difference of two cannot overflow, but a sum can.
        if server.duration > client.duration { return server.start < client.start ? client.start - server.start : 0 }
        let isWithin = server.start >= client.start && server.end <= client.end
        return isWithin ? 0 : (client.start - server.start).clampedSum((client.duration - server.duration) / 2)
    }

    /// Returns what to add to the backend's times in a session: the middle of its requests' shifts, so that a few
    /// requests that were recorded wrongly do not count.
    ///
    /// Less than a millisecond is not corrected. It is within the accuracy of the clocks of phones.
    static func estimate(_ shifts: [Int64]) -> Int64 {
        guard !shifts.isEmpty else { return 0 }
        let middle = shifts.sorted()[(shifts.count - 1) / 2]
        return middle.magnitude < 1_000_000 ? 0 : middle
    }

    /// A time span in nanoseconds since 1970.
    struct Interval {
        let start: Int64
        let duration: Int64
        var end: Int64 { start.clampedSum(duration) }

        init(start: UInt64, duration: UInt64) {
            self.start = Int64(clamping: start)
            self.duration = Int64(clamping: duration)
        }
    }
}

extension QueryConnection {
    /// The number of requests that a session's estimate is made from, latest first.
    private static let requestLimit = 1_000

    /// Returns what to add to the backend's times in a session, so that they are times of the phone's clock.
    ///
    /// A server's span has the client's as its parent, or shares its id.
    func clockShift(ofSession session: Int64) throws -> Int64 {
        var shifts: [Int64] = []
        try forEachRow(
            """
            SELECT s.start, s.duration, c.start, c.duration FROM session_traces st
            CROSS JOIN spans s ON s.trace = st.trace
            CROSS JOIN spans c ON c.trace = s.trace AND c.span IN (s.parent, s.span)
            JOIN resources rs ON rs.id = s.resource JOIN resources rc ON rc.id = c.resource
            WHERE st.session = ?1 AND s.kind = 2 AND c.kind = 3 AND rs.lane = 0 AND rc.lane = 1 AND s.session IN (0, ?1)
            ORDER BY st.trace DESC LIMIT \(Self.requestLimit)
            """,
            [session],
        ) { row in
            let server = ClockSkew.Interval(start: row.nanoseconds(0), duration: row.nanoseconds(1))
            let client = ClockSkew.Interval(start: row.nanoseconds(2), duration: row.nanoseconds(3))
            shifts.append(ClockSkew.shift(server: server, client: client))
            return true
        }
        return ClockSkew.estimate(shifts)
    }
}
