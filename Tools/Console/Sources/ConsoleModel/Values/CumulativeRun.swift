/// The runs of a cumulative series: the points of one process, which counts from its start.
///
/// A point counts by what it exceeds the point before it of its run, and in full if its value fell. Two points are of
/// one run if their starts are close, because some senders compute the start again for each point. The points of two
/// processes with the same attributes may alternate, so a run goes on after points of another one.
///
/// The first point of a run counts in full if the run began within the hour before it. Otherwise it says from where on
/// to count: the store may know the series only since then, or the start is unknown.
package enum CumulativeRun {
    /// Starts that differ by less than this are those of one run: one second, in nanoseconds.
    package static let tolerance: Int64 = 1_000_000_000
    /// The longest time from a run's start to a first point that counts in full: one hour, in nanoseconds.
    package static let longestStart: Int64 = 3_600_000_000_000

    package static func isOne(_ start: Int64, _ other: Int64) -> Bool {
        start.clampedDifference(other).magnitude < tolerance.magnitude
    }

    /// Returns whether the first point of a run counts in full.
    package static func countsInFull(start: Int64, time: Int64) -> Bool {
        start > 0 && time.clampedDifference(start) <= longestStart
    }
}
