/// Decides which actions of a control are taps.
///
/// A control sends its action once to each of its targets, and some send actions while a finger moves or at each
/// keystroke.
struct TapFilter {
    private struct Tap {
        var control: ObjectIdentifier
        var time: Double?
        var isOfThisTurn = true
    }

    private var last: Tap?

    /// - Parameters:
    ///   - isEndOfTouch: Whether the event that caused the action is a touch that ended.
    ///   - time: The time of the event, in seconds on any clock; `nil` for a `UIAction`, which has no event. It belongs
    ///     to the tap of this turn of the run loop, if there is one.
    mutating func isTap(_ control: ObjectIdentifier, isEndOfTouch: Bool, time: Double?) -> Bool {
        guard isEndOfTouch else { return false }
        if let last, last.control == control {
            if last.isOfThisTurn, time == nil || last.time == nil { return false }
            if let time, time == last.time { return false }
        }
        last = Tap(control: control, time: time)
        return true
    }

    /// The turn of the run loop has ended: the next action is of another touch.
    mutating func endTurn() { last?.isOfThisTurn = false }
}
