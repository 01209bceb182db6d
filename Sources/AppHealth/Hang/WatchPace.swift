/// The pace of the watchdog's checks, as a value.
///
///     var pace = WatchPace()
///     pace.check(passes: loop.passes, isInPass: loop.pass != 0)    // at each check: when to check next
///     pace.wake(isNeeded: true)                                    // after a sleep
///
/// A tap alone is three checks: one that it causes, and two that find no other pass. Passes that follow one another
/// within 80 ms, as in an animation, never find the watchdog asleep, so that the main thread does not have to wake it.
struct WatchPace: Equatable, Sendable {
    enum NextCheck: Equatable, Sendable {
        case shortly
        /// When a pass begins or the app returns to the foreground.
        case whenNeeded
    }

    /// Checks in a row without a pass after which the watchdog sleeps.
    private static let idleLimit = 2

    /// Passes of the main run loop by the last check.
    private var passes: UInt64 = 0
    private var idleChecks = 0

    /// - Parameter isInPass: True if the main thread works.
    mutating func check(passes new: UInt64, isInPass: Bool) -> NextCheck {
        idleChecks = new == passes && !isInPass ? idleChecks + 1 : 0
        passes = new
        return idleChecks < Self.idleLimit ? .shortly : .whenNeeded
    }

    /// - Parameter isNeeded: False for a heartbeat alone, which needs one check.
    mutating func wake(isNeeded: Bool) { idleChecks = isNeeded ? 0 : Self.idleLimit }
}
