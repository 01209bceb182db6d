extension Money {
    /// The sum, in the currency both share.
    ///
    /// - Throws: ``MoneyError/currencyMismatch(expected:found:)`` or ``MoneyError/overflow``.
    public func adding(_ other: Money) throws(MoneyError) -> Money {
        try requireCurrency(of: other)
        let (units, overflows) = units.addingReportingOverflow(other.units)
        guard !overflows, let sum = Self.carry(units: units, nanos: Int64(nanos) + Int64(other.nanos)) else {
            throw .overflow
        }
        return Money(currencyCode: currencyCode, units: sum.units, nanos: sum.nanos)
    }

    /// The amount times a quantity, which may be negative.
    ///
    /// - Throws: ``MoneyError/overflow``.
    public func multiplied(by quantity: Int) throws(MoneyError) -> Money {
        guard let product = magnitude.multiplied(by: UInt64(quantity.magnitude)) else { throw .overflow }
        return try Money(currencyCode: currencyCode, isNegative: isNegative != (quantity < 0), magnitude: product)
    }

    /// The sum of amounts in one currency; zero if there are none.
    ///
    /// - Throws: ``MoneyError/currencyMismatch(expected:found:)`` or ``MoneyError/overflow``.
    public static func sum(
        _ amounts: some Sequence<Money>, currencyCode: String,
    ) throws(MoneyError) -> Money {
        var total = Money.zero(currencyCode)
        for amount in amounts {
            total = try total.adding(amount)
        }
        return total
    }

    /// Returns true if the amount is smaller than another in the same currency.
    ///
    /// - Throws: ``MoneyError/currencyMismatch(expected:found:)``; amounts in two currencies have no order.
    public func isLess(than other: Money) throws(MoneyError) -> Bool {
        try requireCurrency(of: other)
        return (units, nanos) < (other.units, other.nanos)
    }

    /// The amount with at most the given number of decimals (0 to 9), halves rounded away from zero.
    ///
    /// - Throws: ``MoneyError/overflow`` if rounding up leaves `Int64`.
    public func rounded(toDecimals decimals: Int) throws(MoneyError) -> Money {
        let step = Self.nanos(ofDecimals: decimals)
        guard let rounded = magnitude.dividedRoundingHalfUp(by: step)?.multiplied(by: step) else { throw .overflow }
        return try Money(currencyCode: currencyCode, isNegative: isNegative, magnitude: rounded)
    }

    /// The amount without its sign, in nanos: at most 2^63 units, which is under 2^94.
    var magnitude: WideMagnitude {
        let product = UInt64(units.magnitude).multipliedFullWidth(by: UInt64(Self.nanosPerUnit))
        let (low, carries) = product.low.addingReportingOverflow(UInt64(nanos.magnitude))
        return WideMagnitude(high: product.high + (carries ? 1 : 0), low: low)
    }

    init(currencyCode: String, isNegative: Bool, magnitude: WideMagnitude) throws(MoneyError) {
        let (quotient, remainder) = magnitude.divided(by: UInt64(Self.nanosPerUnit))
        let limit = isNegative ? Int64.min.magnitude : Int64.max.magnitude
        guard quotient.high == 0, quotient.low <= limit else { throw .overflow }
        let units = isNegative ? Int64(truncatingIfNeeded: 0 &- quotient.low) : Int64(quotient.low)
        let nanos = Int32(remainder)
        self.init(currencyCode: currencyCode, units: units, nanos: isNegative ? -nanos : nanos)
    }

    /// The number of nanos that the last of so many decimals stands for.
    static func nanos(ofDecimals decimals: Int) -> UInt64 {
        (min(max(decimals, 0), 9)..<9).reduce(1) { step, _ in step * 10 }
    }

    private func requireCurrency(of other: Money) throws(MoneyError) {
        guard currencyCode == other.currencyCode else {
            throw .currencyMismatch(expected: currencyCode, found: other.currencyCode)
        }
    }
}
