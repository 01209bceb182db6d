/// A constant in a query. A duration is a number of nanoseconds, a size a number of bytes.
package struct Literal: Hashable, Sendable {
    package let value: QueryValue
    /// The unit in which the text form shows the number.
    package let unit: Unit?

    package init(_ value: QueryValue) {
        self.value = value
        unit = nil
    }

    /// Makes a literal such as `1.5s`. Returns `nil` if the number is too large.
    package init?(_ amount: Double, _ unit: Unit) {
        let product = amount * Double(unit.factor)
        guard product.isFinite else { return nil }
        value = Int64(exactly: product).map { .int($0) } ?? .double(product)
        // The text form must give the same value again, so a unit that does not is not kept.
        let shown = product / Double(unit.factor)
        self.unit = shown * Double(unit.factor) == product && shown.magnitude < 1e15 ? unit : nil
    }

    /// The literal with the other sign, or `nil` if it is no number.
    var negated: Literal? {
        switch value {
        case .int(let int):
            let (difference, overflows) = Int64(0).subtractingReportingOverflow(int)
            return Literal(value: overflows ? .double(-Double(int)) : .int(difference), unit: unit)
        // The magnitude of the least integer is no integer.
        case .double(0x1p63) where unit == nil: return Literal(value: .int(.min), unit: nil)
        case .double(let double): return Literal(value: .double(-double), unit: unit)
        case .missing, .bool, .string: return nil
        }
    }

    private init(value: QueryValue, unit: Unit?) {
        self.value = value
        self.unit = unit
    }

    /// The units of durations and sizes.
    package enum Unit: String, CaseIterable, Sendable {
        case ns
        case us
        case ms
        case s
        case m
        case h
        case d
        case w
        case bytes = "B"
        case kilobytes = "kB"
        case megabytes = "MB"
        case gigabytes = "GB"
        case terabytes = "TB"
        case kibibytes = "KiB"
        case mebibytes = "MiB"
        case gibibytes = "GiB"

        /// The nanoseconds or bytes in one of the unit.
        package var factor: Int64 {
            switch self {
            case .ns, .bytes: 1
            case .us, .kilobytes: 1_000
            case .ms, .megabytes: 1_000_000
            case .s, .gigabytes: 1_000_000_000
            case .terabytes: 1_000_000_000_000
            case .m: 60_000_000_000
            case .h: 3_600_000_000_000
            case .d: 86_400_000_000_000
            case .w: 604_800_000_000_000
            case .kibibytes: 1_024
            case .mebibytes: 1_048_576
            case .gibibytes: 1_073_741_824
            }
        }

        package var isDuration: Bool {
            switch self {
            case .ns, .us, .ms, .s, .m, .h, .d, .w: true
            default: false
            }
        }
    }
}
