/// The kind of a metric's points. Raw values are stored in the database.
package enum MetricKind: UInt8, Sendable, CaseIterable {
    case gauge = 0
    case sum = 1
    case histogram = 2
    case exponentialHistogram = 3
    case summary = 4

    /// The name used by the API.
    package var name: String {
        switch self {
        case .gauge: "gauge"
        case .sum: "sum"
        case .histogram: "histogram"
        case .exponentialHistogram: "exponentialHistogram"
        case .summary: "summary"
        }
    }
}
