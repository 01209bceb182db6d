#if canImport(Darwin)
import AstrolabeRecording
import CAstrolabeActivity

extension Activities {
    /// `os_activity`. It follows `Task { }`, `async let`, task groups and the blocks of dispatch queues, and not
    /// `Task.detached`. `OpenTelemetryApi`'s own context manager relies on it, too.
    static let system = Activities(
        position: {
            var enclosing: UInt64 = 0
            let activity = astrolabe_activity_position(&enclosing)
            return Position(activity: activity, enclosing: enclosing)
        },
        enter: {
            let entered = astrolabe_activity_enter()
            return Entered(activity: entered.activity) { astrolabe_activity_leave(entered) }
        })
}
#endif
