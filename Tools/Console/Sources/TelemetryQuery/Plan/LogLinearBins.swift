/// Divides the numbers into bins: each power of two has the same number of bins of equal width.
///
/// The bin comes from the bits of a number, so every finite number has one, and no bounds must be known.
///
/// A percentile of a query and of the map is the middle of the bin in which the share is reached. It is never below
/// the least or above the largest number. The ClickHouse store computes the same in SQL, from the same constants.
package struct LogLinearBins: Sendable {
    /// 64 bins for each power of two. The middle of a bin is at most 1/128, so 0.8 %, from every number in it.
    package static let percentiles = LogLinearBins(bits: 6)
    /// Four bins for each power of two.
    package static let heatmap = LogLinearBins(bits: 2)

    /// The number of bins for each power of two is two to the power of this.
    package let bits: Int

    /// Up to this number, a bin has at most one whole number.
    package var wholeLimit: Int { 2 << bits }

    /// Returns the bin: 0 for 0, positive for positive numbers, and larger for larger numbers.
    @inline(__always)
    func bin(of number: Double) -> Int {
        if number == 0 { return 0 }
        let magnitude = Int(truncatingIfNeeded: (number.bitPattern & 0x7FFF_FFFF_FFFF_FFFF) >> UInt64(52 - bits)) + 1
        return number < 0 ? -magnitude : magnitude
    }

    /// The bin of infinity.
    var largestBin: Int { bin(of: .infinity) }

    /// Returns the bounds of a bin, the one nearer to 0 first.
    func bounds(of bin: Int) -> (low: Double, high: Double) {
        if bin == 0 { return (0, 0) }
        let low = Double(bitPattern: UInt64(bin.magnitude - 1) << UInt64(52 - bits))
        let high = low.isInfinite ? low : Double(bitPattern: UInt64(bin.magnitude) << UInt64(52 - bits))
        return bin < 0 ? (-low, -high) : (low, high)
    }

    /// Returns the number that stands for a bin.
    ///
    /// - Parameter isWhole: Whether only whole numbers were counted. A bin with one whole number is then that number.
    func middle(of bin: Int, isWhole: Bool) -> Double {
        let (low, high) = bounds(of: bin)
        if low == high || high.isInfinite { return low }
        if isWhole, high.magnitude <= Double(wholeLimit) { return bin < 0 ? low.rounded(.down) : low.rounded(.up) }
        return low + (high - low) / 2
    }

    package func heatmapBin(_ bin: Int, count: Double) -> HeatmapBin {
        let bounds = bounds(of: bin)
        return HeatmapBin(low: bounds.low, high: bounds.high, count: count)
    }
}
