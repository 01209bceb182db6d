import AstrolabeTelemetryModel
import Foundation

/// The distribution of a series' measurements: buckets, and percentiles estimated from them.
package struct Distribution: Sendable, Hashable {
    package struct Bucket: Sendable, Hashable {
        package let from: Double
        package let to: Double
        package let count: Double

        package init(from: Double, to: Double, count: Double) {
            self.from = from
            self.to = to
            self.count = count
        }
    }

    /// The populated buckets, ascending; empty for a summary.
    package let buckets: [Bucket]
    package let median: Double?
    package let p95: Double?

    /// Adds up the points of a series. A cumulative series' last point has the total already.
    ///
    /// - Parameter contents: The points' contents as JSON, oldest first.
    package init?(_ kind: MetricKind, contents: [String], isCumulative: Bool) {
        let relevant = isCumulative || kind == .summary ? contents.suffix(1) : contents[...]
        let points = relevant.compactMap { JSONText.attributes(in: $0) }
        guard let last = points.last else { return nil }
        switch kind {
        case .gauge, .sum: return nil
        case .summary:
            let quantiles = (last["quantiles"]?.elements ?? []).map(\.elements).filter { $0.count == 2 }
            func value(at quantile: Double) -> Double? { quantiles.first { $0[0].number == quantile }?[1].number }
            buckets = []
            median = value(at: 0.5)
            p95 = value(at: 0.95)
        case .histogram, .exponentialHistogram:
            let isExponential = kind == .exponentialHistogram
            let buckets = isExponential ? Self.exponential(points) : Self.explicit(points)
            let least = points.compactMap { $0["min"]?.number }.min()
            let most = points.compactMap { $0["max"]?.number }.max()
            self.buckets = buckets
            median = Self.quantile(0.5, of: buckets, least: least, most: most)
            p95 = Self.quantile(0.95, of: buckets, least: least, most: most)
        }
    }

    private static func exponential(_ points: [Attributes]) -> [Bucket] {
        let histograms = points.compactMap(ExponentialHistogramSum.init)
        guard var sum = histograms.last else { return [] }
        for histogram in histograms.dropLast() { sum.add(histogram) }
        return sum.buckets
    }

    /// Adds the points that have the last one's bounds.
    private static func explicit(_ points: [Attributes]) -> [Bucket] {
        guard let last = points.last else { return [] }
        let bounds = (last["bounds"]?.elements ?? []).map { $0.number ?? 0 }
        var counts = [Double](repeating: 0, count: bounds.count + 1)
        for point in points where point["bounds"] == last["bounds"] {
            for (index, count) in (point["counts"]?.elements ?? []).enumerated() where index < counts.count {
                counts[index] += max(count.number ?? 0, 0)
            }
        }
        guard let first = bounds.first, let final = bounds.last else { return [] }
        // The outer buckets have one bound. The extremes tell the other, if the sender reports them.
        let least = min(points.compactMap { $0["min"]?.number }.min() ?? min(first, 0), first)
        let most = max(points.compactMap { $0["max"]?.number }.max() ?? final, final)
        return zip(zip([least] + bounds, bounds + [most]), counts).compactMap { ends, count in
            count > 0 ? Bucket(from: ends.0, to: ends.1, count: count) : nil
        }
    }

    /// Estimates a quantile. Within its bucket, values are assumed to grow evenly, or by a constant factor if the
    /// bucket does not reach zero. The result is never below the least or above the largest measurement.
    ///
    /// - Parameters:
    ///   - least: The least measurement, if the sender reports it.
    ///   - most: The largest measurement, if the sender reports it.
    static func quantile(_ quantile: Double, of buckets: [Bucket], least: Double?, most: Double?) -> Double? {
        let rank = quantile * buckets.reduce(0) { $0 + $1.count }
        var before = 0.0
        for bucket in buckets {
            guard before + bucket.count >= rank else {
                before += bucket.count
                continue
            }
            let share = (rank - before) / bucket.count
            let isOneSign = bucket.from > 0 || bucket.to < 0
            let value =
                isOneSign
                ? bucket.from * pow(bucket.to / bucket.from, share)
                : bucket.from + (bucket.to - bucket.from) * share
            return value.isFinite ? max(min(value, most ?? value), least ?? value) : nil
        }
        return nil
    }
}
