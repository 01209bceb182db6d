/// The rate at which producers fill segments, from which upkeep computes how many to prepare in advance.
///
/// As many as producers fill in 10 ms: the thread of upkeep may have to wait for a processor that long. After a burst
/// the rate halves every 50 ms.
struct FillRate: Equatable {
    /// The number of the segment in use when the rate was last measured.
    private var current = 1
    /// Nanoseconds on a monotonic clock.
    private var measured: UInt64 = 0
    /// Segments of the usual size in a second.
    private var rate = 0.0

    private static let horizon = 0.01
    private static let halfLife = 0.05
    /// 4 MiB.
    private static let most = 16

    /// Measures the rate and returns the number of segments to prepare, 0 to 16.
    ///
    /// - Parameters:
    ///   - number: The number of the segment in use.
    ///   - weight: Its size, in segments of the usual size.
    mutating func segmentsAhead(of number: Int, weight: Double = 1, at now: UInt64) -> Int {
        let seconds = Double(now > measured ? now - measured : 0) / 1e9
        let decayed = rate * Self.decay(after: seconds)
        guard number > current else {
            // The first segment asks for others when it is half full.
            if number == 1 { measured = now }
            return Self.segments(decayed)
        }
        // The first measurement has no start.
        let news = measured == 0 ? 0 : Double(number - current) * weight / max(seconds, 0.0001)
        rate = max(decayed, news)
        (current, measured) = (number, now)
        return Self.segments(rate)
    }

    private static func segments(_ rate: Double) -> Int { Int(min(rate * horizon, Double(most))) }

    /// A half for each half-life, and linear in between.
    private static func decay(after seconds: Double) -> Double {
        var (factor, rest) = (1.0, seconds / halfLife)
        while rest >= 1, factor > 1e-6 { (factor, rest) = (factor / 2, rest - 1) }
        return factor * (1 - rest.truncatingRemainder(dividingBy: 1) / 2)
    }
}
