import ShopAPI

/// A placed order.
struct OrderConfirmation: Identifiable, Hashable, Sendable {
    let orderID: String
    let trackingID: String
    let lines: [OrderItem]
    let shippingCost: Money
    /// The sum of all lines; `nil` if they have several currencies or the sum does not fit.
    let itemsTotal: Money?
    /// Items and shipping; `nil` if the items' total is.
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
