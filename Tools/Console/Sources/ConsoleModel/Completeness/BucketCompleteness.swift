/// The part of what phones recorded in a time that has arrived.
package struct BucketCompleteness: Sendable, Hashable {
    /// Nanoseconds since 1970. `end` is not after the present.
    package var start: Int64
    package var end: Int64
    /// The records of the time that have arrived, as a share of all that are expected: 0 to 1.
    package var share: Double
    /// True if the share rests on the delays of the last weeks, because phones have been silent since.
    package var isEstimated: Bool
    /// True if the time has not passed yet.
    package var isRunning: Bool
    /// The records of the time that phones hold, by their last ledgers, and the number of these phones.
    package var pending: Int
    package var holding: Int
    /// The records that phones dropped in the time, by their ledgers.
    package var dropped: Int
    /// The phones from which nothing has arrived since the time ended, of those that reported in the two weeks before.
    package var silent: Int
    /// The phones that recorded something in the time, as far as it has arrived; `nil` if it is not counted.
    package var active: Int?
    /// Those of them that have reported since.
    package var reported: Int?

    /// True if nothing is missing.
    package var isComplete: Bool { share >= 1 && !isRunning }
}

/// The completeness of the time of a query, and of each of its steps.
package struct WindowCompleteness: Sendable, Hashable {
    package var total: BucketCompleteness
    /// `nil` for a step in the future, or one of which nothing is known.
    package var steps: [BucketCompleteness?]

    package init(total: BucketCompleteness, steps: [BucketCompleteness?]) {
        self.total = total
        self.steps = steps
    }
}
