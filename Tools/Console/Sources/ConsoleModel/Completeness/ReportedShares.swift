/// The share of records that has arrived after a delay, by the hour of the day in which they were recorded.
///
/// Recent records have only been observed for a short time, and some of them are still missing. So the shares are a
/// product over the delays from the longest down to one. A factor is about the records that were observed for at least
/// that long and arrived by then: the share that did not arrive exactly then. Actuaries call it the chain ladder.
struct ReportedShares {
    /// Counts of records by delay and by the time for which they were observed, in slots.
    struct Delays {
        let longest: Int
        /// By hour of the day; the last one is the whole day.
        fileprivate var byDelay: [[Double]]
        fileprivate var byObservation: [[Double]]

        init(longest: Int) {
            self.longest = longest
            let empty = Array(repeating: 0.0, count: longest + 1)
            byDelay = Array(repeating: empty, count: 25)
            byObservation = byDelay
        }

        /// Adds records of an hour of the day, which count for the hours beside it as well.
        mutating func add(_ records: Double, hour: Int, delay: Int, observed: Int) {
            for place in [(hour + 23) % 24, hour, (hour + 1) % 24, 24] {
                byDelay[place][min(delay, longest)] += records
                byObservation[place][min(observed, longest)] += records
            }
        }
    }

    /// By hour of the day, and by delay.
    private let shares: [[Double]]

    /// - Parameters:
    ///   - prior: The weight of the whole day in an hour of the day, in records.
    ///   - prompt: The weight of no further delay in the whole day, in records.
    init(_ delays: Delays, prior: Double, prompt: Double) {
        let none = Array(repeating: 0.0, count: delays.longest + 1)
        let day = Self.lateShares(delays.byDelay[24], delays.byObservation[24], prior: none, weight: prompt)
        shares = (0..<24).map { hour in
            let late = Self.lateShares(delays.byDelay[hour], delays.byObservation[hour], prior: day, weight: prior)
            var shares = none
            var share = 1.0
            for delay in stride(from: delays.longest, through: 1, by: -1) {
                shares[delay] = share
                share *= 1 - late[delay]
            }
            return shares
        }
    }

    /// Returns the share that has arrived of records of an hour of the day that could arrive in a number of slots.
    func share(hour: Int, after slots: Int) -> Double {
        shares[hour][min(max(slots, 0), shares[hour].count - 1)]
    }

    /// Returns, of the records that arrived after at most each delay, the share with exactly this delay.
    private static func lateShares(
        _ byDelay: [Double], _ byObservation: [Double], prior: [Double], weight: Double,
    ) -> [Double] {
        var late = prior
        // Of the records that were observed for at least the delay: all, and those that arrived later.
        var (observed, later) = (0.0, 0.0)
        for delay in stride(from: byDelay.count - 1, through: 1, by: -1) {
            observed += byObservation[delay]
            let known = max(observed - later, 0)
            late[delay] = min((byDelay[delay] + weight * prior[delay]) / (known + weight), 1)
            later += byDelay[delay]
        }
        return late
    }
}
