import AstrolabeTelemetryModel
import Foundation

/// An exponential histogram that others can be added to.
///
/// Bucket `i` holds magnitudes over `base^i` up to `base^(i + 1)`, where `base` is `2^(2^-scale)`. Halving the
/// resolution joins two buckets to one, so histograms of two scales are added at the smaller scale without a loss.
struct ExponentialHistogram: Hashable {
    private(set) var scale: Int
    private(set) var zeroCount: Double
    private(set) var zeroThreshold: Double
    /// The counts of populated buckets by index.
    private(set) var positive: [Int: Double]
    /// The counts of populated buckets of negative values, by the index of their magnitude.
    private(set) var negative: [Int: Double]

    /// Reads a stored point; `nil` if it is no exponential histogram.
    init?(_ fields: Attributes) {
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

    mutating func add(_ other: ExponentialHistogram) {
        var other = other
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
        zeroCount += other.zeroCount
        positive.merge(other.positive, uniquingKeysWith: +)
        negative.merge(other.negative, uniquingKeysWith: +)
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
    var buckets: [Distribution.Bucket] {
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
