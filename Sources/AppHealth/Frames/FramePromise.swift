/// Makes frames of what a display's link tells at each of its calls.
///
/// A frame lasts from one call to the next, and was promised for the time that the link named at the first as that of
/// the next: a display may change its rate from one frame to another.
struct FramePromise: Hashable, Sendable {
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

    /// - Parameters:
    ///   - time: When the frame before was shown, in seconds.
    ///   - target: When the next is to be.
    /// - Returns: The frame that is over; nil for the first call.
    mutating func call(at time: Double, target: Double) -> Frame? {
        defer { last = Call(time: time, target: target) }
        guard let last else { return nil }
        return Frame(began: .seconds(last.time), promised: .seconds(last.target), ended: .seconds(time))
    }
}
