import Foundation
package import TelemetryBoards
import TelemetryQuery

/// An alert in words, for its page, its webhook and the command line.
extension AlertRule {
    private var calculation: Calculation? { query.query.calculations.first }

    /// The unit of the value in UCUM, if it is known.
    var unit: String? { calculation?.unit }

    /// The threshold and the time, such as `above 500ms in the last 15m` or `above 20 % in the last 1h`.
    package var thresholdDescription: String {
        let (word, limit) =
            switch threshold {
            case .above(let limit): ("above", limit)
            case .below(let limit): ("below", limit)
            }
        // A number without a unit is one of the unit of the value.
        let isWithUnit = Double(thresholdText) == nil && calculation?.function != .ratio
        let text = isWithUnit ? thresholdText : quantity(limit) ?? thresholdText
        let times = [window, confirmation].compactMap(\.self).map { TimeRange.text(ofDuration: $0) }
        return "\(word) \(text) in the last \(times.joined(separator: " and the last "))"
    }

    /// Returns a value in its unit: a share in percent, a time in milliseconds or seconds; `nil` without such a unit.
    package func quantity(_ value: Double) -> String? {
        if calculation?.function == .ratio { return String(format: "%g %%", value * 100) }
        return switch unit {
        case "ns": String(format: "%.1f ms", value / 1e6)
        case "s": String(format: "%g s", value)
        default: nil
        }
    }
}
