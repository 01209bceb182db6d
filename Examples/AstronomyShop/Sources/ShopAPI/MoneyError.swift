/// Why an operation on ``Money`` has no result.
public enum MoneyError: Error, Hashable, Sendable {
    /// The result is past what 64 bits of units hold.
    case overflow

    /// The two amounts are in different currencies; convert one first.
    case currencyMismatch(expected: String, found: String)

    /// The currency has no rate; ``Currency/all`` lists those that do.
    case unknownCurrency(String)
}

extension MoneyError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .overflow:
            "the amount does not fit in 64 bits of units"
        case .currencyMismatch(let expected, let found):
            "expected an amount in \(expected), found one in \(found); convert it first"
        case .unknownCurrency(let code):
            "no exchange rate is known for \(code); use one of the \(Currency.all.count) codes of Currency.all"
        }
    }
}
