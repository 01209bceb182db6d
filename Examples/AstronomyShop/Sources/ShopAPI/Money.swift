/// An exact amount in one currency, in whole units and billionths of a unit.
///
/// Both parts carry the same sign: minus 1.50 USD is -1 unit and -500,000,000 nanos. Nothing here goes through
/// `Double`; every operation is on integers and says when its result does not fit.
///
/// ```swift
/// let flashlight = Money(currencyCode: "USD", units: 57, nanos: 80_000_000)
/// try flashlight.multiplied(by: 2).formatted    // "$114.16"
/// ```
public struct Money: Hashable, Sendable {
    /// Billionths in one unit.
    public static let nanosPerUnit: Int32 = 1_000_000_000

    /// The ISO 4217 code, in capitals: "USD".
    public let currencyCode: String

    /// Whole units of the currency.
    public let units: Int64

    /// Billionths of a unit, within ±999,999,999, never of the other sign than ``units``.
    public let nanos: Int32

    /// Carries nanos past a whole unit over to the units, and gives both one sign.
    ///
    /// A carry past the ends of `Int64` stops at the end: no price comes near it, and arithmetic, which could, throws
    /// ``MoneyError/overflow`` instead.
    public init(currencyCode: String, units: Int64, nanos: Int32 = 0) {
        let carried = Self.carry(units: units, nanos: Int64(nanos))
        self.currencyCode = currencyCode
        self.units = carried?.units ?? units
        self.nanos = carried?.nanos ?? (Self.nanosPerUnit - 1) * Int32(units.signum())
    }

    /// Nothing, in the given currency.
    public static func zero(_ currencyCode: String) -> Money {
        Money(currencyCode: currencyCode, units: 0)
    }

    /// True if the amount is below zero.
    public var isNegative: Bool { units < 0 || nanos < 0 }

    /// True if the amount is exactly zero.
    public var isZero: Bool { units == 0 && nanos == 0 }

    /// The nearest `Double`, rounded to the digits of the currency, for charts and telemetry attributes only: sums of
    /// it drift.
    public var approximateValue: Double {
        let amount = (try? rounded(toDecimals: Currency(code: currencyCode)?.fractionDigits ?? 2)) ?? self
        return Double(amount.units) + Double(amount.nanos) / Double(Self.nanosPerUnit)
    }

    /// Units and nanos of one sign, or nil if the carry does not fit.
    static func carry(units: Int64, nanos: Int64) -> (units: Int64, nanos: Int32)? {
        let perUnit = Int64(nanosPerUnit)
        let (whole, rest) = nanos.quotientAndRemainder(dividingBy: perUnit)
        let (sum, overflows) = units.addingReportingOverflow(whole)
        guard !overflows else { return nil }
        if sum > 0, rest < 0 { return (sum - 1, Int32(rest + perUnit)) }
        if sum < 0, rest > 0 { return (sum + 1, Int32(rest - perUnit)) }
        return (sum, Int32(rest))
    }
}

extension Money: Codable {
    private enum CodingKeys: String, CodingKey {
        case currencyCode, units, nanos
    }

    /// Accepts what ``init(currencyCode:units:nanos:)`` accepts, and refuses a carry past the ends of `Int64`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let units = try container.decodeWholeNumber(Int64.self, forKey: .units)
        let nanos = try container.decodeWholeNumber(Int32.self, forKey: .nanos)
        guard Self.carry(units: units, nanos: Int64(nanos)) != nil else {
            throw DecodingError.dataCorruptedError(
                forKey: .units, in: container, debugDescription: MoneyError.overflow.description,
            )
        }
        self.init(
            currencyCode: try container.decode(String.self, forKey: .currencyCode), units: units, nanos: nanos,
        )
    }
}
