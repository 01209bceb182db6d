/// The counters of a session. They are only added to, so the order of arrival does not matter.
struct CommitTotals: Sendable, Hashable {
    var spans: Int64 = 0
    var events: Int64 = 0
    var errors: Int64 = 0
    var crashes: Int64 = 0

    static func += (left: inout CommitTotals, right: CommitTotals) {
        left.spans += right.spans
        left.events += right.events
        left.errors += right.errors
        left.crashes += right.crashes
    }

    var isEmpty: Bool { self == CommitTotals() }
}

/// A range from the earliest to the latest time.
struct TimeExtent: Sendable, Hashable {
    var first: Int64 = Schema.never
    var last: Int64 = 0

    /// Extends the range. The time 0 means unknown and is ignored.
    mutating func include(_ time: Int64) {
        guard time > 0 else { return }
        first = min(first, time)
        last = max(last, time)
    }
}
