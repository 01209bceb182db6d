import Foundation

/// The time at which a key expires, as `--expires` names it: `90d` or `12h` from now, or a time of ISO 8601.
struct KeyExpiry {
    static let expected = """
        expected a time from now of at most 3650d, such as 90d or 12h, or one of ISO 8601, such as 2027-03-31T00:00:00Z
        """

    private static let units: [Character: TimeInterval] = ["h": 3_600, "d": 86_400]
    private static let longest: TimeInterval = 3_650 * 86_400

    let time: Date

    /// Returns `nil` for a text of another form, and for a time that is over or more than ten years away.
    init?(_ text: String, from now: Date = Date()) {
        if let unit = text.last.flatMap({ Self.units[$0] }), let count = Int(text.dropLast()) {
            time = now + Double(count) * unit
        } else if let date = try? Date(text, strategy: .iso8601) {
            time = date
        } else {
            return nil
        }
        let rest = time.timeIntervalSince(now)
        guard rest > 0, rest <= Self.longest else { return nil }
    }
}
