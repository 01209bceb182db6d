/// Decides when the display link runs, so that an idle screen does not wake the main thread for every frame.
///
/// A frame for which the main thread has hardly worked cannot be late because of the app. After a series of them, the
/// link pauses. The next work ends the pause and counts as a frame by itself, because the link did not see it begin.
struct DisplayRefreshRate: Equatable, Sendable {
    enum Action: Equatable, Sendable {
        case none
        case pause
        /// Run again, and record this frame.
        case resume(FrameDeadline.Frame)
    }

    /// Seconds of work below which the main thread counts as idle.
    static let idleWork = 0.000_2
    /// Idle frames in a row after which the link pauses.
    static let idleFrames = 30

    private var work = 0.0
    private var idle = 0
    private var isPaused = false
    /// Seconds between two frames, as the link last reported.
    private var interval = 1.0 / 60

    /// Processes a callback of the link.
    mutating func tick(interval: Double) -> Action {
        if interval > 0 { self.interval = interval }
        idle = work < Self.idleWork ? idle + 1 : 0
        work = 0
        guard idle >= Self.idleFrames else { return .none }
        isPaused = true
        return .pause
    }

    /// Processes a pass of the main run loop; times in seconds.
    mutating func pass(from began: Double, to ended: Double) -> Action {
        work += ended - began
        guard isPaused, ended - began >= Self.idleWork else { return .none }
        (isPaused, idle, work) = (false, 0, 0)
        return .resume(
            FrameDeadline.Frame(
                began: .seconds(began), promised: .seconds(began + interval), ended: .seconds(ended)))
    }
}
