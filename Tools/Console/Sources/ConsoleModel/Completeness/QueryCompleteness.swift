/// The completeness of the time of a query and of the time that it is compared with.
package struct QueryCompleteness: Sendable, Hashable {
    package var window: WindowCompleteness
    package var comparison: WindowCompleteness?
    /// The time as of which the comparison is counted, in nanoseconds since 1970; `nil` if it is as of now.
    ///
    /// It was as old then as the window is now. Its share is what had arrived by then.
    package private(set) var comparedAsOf: Int64?

    package init(window: WindowCompleteness, comparison: WindowCompleteness?) {
        self.window = window
        self.comparison = comparison
    }

    /// The difference of two shares up to which two times are compared at equal completeness.
    private static let tolerance = 0.02

    /// Takes the comparison as it looked at a time, if its share was closer to that of the window then, as a ratio.
    ///
    /// After an import next to nothing of it had arrived, and its numbers now are the better ones.
    ///
    /// - Parameters:
    ///   - time: Nanoseconds since 1970.
    ///   - share: The share of the comparison's records that had arrived by then, of those that have arrived by now.
    package mutating func compare(asOf time: Int64, arrived share: Double) {
        guard var earlier = comparison?.total else { return }
        func distance() -> Double {
            max(window.total.share / earlier.share, earlier.share / window.total.share)
        }
        let distanceNow = distance()
        earlier.share *= min(max(share, 0), 1)
        guard distance() < distanceNow else { return }
        comparison = WindowCompleteness(total: earlier, steps: [])
        comparedAsOf = time
    }

    /// Says how two times are compared that are not equally complete by now; `nil` if they are.
    package var comparisonNote: String? {
        guard comparedAsOf != nil, let earlier = comparison?.total else { return inequality }
        return """
            The time before is counted as it looked when it was as old as this one is now: \(earlier.percent) of it had \
            arrived, and \(window.total.percent) of this one has.
            """
    }

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
