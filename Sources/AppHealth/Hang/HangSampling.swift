/// When the stack of a hanging thread is looked at, so that a few samples are evenly spread over a hang of any length:
/// when all places are taken, every other sample is dropped, and the interval is doubled.
struct HangSampling: Hashable, Sendable {
    enum Action: Hashable, Sendable {
        case wait
        /// Take a sample into this place.
        case take(Int)
        /// Move the samples of places 0, 2, 4… to the places 0, 1, 2…, and take a sample into this place.
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

    /// - Parameter time: Nanoseconds since the hang began.
    mutating func see(_ time: UInt64) -> Action {
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
