import ShopAPI

/// A product in the cart, with its quantity.
struct CartLine: Identifiable, Hashable, Sendable {
    let product: Product
    let quantity: Int

    var id: String { product.id }

    /// The price of all pieces; `nil` if it does not fit into 64 bits.
    var total: Money? { try? product.priceUsd.multiplied(by: quantity) }
}
