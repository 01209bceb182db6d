/// Times of RFC 3339 to the second, without Foundation's formatters.
enum RFC3339 {
    /// Seconds since 1970 of a time such as `2026-12-31T23:59:59Z` or `2026-12-31T23:59:59.5+02:00`; a fraction of a
    /// second is left out. `nil` for another text.
    static func seconds(_ text: String) -> Int64? {
        var rest = Substring(text)
        guard text.utf8.count <= 40, let year = number(&rest, 4), drop(&rest, "-"), let month = number(&rest, 2),
            drop(&rest, "-"), let day = number(&rest, 2), drop(&rest, "T"), let hour = number(&rest, 2),
            drop(&rest, ":"), let minute = number(&rest, 2), drop(&rest, ":"), let second = number(&rest, 2),
            year >= 1_970, (1...12).contains(month), day >= 1, day <= days(in: month, of: year), hour < 24,
            minute < 60, second < 60
        else { return nil }
        if drop(&rest, ".") {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            guard !digits.isEmpty else { return nil }
            rest.removeFirst(digits.count)
        }
        guard let offset = offset(rest) else { return nil }
        return ((daysSince1970(year, month, day) * 24 + hour) * 60 + minute - offset) * 60 + second
    }

    /// Minutes east of Greenwich.
    private static func offset(_ text: Substring) -> Int64? {
        if text == "Z" { return 0 }
        var rest = text
        let isWest = rest.first == "-"
        guard drop(&rest, isWest ? "-" : "+"), let hours = number(&rest, 2), drop(&rest, ":"),
            let minutes = number(&rest, 2), rest.isEmpty, hours < 24, minutes < 60
        else { return nil }
        return (hours * 60 + minutes) * (isWest ? -1 : 1)
    }

    private static func drop(_ text: inout Substring, _ character: Character) -> Bool {
        guard text.first == character else { return false }
        text.removeFirst()
        return true
    }

    private static func number(_ text: inout Substring, _ count: Int) -> Int64? {
        let digits = text.prefix(count)
        guard digits.utf8.count == count, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        text.removeFirst(count)
        return Int64(digits)
    }

    private static func days(in month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func isLeap(_ year: Int64) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    /// Counted in years that begin in March, so that the leap day is a year's last.
    private static func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month > 2 ? year : year - 1
        let (era, yearOfEra) = (shifted / 400, shifted % 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
