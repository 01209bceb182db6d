/// Selects the times at which a hanging thread's stack is sampled, evenly spread over a hang of any length.
///
/// If all slots are used, every other sample is dropped and the interval doubles.
struct HangSampling: Equatable, Sendable {
    enum Action: Equatable, Sendable {
        case wait
        /// Store a sample in this slot.
        case take(Int)
        /// Move the samples of slots 0, 2, 4… to slots 0, 1, 2…, and store a sample in this slot.
        case thinOut(Int)
    }

    let places: Int
    /// Nanoseconds.
    private(set) var interval: UInt64
    private(set) var count = 0
    private var next: UInt64 = 0

    init(places: Int, interval: UInt64) {
        self.places = places
        self.interval = interval
    }

    /// Returns what to do at a point of the hang.
    ///
    /// - Parameter time: Nanoseconds since the hang began.
    mutating func process(_ time: UInt64) -> Action {
        guard time >= next else { return .wait }
        guard count == places else { return take(at: time, Action.take) }
        interval *= 2
        count = (places + 1) / 2
        return take(at: time, Action.thinOut)
    }

    private mutating func take(at time: UInt64, _ action: (Int) -> Action) -> Action {
        next = time + interval
        count += 1
        return action(count - 1)
    }
}
