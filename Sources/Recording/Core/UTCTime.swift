/// A moment in the form of RFC 3339, in UTC, to the millisecond.
struct UTCTime: CustomStringConvertible {
    private let milliseconds: UInt64

    init(_ timeUnixNano: UInt64) {
        milliseconds = timeUnixNano / 1_000_000
    }

    var description: String {
        let (year, month, day) = date
        let time = milliseconds % 86_400_000
        let clock = [time / 3_600_000, time / 60_000 % 60, time / 1_000 % 60].map { Self.padded($0, 2) }
        return "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))T"
            + clock.joined(separator: ":") + ".\(Self.padded(time % 1_000, 3))Z"
    }

    /// The Gregorian date, counted in years that begin in March, so that the leap day is a year's last.
    private var date: (year: UInt64, month: UInt64, day: UInt64) {
        let days = milliseconds / 86_400_000 + 719_468
        let era = days / 146_097
        let dayOfEra = days % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shifted + 2) / 5 + 1
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    private static func padded(_ number: UInt64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(width - digits.count, 0)) + digits
    }
}
