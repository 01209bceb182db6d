/// The response of `/health`: that the shop is up, and what it holds.
public struct ShopHealth: Codable, Hashable, Sendable {
    /// "ok"; a shop that is not answers with an error instead.
    public let status: String
    public let products: Int

    /// Carts that have not expired.
    public let carts: Int

    /// Orders kept, of all sessions.
    public let orders: Int

    public init(status: String = "ok", products: Int, carts: Int, orders: Int) {
        self.status = status
        self.products = products
        self.carts = carts
        self.orders = orders
    }
}
