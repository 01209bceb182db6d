package import Foundation

extension UInt64 {
    /// Nanoseconds since 1970, as OTLP has times. What lies before 1970 counts as 1970, and what lies after 2554 as the
    /// last moment that 64 bits can name.
    package init(nanosecondsSince1970 date: Date) {
        // The parts apart: their sum has fewer digits of a second.
        let seconds = date.timeIntervalSinceReferenceDate
        let whole = seconds.rounded(.down)
        let since1970 = whole + Date.timeIntervalBetween1970AndReferenceDate
        guard since1970 >= 0 else {
            self = 0
            return
        }
        guard since1970 < Double(UInt64.max / 1_000_000_000) else {
            self = .max
            return
        }
        self = UInt64(since1970) * 1_000_000_000 + UInt64((seconds - whole) * 1e9)
    }
}

extension Date {
    /// The date that lies so many nanoseconds after 1970, exact to a quarter of a microsecond in this century.
    package init(nanosecondsSince1970 nanoseconds: UInt64) {
        let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        let seconds = Double(whole) - Date.timeIntervalBetween1970AndReferenceDate
        self.init(timeIntervalSinceReferenceDate: seconds + Double(rest) / 1e9)
    }
}
