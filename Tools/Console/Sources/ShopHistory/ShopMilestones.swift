/// The names of the Astronomy Shop by which the console judges its sessions.
package enum ShopMilestones {
    /// The events that make a session converted.
    package static let conversions = ["demo.order.placed"]
    /// The events and screens after which a session without an order is abandoned.
    package static let checkouts = ["demo.checkout.started", "Cart", "Checkout"]
    /// The attributes of an order that have its amount.
    package static let amounts = ["demo.order.amount"]
}
