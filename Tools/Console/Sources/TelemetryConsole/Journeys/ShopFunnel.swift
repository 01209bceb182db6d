import TelemetryQuery

extension FunnelQuery {
    /// The funnel of the Astronomy Shop, from the product list to the order.
    ///
    /// An order ends a session and starts the next one, so an installation is followed, not a session.
    static let shop: FunnelQuery = {
        func screen(_ title: String, _ name: String) -> FunnelStep {
            FunnelStep(title, .leaf(Term(.field("app.screen.name"), .equal, [Literal(.string(name))])))
        }
        var funnel = FunnelQuery(steps: [
            screen("Product list", "ProductList"), screen("Product", "ProductDetail"), screen("Cart", "Cart"),
            screen("Checkout", "Checkout"),
            FunnelStep("Order", .leaf(Term(.field("name"), .equal, [Literal(.string("demo.order.placed"))]))),
        ])
        funnel.key = .field("app.installation.id")
        return funnel
    }()
}
