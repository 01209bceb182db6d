import ShopAPI

/// What is known of the shipping cost.
enum ShippingQuote: Hashable, Sendable {
    /// The address is not complete, or the cart is empty.
    case notAsked
    case loading
    case cost(Money)
    /// Words for the person.
    case failed(String)

    var cost: Money? {
        if case .cost(let money) = self { money } else { nil }
    }
}
