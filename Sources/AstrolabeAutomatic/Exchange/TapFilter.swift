/// Decides which actions of a control are taps.
///
/// A control sends its action once to each of its targets, and some send actions while a finger moves or at each
/// keystroke.
struct TapFilter {
    private struct Tap: Equatable {
        var control: ObjectIdentifier
        var time: Double
    }

    private var last: Tap?

    /// - Parameters:
    ///   - isEndOfTouch: Whether the event that caused the action is a touch that ended.
    ///   - time: The time of the event, in seconds on any clock.
    mutating func isTap(_ control: ObjectIdentifier, isEndOfTouch: Bool, time: Double) -> Bool {
        guard isEndOfTouch else { return false }
        let tap = Tap(control: control, time: time)
        defer { last = tap }
        return tap != last
    }
}
