package import AstrolabeTelemetryModel
import Foundation

/// An exponential histogram that others can be added to.
///
/// Bucket `i` holds magnitudes over `base^i` up to `base^(i + 1)`, where `base` is `2^(2^-scale)`. Halving the
/// resolution joins two buckets to one, so histograms of two scales are added at the smaller scale without a loss.
package struct ExponentialHistogramSum: Sendable, Hashable {
    private(set) var scale: Int
    private(set) var zeroCount: Double
    private(set) var zeroThreshold: Double
    /// The counts of populated buckets by index.
    private(set) var positive: [Int: Double]
    /// The counts of populated buckets of negative values, by the index of their magnitude.
    private(set) var negative: [Int: Double]

    /// Reads a stored point; `nil` if it is no exponential histogram.
    package init?(_ fields: Attributes) {
        guard let scale = fields["scale"]?.intValue else { return nil }
        self.scale = Int(scale)
        zeroCount = Self.count(fields["zeroCount"])
        zeroThreshold = max(fields["zeroThreshold"]?.number ?? 0, 0)
        positive = Self.buckets(fields["positive"])
        negative = Self.buckets(fields["negative"])
    }

    private static func count(_ value: AttributeValue?) -> Double { max(value?.number ?? 0, 0) }

    private static func buckets(_ value: AttributeValue?) -> [Int: Double] {
        guard let members = value?.members else { return [:] }
        let offset = Int(clamping: members["offset"]?.intValue ?? 0)
        var buckets: [Int: Double] = [:]
        for (index, element) in (members["counts"]?.elements ?? []).enumerated() {
            let count = Self.count(element)
            if count > 0 { buckets[offset.clampedSum(index)] = count }
        }
        return buckets
    }

    package mutating func add(_ other: ExponentialHistogramSum) {
        var other = other
        align(with: &other)
        zeroCount += other.zeroCount
        positive.merge(other.positive, uniquingKeysWith: +)
        negative.merge(other.negative, uniquingKeysWith: +)
    }

    /// Returns what was measured since an earlier state; `nil` if a count fell, so that the sender began again.
    package func since(_ earlier: ExponentialHistogramSum) -> ExponentialHistogramSum? {
        var (result, earlier) = (self, earlier)
        result.align(with: &earlier)
        result.zeroCount -= earlier.zeroCount
        result.positive.merge(earlier.positive.mapValues { -$0 }, uniquingKeysWith: +)
        result.negative.merge(earlier.negative.mapValues { -$0 }, uniquingKeysWith: +)
        let counts = [result.zeroCount] + result.positive.values + result.negative.values
        guard counts.allSatisfy({ $0 >= 0 }) else { return nil }
        result.positive = result.positive.filter { $0.value > 0 }
        result.negative = result.negative.filter { $0.value > 0 }
        return result
    }

    /// Gives both histograms the smaller scale and the wider zero bucket.
    private mutating func align(with other: inout ExponentialHistogramSum) {
        let common = min(scale, other.scale)
        reduce(to: common)
        other.reduce(to: common)
        if zeroThreshold != other.zeroThreshold {
            let widest = max(zeroThreshold, other.zeroThreshold)
            widenZero(to: widest)
            other.widenZero(to: widest)
            // Widening may have taken in a populated bucket that reached further.
            let reached = max(zeroThreshold, other.zeroThreshold)
            widenZero(to: reached)
            other.widenZero(to: reached)
        }
    }

    private mutating func reduce(to smaller: Int) {
        guard smaller < scale else { return }
        func joined(_ buckets: [Int: Double]) -> [Int: Double] {
            Dictionary(buckets.map { ($0.key >> (scale - smaller), $0.value) }, uniquingKeysWith: +)
        }
        positive = joined(positive)
        negative = joined(negative)
        scale = smaller
    }

    /// Moves the buckets that begin below `threshold` to the zero bucket, which ends where the last of them did.
    private mutating func widenZero(to threshold: Double) {
        guard threshold > zeroThreshold else { return }
        zeroThreshold = threshold
        let inside = Set(positive.keys).union(negative.keys).filter { bound($0) < threshold }
        for index in inside {
            zeroCount += (positive.removeValue(forKey: index) ?? 0) + (negative.removeValue(forKey: index) ?? 0)
            zeroThreshold = max(zeroThreshold, bound(index.clampedSum(1)))
        }
    }

    /// The lower bound of a bucket: `base^index`.
    private func bound(_ index: Int) -> Double {
        exp2(Double(index) * exp2(-Double(scale)))
    }

    /// The populated buckets, ascending.
    package var buckets: [Distribution.Bucket] {
        var buckets = negative.sorted { $0.key > $1.key }.map { index, count in
            Distribution.Bucket(from: -bound(index.clampedSum(1)), to: -bound(index), count: count)
        }
        if zeroCount > 0 {
            buckets.append(Distribution.Bucket(from: -zeroThreshold, to: zeroThreshold, count: zeroCount))
        }
        buckets += positive.sorted { $0.key < $1.key }.map { index, count in
            Distribution.Bucket(from: bound(index), to: bound(index.clampedSum(1)), count: count)
        }
        return buckets
    }
}
