/// The body of `POST /api/checkout`. The items are not in it: the server takes those of the session's cart.
///
/// Its description leaves out the address, the e-mail address and the card.
public struct CheckoutRequest: Codable, Hashable, Sendable {
    public let userId: String

    /// The currency every amount of the order is in.
    public let userCurrency: String
    public let address: Address
    public let email: String
    public let creditCard: CreditCard

    public init(userId: String, userCurrency: String, address: Address, email: String, creditCard: CreditCard) {
        self.userId = userId
        self.userCurrency = userCurrency
        self.address = address
        self.email = email
        self.creditCard = creditCard
    }
}

extension CheckoutRequest: Redacted {
    public var description: String { "CheckoutRequest(userId: \(userId), userCurrency: \(userCurrency))" }
}

/// The order of one product.
public struct OrderItemDetail: Codable, Hashable, Sendable {
    public let productId: String
    public let quantity: Int
    public let product: Product

    public init(productId: String, quantity: Int, product: Product) {
        self.productId = productId
        self.quantity = quantity
        self.product = product
    }
}

/// One line of an order.
public struct OrderItem: Codable, Hashable, Sendable {
    /// The price of **one** piece; ``total`` multiplies.
    public let cost: Money
    public let item: OrderItemDetail

    public init(cost: Money, item: OrderItemDetail) {
        self.cost = cost
        self.item = item
    }

    /// The price of one piece times the quantity.
    public var total: Money {
        get throws(MoneyError) { try cost.multiplied(by: item.quantity) }
    }
}

/// A placed order, the response to a checkout. Its description leaves out the address.
public struct CheckoutResponse: Codable, Hashable, Sendable {
    public let orderId: String
    public let shippingTrackingId: String
    public let shippingCost: Money
    public let shippingAddress: Address
    public let items: [OrderItem]

    public init(
        orderId: String, shippingTrackingId: String, shippingCost: Money, shippingAddress: Address, items: [OrderItem],
    ) {
        self.orderId = orderId
        self.shippingTrackingId = shippingTrackingId
        self.shippingCost = shippingCost
        self.shippingAddress = shippingAddress
        self.items = items
    }

    /// Every line's total, without shipping, in the currency of the shipping cost.
    public var itemsTotal: Money {
        get throws(MoneyError) {
            var total = Money.zero(shippingCost.currencyCode)
            for item in items {
                total = try total.adding(item.total)
            }
            return total
        }
    }

    /// The amount that the card is charged: the items and their shipping.
    public var total: Money {
        get throws(MoneyError) { try itemsTotal.adding(shippingCost) }
    }

    /// The number of pieces ordered, all lines together.
    public var itemCount: Int { items.reduce(0) { $0 + $1.item.quantity } }
}
