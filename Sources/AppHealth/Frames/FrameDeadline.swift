/// Derives frames from the callbacks of a display link.
///
/// A frame lasts from one callback to the next. Its deadline is the target time that the first callback announced,
/// because a display may change its rate from frame to frame.
struct FrameDeadline: Equatable, Sendable {
    struct Frame: Hashable, Sendable {
        var began: Duration
        var promised: Duration
        var ended: Duration
    }

    private struct Call: Hashable {
        var time: Double
        var target: Double
    }

    private var last: Call?

    /// Processes a callback.
    ///
    /// - Parameters:
    ///   - time: When the previous frame was shown, in seconds.
    ///   - target: When the next frame is due, in seconds.
    /// - Returns: The finished frame; `nil` for the first callback.
    mutating func call(at time: Double, target: Double) -> Frame? {
        defer { last = Call(time: time, target: target) }
        guard let last else { return nil }
        return Frame(began: .seconds(last.time), promised: .seconds(last.target), ended: .seconds(time))
    }
}
