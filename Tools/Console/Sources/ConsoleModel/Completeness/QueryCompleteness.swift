/// The completeness of the time of a query and of the time that it is compared with.
package struct QueryCompleteness: Sendable, Hashable {
    package var window: WindowCompleteness
    package var comparison: WindowCompleteness?

    package init(window: WindowCompleteness, comparison: WindowCompleteness?) {
        self.window = window
        self.comparison = comparison
    }

    /// The difference of two shares up to which two times are compared at equal completeness.
    private static let tolerance = 0.02

    /// Says that two times are not equally complete; `nil` if they are, or without a comparison.
    package var inequality: String? {
        guard let earlier = comparison?.total, abs(window.total.share - earlier.share) > Self.tolerance else {
            return nil
        }
        return """
            The times are not compared at equal completeness: \(window.total.percent) of this one has arrived, and \
            \(earlier.percent) of the one before.
            """
    }
}

extension BucketCompleteness {
    /// The share in percent, such as `87 %` or `about 87 %`. What is not complete is never 100 %.
    package var percent: String {
        let tenths = share < 1 ? min(Int((share * 1_000).rounded()), 999) : 1_000
        let text = tenths > 990 && tenths < 1_000 ? "99.\(tenths % 10)" : String((tenths + 5) / 10)
        return (isEstimated ? "about " : "") + text + " %"
    }

    /// A sentence about what is missing, such as `87 % of this time has arrived; 41 phones hold 2,310 records.`
    ///
    /// - Returns: `nil` if nothing is missing.
    package var sentence: String? {
        guard share < 1 || pending > 0 else { return nil }
        var parts = ["\(percent) of what phones recorded in this time has arrived"]
        if pending > 0 {
            parts.append("\(Self.phones(holding)) \(holding == 1 ? "holds" : "hold") \(Self.records(pending))")
        }
        if isEstimated { parts.append("\(Self.phones(silent)) \(silent == 1 ? "has" : "have") not reported since") }
        if dropped > 0 { parts.append("\(Self.records(dropped)) \(dropped == 1 ? "was" : "were") dropped") }
        return parts.joined(separator: "; ") + "."
    }

    private static func phones(_ count: Int) -> String { "\(grouped(count)) \(count == 1 ? "phone" : "phones")" }

    private static func records(_ count: Int) -> String { "\(grouped(count)) \(count == 1 ? "record" : "records")" }

    /// Writes a number with commas between thousands.
    private static func grouped(_ number: Int) -> String {
        var digits = String(number)
        var end = digits.count - 3
        while end > 0 {
            digits.insert(",", at: digits.index(digits.startIndex, offsetBy: end))
            end -= 3
        }
        return digits
    }
}
