/// So many of one product: what is put into a cart, and what a shipping quote is asked for.
public struct CartItem: Codable, Hashable, Sendable {
    public let productId: String

    /// Added to what is in the cart already; a negative number lowers it.
    public let quantity: Int

    public init(productId: String, quantity: Int) {
        self.productId = productId
        self.quantity = quantity
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        productId = try container.decode(String.self, forKey: .productId)
        quantity = try container.decodeWholeNumber(Int.self, forKey: .quantity)
    }

    private enum CodingKeys: String, CodingKey {
        case productId, quantity
    }
}

/// The body of `POST /api/cart`.
public struct AddItemRequest: Codable, Hashable, Sendable {
    /// The session's UUID, which is also the cart's.
    public let userId: String
    public let item: CartItem

    public init(userId: String, item: CartItem) {
        self.userId = userId
        self.item = item
    }
}

/// The body of `DELETE /api/cart`.
public struct EmptyCartRequest: Codable, Hashable, Sendable {
    public let userId: String

    public init(userId: String) {
        self.userId = userId
    }
}

/// One line of a cart the server holds.
public struct ServerCartItem: Codable, Hashable, Sendable {
    public let productId: String
    public let quantity: Int

    /// The product at its price in the currency asked for; the response to adding an item leaves it out.
    public let product: Product?

    public init(productId: String, quantity: Int, product: Product? = nil) {
        self.productId = productId
        self.quantity = quantity
        self.product = product
    }
}

/// A cart the server holds, lines in the order in which they were first added.
public struct ServerCart: Codable, Hashable, Sendable {
    /// Empty for a session that has no cart.
    public let userId: String
    public let items: [ServerCartItem]

    public init(userId: String, items: [ServerCartItem]) {
        self.userId = userId
        self.items = items
    }

    /// The cart of a session that has none.
    public static let empty = ServerCart(userId: "", items: [])

    /// The number of pieces in the cart, all lines together.
    public var itemCount: Int { items.reduce(0) { $0 + $1.quantity } }

    /// Prices times quantities, of the lines that came with their product; zero of `currencyCode` for an empty cart.
    ///
    /// - Throws: ``MoneyError`` if the lines are not in that currency, or their sum does not fit.
    public func itemsTotal(currencyCode: String) throws(MoneyError) -> Money {
        var total = Money.zero(currencyCode)
        for item in items {
            guard let product = item.product else { continue }
            total = try total.adding(product.priceUsd.multiplied(by: item.quantity))
        }
        return total
    }
}
