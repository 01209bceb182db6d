#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The buckets of a histogram whose bounds are powers of `2^(2^-scale)`, as the specification's "Base2 Exponential
/// Bucket Histogram Aggregation" has it.
///
/// It begins at the largest scale. If a value is out of the range of `maxSize` buckets, each two neighbours become one,
/// until it is in range.
struct ExponentialHistogram: Equatable, Sendable {
    /// Number of buckets for values of one sign, and the largest scale.
    struct Limits: Equatable, Sendable {
        let maxSize: Int
        let maxScale: Int

        /// The defaults are the specification's. Sizes are from 2 to 1,024, scales from -10 to 20. At scale -10 two
        /// buckets hold all numbers.
        init(maxSize: Int = 160, maxScale: Int = 20) {
            self.maxSize = min(max(maxSize, 2), 1_024)
            self.maxScale = min(max(maxScale, -10), 20)
        }
    }

    private let limits: Limits
    private(set) var scale: Int
    private(set) var zeroCount: UInt64 = 0
    private(set) var positive = ExponentialBuckets()
    private(set) var negative = ExponentialBuckets()

    init(_ limits: Limits) {
        self.limits = limits
        scale = limits.maxScale
    }

    /// Counts a finite value.
    mutating func add(_ value: Double) {
        guard value != 0 else {
            zeroCount += 1
            return
        }
        let index = Self.index(of: value.magnitude, scale: scale)
        if value > 0 {
            let excess = positive.excess(with: index...index, maxSize: limits.maxSize)
            lower(by: excess)
            positive.add(at: index >> excess)
        } else {
            let excess = negative.excess(with: index...index, maxSize: limits.maxSize)
            lower(by: excess)
            negative.add(at: index >> excess)
        }
    }

    private mutating func lower(by shift: Int) {
        guard shift > 0 else { return }
        scale -= shift
        positive.lower(by: shift)
        negative.lower(by: shift)
    }

    /// The bucket of a positive number: `ceil(log2(magnitude) * 2^scale) - 1`.
    ///
    /// The logarithm is only taken of the fraction, so the index is exact at powers of 2. Subnormal numbers count as
    /// the smallest normal one, as the specification permits.
    static func index(of magnitude: Double, scale: Int) -> Int {
        let number = max(magnitude, Double.leastNormalMagnitude)
        let exponent = Int(number.exponent)
        let fraction = number.significand
        guard scale > 0 else { return (fraction == 1 ? exponent - 1 : exponent) >> -scale }
        let start = exponent << scale
        guard fraction > 1 else { return start - 1 }
        let buckets = 1 << scale
        let bucket = Int((log2(fraction) * Double(buckets)).rounded(.up)) - 1
        return start + min(max(bucket, 0), buckets - 1)
    }
}
