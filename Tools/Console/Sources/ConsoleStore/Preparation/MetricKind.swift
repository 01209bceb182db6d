/// The shape of a metric's points. Raw values are what the database holds.
package enum MetricKind: UInt8, Sendable, CaseIterable {
    case gauge = 0
    case sum = 1
    case histogram = 2

    /// The word that the API uses.
    package var name: String {
        switch self {
        case .gauge: "gauge"
        case .sum: "sum"
        case .histogram: "histogram"
        }
    }
}
