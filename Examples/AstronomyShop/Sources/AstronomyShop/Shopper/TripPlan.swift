/// The steps of one trip through the shop.
struct TripPlan: Hashable, Sendable {
    let steps: [TripStep]

    /// A trip that browses, changes the currency, follows a recommendation, fills the cart, and pays: first with a
    /// refused card, then with an accepted one.
    ///
    /// The seed determines the products, their quantities, the currency, the address and the changes to the cart.
    init(seed: UInt64) {
        var random = TripRandomness(seed: seed)
        var steps: [TripStep] = [.openShop]
        let currency = TripStep.changeCurrency(code: Self.currencies.randomElement(using: &random) ?? "EUR")
        let choosesCurrencyFirst = Bool.random(using: &random)
        if choosesCurrencyFirst { steps.append(currency) }
        let products = Int.random(in: 1...3, using: &random)
        for product in 0..<products {
            steps.append(.openProduct(choice: .random(in: 0..<100, using: &random)))
            steps.append(.addToCart(quantity: .random(in: 1...3, using: &random)))
            if product == 0 {
                steps.append(.openRecommendation(choice: .random(in: 0..<100, using: &random)))
                if Bool.random(using: &random) { steps.append(.addToCart(quantity: 1)) }
            }
        }
        steps.append(.openCart)
        if !choosesCurrencyFirst { steps.append(currency) }
        if Bool.random(using: &random) {
            steps.append(.changeQuantity(choice: .random(in: 0..<100, using: &random), by: 1))
        }
        let address = Self.addresses.randomElement(using: &random) ?? .testData
        self.steps = steps + [.startCheckout, .fillInAddress(address), .payWithRefusedCard, .payWithAcceptedCard]
    }

    private static let currencies = ["EUR", "GBP", "JPY", "CHF", "CAD", "AUD", "SEK", "INR"]

    /// Addresses of observatories.
    private static let addresses = [
        ShippingInfo.testData,
        ShippingInfo(
            email: "caroline@example.com", streetAddress: "Blackheath Avenue", city: "London",
            country: "United Kingdom", zipCode: "SE10 8XJ",
        ),
        ShippingInfo(
            email: "johannes@example.com", streetAddress: "Königstuhl 12", city: "Heidelberg", country: "Germany",
            zipCode: "69117",
        ),
        ShippingInfo(
            email: "maria@example.com", streetAddress: "1400 West Mars Hill Road", city: "Flagstaff", state: "AZ",
            country: "United States", zipCode: "86001",
        ),
    ]
}
