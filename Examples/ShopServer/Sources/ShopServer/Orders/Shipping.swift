import ShopAPI

/// The price of shipping, and the fault that makes it slow.
enum Shipping {
    /// 8.99 US dollars for every piece. A whole number of cents, so any count of pieces is exact to the cent.
    static let pricePerPiece = Money(
        currencyCode: Currency.usDollar.code, units: 8, nanos: 990_000_000,
    )

    /// The cost in US dollars.
    static func quote(pieces: Int) throws(MoneyError) -> Money {
        try pricePerPiece.multiplied(by: pieces)
    }

    /// Returns true if the address is outside the United States, by the country as people write it.
    static func isInternational(_ address: Address) -> Bool {
        let country = address.country.lowercased().filter { $0.isLetter || $0 == " " }
        return !["us", "usa", "united states", "united states of america"].contains(country)
    }
}
