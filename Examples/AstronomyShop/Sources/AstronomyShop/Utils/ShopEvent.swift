/// Names of the events that the shop's boards count.
///
/// Each has the amounts of its moment as numbers, with ``DemoAttribute/currencyCode`` beside them.
enum ShopEvent {
    /// A product was shown on its own screen, once for each visit. Has the product's id, name and price.
    static let productViewed = "demo.product.viewed"
    /// The server took pieces into the cart, from a product's screen or by a higher quantity in the cart. Has the
    /// product, the quantity that was added, and the cart's pieces and amount after it.
    static let cartProductAdded = "demo.cart.product_added"
    /// The checkout was opened with products in the cart. Has the cart's pieces and amount.
    static let checkoutStarted = "demo.checkout.started"
    /// The shop confirmed an order. Has the order's id, amount and shipping cost.
    static let orderPlaced = "demo.order.placed"
    /// An order was sent and not confirmed. Has the class of the reason, and nothing of the card. A warning, because
    /// the span of the request is the error and one failure counts once.
    static let orderFailed = "demo.order.failed"
}
