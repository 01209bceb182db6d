import AstrolabePlatform

/// When the server is asked for a document, as a value.
///
/// | moment | asks |
/// |---|---|
/// | the first delivery of a run | at once |
/// | the first flush after a return to the foreground | if the last request is 15 minutes ago |
/// | a later delivery | if the interval has passed |
/// | a flush under a document that may leave nothing to deliver | as a delivery |
/// | in the background | never |
struct PollSchedule: Equatable {
    /// Seconds.
    private let interval: Double
    /// Seconds between a request and one at a return to the foreground.
    static let shortestReturn = 900.0
    /// Seconds that a server may ask for until the next request.
    static let waits = 60.0...86_400
    /// Seconds until the next request after one that failed; twice as many after the next one that fails.
    static let firstRetry = 900.0

    private var hasBeenAway = false
    private var last: Double?
    private var next = 0.0
    private var failures = 0
    /// No request before this time.
    private var earliest = 0.0

    init(interval: Duration) {
        self.interval = min(max(interval.seconds, 60), 604_800)
    }

    /// Returns true if a request is due at a flush.
    ///
    /// - Parameters:
    ///   - isInForeground: Whether the app is in the foreground now.
    ///   - hasDelivered: Whether the server took records in this flush, or a document may leave none.
    ///   - now: Seconds on a monotonic clock.
    mutating func isDue(isInForeground: Bool, hasDelivered: Bool, at now: Double) -> Bool {
        guard isInForeground else {
            hasBeenAway = true
            return false
        }
        guard now >= earliest else {
            hasBeenAway = false
            return false
        }
        if now - (last ?? -.infinity) < Self.shortestReturn { hasBeenAway = false }
        // A return stays due until there is a way to the server.
        return hasBeenAway || hasDelivered && now >= next
    }

    /// Plans the next request after a response.
    ///
    /// - Parameter random: A number in 0..<1.
    mutating func succeeded(at now: Double, random: Double) {
        (last, hasBeenAway) = (now, false)
        next = now + interval * (0.8 + 0.4 * random)
        (failures, earliest) = (0, 0)
    }

    /// Plans the next request after one that failed.
    ///
    /// - Parameter retryAfter: Seconds that the server asks for, which are followed within ``waits``; `nil` if it does
    ///   not.
    mutating func failed(at now: Double, retryAfter: Double?) {
        (last, hasBeenAway) = (now, false)
        failures += 1
        let backoff = min(Self.firstRetry * Double(1 << min(failures - 1, 10)), interval)
        earliest = now + (retryAfter.map { min(max($0, Self.waits.lowerBound), Self.waits.upperBound) } ?? backoff)
    }
}
