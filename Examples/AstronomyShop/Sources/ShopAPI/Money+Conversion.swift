extension Money {
    /// The amount in another currency, at the shop's fixed rates.
    ///
    /// The way leads over the euro, as one fraction: `amount × target per euro ÷ source per euro`. It is rounded once,
    /// to the nano, halves away from zero. The euro in the middle is never rounded, so converting to the currency an
    /// amount is in gives that same amount.
    ///
    /// - Throws: ``MoneyError/unknownCurrency(_:)`` for a source without a rate, ``MoneyError/overflow``.
    public func converted(to target: Currency) throws(MoneyError) -> Money {
        guard let source = Currency(code: currencyCode) else { throw .unknownCurrency(currencyCode) }
        guard
            let product = magnitude.multiplied(by: target.hundredThousandthsPerEuro),
            let quotient = product.dividedRoundingHalfUp(by: source.hundredThousandthsPerEuro)
        else { throw .overflow }
        return try Money(currencyCode: target.code, isNegative: isNegative, magnitude: quotient)
    }
}
