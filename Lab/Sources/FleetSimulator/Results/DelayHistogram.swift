import Foundation

/// A histogram of delays on a logarithmic scale with 200 steps per power of ten. Quantiles are exact to 1.2 %.
///
/// Histograms can be added in any order, and their size does not depend on the number of delays.
struct DelayHistogram: Sendable, Equatable {
    private(set) var counts: [Int] = []
    private(set) var total = 0

    private static let stepsPerDecade = 200.0
    /// The smallest delay in seconds; shorter delays count as this.
    private static let shortest = 0.001

    mutating func add(_ seconds: Double) {
        let step = Int((log10(max(seconds, Self.shortest) / Self.shortest) * Self.stepsPerDecade).rounded())
        if step >= counts.count { counts += Array(repeating: 0, count: step + 1 - counts.count) }
        counts[step] += 1
        total += 1
    }

    static func += (left: inout DelayHistogram, right: DelayHistogram) {
        if right.counts.count > left.counts.count {
            left.counts += Array(repeating: 0, count: right.counts.count - left.counts.count)
        }
        for (step, count) in right.counts.enumerated() { left.counts[step] += count }
        left.total += right.total
    }

    /// Returns the quantile in seconds; `nil` if the histogram is empty.
    func quantile(_ share: Double) -> Double? {
        guard total > 0 else { return nil }
        var rest = Int((share * Double(total)).rounded(.up))
        for (step, count) in counts.enumerated() {
            rest -= count
            if rest <= 0 { return Self.seconds(step) }
        }
        return nil
    }

    /// Returns the share of delays up to each step: the empirical distribution.
    var distribution: [(seconds: Double, share: Double)] {
        var sum = 0
        return counts.enumerated().compactMap { step, count in
            guard count > 0 else { return nil }
            sum += count
            return (Self.seconds(step), Double(sum) / Double(total))
        }
    }

    private static func seconds(_ step: Int) -> Double { shortest * pow(10, Double(step) / stepsPerDecade) }
}
