import ShopAPI

/// One product in the cart, with how many of it.
struct CartLine: Identifiable, Hashable, Sendable {
    let product: Product
    let quantity: Int

    var id: String { product.id }

    /// nil where it does not fit in 64 bits, which no price comes near.
    var total: Money? { try? product.priceUsd.multiplied(by: quantity) }
}
