import TelemetryQuery

/// The bins of heatmaps: four of equal width for each power of two, and one for 0.
enum NaiveBins {
    /// Returns the bounds of the bin of a number, the one nearer to 0 first.
    static func bounds(of number: Double) -> (low: Double, high: Double) {
        if number == 0 { return (0, 0) }
        let magnitude = number.magnitude
        if magnitude.isInfinite { return (number, number) }
        let power = Double(sign: .plus, exponent: magnitude.exponent, significand: 1)
        let quarter = (magnitude.significand * 4).rounded(.down)
        let (low, high) = (power * (quarter / 4), power * ((quarter + 1) / 4))
        return number < 0 ? (-low, -high) : (low, high)
    }

    /// - Parameter numbers: Numbers with their weights.
    static func heatmap(of numbers: [(Double, Double)]) -> [HeatmapBin] {
        Dictionary(grouping: numbers.filter { $0.1 > 0 }) { bounds(of: $0.0).low }
            .sorted { $0.key < $1.key }
            .map { low, numbers in
                let bounds = bounds(of: numbers[0].0)
                return HeatmapBin(low: low, high: bounds.high, count: numbers.reduce(0) { $0 + $1.1 })
            }
    }
}
