/// Reads and writes times in the form of RFC 3339, to the nanosecond.
package enum Timestamp {
    /// Returns nanoseconds since 1970 for a date such as `2026-11-22` or a time such as `2026-11-22T10:00:00.5+01:00`.
    /// Without an offset the time is UTC. The years are 1970 to 2199.
    package static func nanoseconds(_ text: String) -> Int64? {
        var rest = Array(text.utf8)[...]
        guard let year = digits(4, of: &rest), take("-", of: &rest), let month = digits(2, of: &rest),
            take("-", of: &rest), let day = digits(2, of: &rest), (1970...2199).contains(year),
            (1...12).contains(month), (1...daysOf(month, year)).contains(day)
        else { return nil }
        var seconds = days(year, month, day) * 86_400
        var fraction: Int64 = 0
        if !rest.isEmpty {
            guard take("T", of: &rest) || take("t", of: &rest) || take(" ", of: &rest),
                let hour = digits(2, of: &rest), take(":", of: &rest), let minute = digits(2, of: &rest), hour < 24,
                minute < 60
            else { return nil }
            seconds += hour * 3_600 + minute * 60
            if take(":", of: &rest) {
                guard let second = digits(2, of: &rest), second < 60 else { return nil }
                seconds += second
                if take(".", of: &rest) {
                    guard let value = fractionDigits(of: &rest) else { return nil }
                    fraction = value
                }
            }
            guard let offset = offset(of: &rest), rest.isEmpty else { return nil }
            seconds -= offset
        }
        return seconds * 1_000_000_000 + fraction
    }

    /// Returns a time in UTC, with as many decimals as it needs.
    package static func text(_ nanoseconds: Int64) -> String {
        let (seconds, fraction) = nanoseconds.floored(by: 1_000_000_000)
        let (days, second) = seconds.floored(by: 86_400)
        let (year, month, day) = date(days)
        var text = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T"
        text += "\(padded(second / 3_600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
        if fraction > 0 {
            var decimals = padded(fraction, 9)
            while decimals.hasSuffix("0") { decimals.removeLast() }
            text += "." + decimals
        }
        return text + "Z"
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static func take(_ character: Character, of rest: inout ArraySlice<UInt8>) -> Bool {
        guard let first = rest.first, first == character.asciiValue else { return false }
        rest.removeFirst()
        return true
    }

    private static func digits(_ count: Int, of rest: inout ArraySlice<UInt8>) -> Int64? {
        guard rest.count >= count, rest.prefix(count).allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let value = rest.prefix(count).reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
        rest.removeFirst(count)
        return value
    }

    private static func fractionDigits(of rest: inout ArraySlice<UInt8>) -> Int64? {
        let found = rest.prefix { (0x30...0x39).contains($0) }
        guard (1...9).contains(found.count) else { return nil }
        rest.removeFirst(found.count)
        let value = found.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
        return (found.count..<9).reduce(value) { value, _ in value * 10 }
    }

    /// Reads `Z`, an offset, or nothing.
    private static func offset(of rest: inout ArraySlice<UInt8>) -> Int64? {
        if rest.isEmpty || take("Z", of: &rest) || take("z", of: &rest) { return 0 }
        let sign: Int64
        if take("+", of: &rest) {
            sign = 1
        } else if take("-", of: &rest) {
            sign = -1
        } else {
            return nil
        }
        guard let hours = digits(2, of: &rest), take(":", of: &rest), let minutes = digits(2, of: &rest), hours < 24,
            minutes < 60
        else { return nil }
        return sign * (hours * 3_600 + minutes * 60)
    }

    private static func daysOf(_ month: Int64, _ year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days from 1970 to a date of the Gregorian calendar.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func date(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = (days + 719_468).floored(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }
}

extension Int64 {
    /// Divides towards negative infinity; the remainder is never negative.
    func floored(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        var (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        if remainder < 0 {
            quotient -= 1
            remainder += divisor
        }
        return (quotient, remainder)
    }
}
