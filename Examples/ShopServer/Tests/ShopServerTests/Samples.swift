import ShopAPI

enum Sample {
    static let flashlight = "LS4PSXUNUM"
    static let explorascope = "OLJCESPC7Z"
    static let cometBook = "HQTGWGPNH4"

    /// A VISA number that passes its check, from the OpenTelemetry demo's checkout form.
    static let cardNumber = "4432-8015-6152-0454"

    static let address = Address(
        streetAddress: "1600 Amphitheatre Parkway", city: "Mountain View", state: "CA", country: "United States",
        zipCode: "94043",
    )

    static let abroad = Address(
        streetAddress: "Karlsplatz 13", city: "Wien", state: "", country: "Austria", zipCode: "1040",
    )

    static func card(
        _ number: String = cardNumber, cvv: Int = 672, year: Int = 2030, month: Int = 1,
    ) -> CreditCard {
        CreditCard(
            creditCardNumber: number, creditCardCvv: cvv, creditCardExpirationYear: year,
            creditCardExpirationMonth: month,
        )
    }

    static func checkout(
        _ userId: String = "session-1", currency: String = "USD", address: Address = address,
        email: String = "someone@example.com", card: CreditCard = card(),
    ) -> CheckoutRequest {
        CheckoutRequest(userId: userId, userCurrency: currency, address: address, email: email, creditCard: card)
    }
}
