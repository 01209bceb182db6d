/// A token bucket: a mean rate, with bursts of up to ten seconds of it.
struct RequestRate: Sendable {
    private static let burst = 10.0

    private var tokens: Double
    private var last: ContinuousClock.Instant

    init(_ perSecond: Double, at moment: ContinuousClock.Instant) {
        tokens = max(1, perSecond * Self.burst)
        last = moment
    }

    /// Counts a request.
    ///
    /// - Returns: The seconds to wait if there were too many; `nil` if the request may go on.
    mutating func take(_ perSecond: Double, at moment: ContinuousClock.Instant) -> Int? {
        let elapsed = (moment - last) / .seconds(1)
        tokens = min(max(1, perSecond * Self.burst), tokens + max(0, elapsed) * perSecond)
        last = moment
        guard tokens >= 1 else { return max(1, Int(((1 - tokens) / perSecond).rounded(.up))) }
        tokens -= 1
        return nil
    }
}
