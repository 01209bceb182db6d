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

    /// Returns true if an action that was added for these events, raw values of `UIControl.Event`, is that of a tap.
    ///
    /// It is for `touchUpInside` (1 << 6) and `primaryActionTriggered` (1 << 13), and for `valueChanged` (1 << 12)
    /// unless a finger is on the control, as on a slider. It is not if the action was added for other touches, too.
    static func isEndOfTouch(events: UInt, isTracking: Bool) -> Bool {
        let (touches, touchUpInside): (UInt, UInt) = (0xFFF, 1 << 6)
        let (valueChanged, primaryAction): (UInt, UInt) = (1 << 12, 1 << 13)
        if events & touches & ~touchUpInside != 0 { return false }
        return events & (touchUpInside | primaryAction) != 0 || events & valueChanged != 0 && !isTracking
    }

    /// The turn of the run loop has ended: the next action is of another touch.
    mutating func endTurn() { last?.isOfThisTurn = false }
}
