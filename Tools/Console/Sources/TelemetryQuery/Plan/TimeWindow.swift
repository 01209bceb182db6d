/// The time that a query covers, divided into steps.
///
/// Steps begin at multiples of their length, so the first and the last may be cut off by the window.
package struct TimeWindow: Hashable, Sendable {
    /// Nanoseconds since 1970, half-open.
    package let start: Int64
    package let end: Int64
    /// The length of a step, or `nil` if there is no series.
    package let step: Int64?
    /// The start of the first step. At most `start`.
    package let origin: Int64
    package let stepCount: Int

    /// The lengths that `automatic` chooses from, in seconds, after those below one second.
    private static let roundSeconds: [Int64] = [
        1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400, 172_800,
        604_800, 2_592_000, 7_776_000, 31_536_000,
    ]
    private static let automaticSteps: Int64 = 90

    /// - Parameter now: Nanoseconds since 1970, the end of "last 1h".
    package init(_ range: TimeRange, _ granularity: Granularity, now: Int64) throws(QueryError) {
        switch range {
        case .last(let nanoseconds):
            guard nanoseconds > 0, nanoseconds <= QueryLimits.timeRange else {
                throw QueryError("Expected a time of more than 0, and ten years at most.")
            }
            // The present moment belongs to the window.
            end = min(max(now, 0), Int64.max / 2) + 1
            start = end - nanoseconds
        case .between(let from, let to):
            guard from < to, from > -Int64.max / 4, to < Int64.max / 2, to - from <= QueryLimits.timeRange else {
                throw QueryError("Expected an end after the start, at most ten years later.")
            }
            start = from
            end = to
        }
        let step: Int64
        switch granularity {
        case .total:
            self.step = nil
            origin = start
            stepCount = 0
            return
        case .fixed(let nanoseconds):
            guard nanoseconds > 0 else { throw QueryError("Expected a step of more than 0.") }
            step = nanoseconds
        case .automatic: step = Self.automaticStep(for: end - start)
        }
        self.step = step
        origin = start.floored(by: step).quotient * step
        let count = (end - origin + step - 1) / step
        guard count <= QueryLimits.seriesPoints else {
            let least = QueryText.text(ofDuration: Self.roundStep(atLeast: (end - start) / 1_000))
            throw QueryError(
                "The series would have \(count) steps. The limit is \(QueryLimits.seriesPoints). "
                    + "Ask for a shorter time, or for every \(least).")
        }
        stepCount = Int(count)
    }

    private init(_ window: TimeWindow, earlier: Int64) {
        start = window.start - earlier
        end = window.end - earlier
        step = window.step
        origin = window.origin - earlier
        stepCount = window.stepCount
    }

    /// Returns the window of the same length that lies earlier, with as many steps.
    func earlier(_ comparison: Comparison) -> TimeWindow {
        switch comparison {
        case .previous: TimeWindow(self, earlier: end - start)
        case .earlier(let nanoseconds): TimeWindow(self, earlier: nanoseconds)
        }
    }

    private static func automaticStep(for length: Int64) -> Int64 { roundStep(atLeast: length / automaticSteps) }

    private static func roundStep(atLeast least: Int64) -> Int64 {
        for power in [Int64(1), 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000] {
            for factor in [Int64(1), 2, 5] where power * factor >= max(1, least) { return power * factor }
        }
        return (roundSeconds.first { $0 * 1_000_000_000 >= least } ?? 31_536_000) * 1_000_000_000
    }

    package func contains(_ time: Int64) -> Bool { time >= start && time < end }

    /// Returns the step that has `time`, which lies in the window. Without a series it is 0.
    package func step(of time: Int64) -> Int {
        step.map { Int((time - origin) / $0) } ?? 0
    }

    /// Returns the part of a step that lies in the window.
    package func bounds(ofStep index: Int) -> (start: Int64, end: Int64) {
        guard let step else { return (start, end) }
        let from = origin + Int64(index) * step
        return (max(start, from), min(end, from + step))
    }
}
