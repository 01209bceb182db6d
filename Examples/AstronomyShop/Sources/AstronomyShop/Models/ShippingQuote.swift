import ShopAPI

/// The state of the shipping cost.
enum ShippingQuote: Hashable, Sendable {
    /// The address is not complete, or the cart is empty.
    case notAsked
    case loading
    case cost(Money)
    /// A message for the user.
    case failed(String)

    var cost: Money? {
        if case .cost(let money) = self { money } else { nil }
    }
}
