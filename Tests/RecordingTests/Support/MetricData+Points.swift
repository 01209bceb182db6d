import AstrolabeTelemetryModel

extension MetricData {
    /// The points of a sum or gauge.
    var numberPoints: [NumberPoint] {
        switch data {
        case .gauge(let points), .sum(let points, _, _): points
        case .histogram, .exponentialHistogram, .summary, .unknown: []
        }
    }

    var histogramPoints: [HistogramPoint] {
        if case .histogram(let points, _) = data { points } else { [] }
    }

    var exponentialPoints: [ExponentialHistogramPoint] {
        if case .exponentialHistogram(let points, _) = data { points } else { [] }
    }
}
