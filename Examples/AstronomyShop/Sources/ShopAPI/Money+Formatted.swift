extension Money {
    /// The amount as a person reads it: "$3,599.00", "¥15,738", "-€1.50", "CHF 101.60".
    ///
    /// Rounded half away from zero to the digits of the currency. The form does not depend on the device's region, so
    /// that a screenshot, a log line and a test agree.
    public var formatted: String {
        let currency = Currency(code: currencyCode)
        let digits = currency?.fractionDigits ?? 2
        let (whole, fraction) = parts(decimals: digits)
        let sign = isNegative && (whole > 0 || fraction > 0) ? "-" : ""
        let symbol = currency?.symbol ?? currencyCode
        let gap = symbol == currencyCode ? "\u{A0}" : ""
        let point = digits > 0 ? "." + Self.padded(fraction, to: digits) : ""
        return sign + symbol + gap + Self.grouped(whole) + point
    }

    /// Whole units and what is left of the fraction at so many decimals, rounded, without sign.
    private func parts(decimals: Int) -> (whole: UInt64, fraction: UInt64) {
        let step = Self.nanos(ofDecimals: decimals)
        let stepsPerUnit = UInt64(Self.nanosPerUnit) / step
        let (steps, rest) = UInt64(nanos.magnitude).quotientAndRemainder(dividingBy: step)
        let rounded = steps + (rest >= step - rest ? 1 : 0)
        let carries = rounded == stepsPerUnit
        return (UInt64(units.magnitude) + (carries ? 1 : 0), carries ? 0 : rounded)
    }

    private static func padded(_ number: UInt64, to digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    private static func grouped(_ number: UInt64) -> String {
        var groups: [String] = []
        var rest = number
        while rest >= 1000 {
            groups.append(padded(rest % 1000, to: 3))
            rest /= 1000
        }
        groups.append(String(rest))
        return groups.reversed().joined(separator: ",")
    }
}
