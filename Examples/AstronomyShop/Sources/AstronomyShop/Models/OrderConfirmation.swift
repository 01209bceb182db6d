import ShopAPI

/// A placed order as the app shows it.
struct OrderConfirmation: Identifiable, Hashable, Sendable {
    let orderID: String
    let trackingID: String
    let lines: [OrderItem]
    let shippingCost: Money
    /// Lines, each times its quantity; nil where they are in several currencies or do not fit.
    let itemsTotal: Money?
    /// Items and shipping; nil where the items' total is.
    let total: Money?

    var id: String { orderID }

    var itemCount: Int { lines.reduce(0) { $0 + $1.item.quantity } }

    init(_ response: CheckoutResponse) {
        orderID = response.orderId
        trackingID = response.shippingTrackingId
        lines = response.items
        shippingCost = response.shippingCost
        itemsTotal = try? response.itemsTotal
        total = try? response.total
    }
}
