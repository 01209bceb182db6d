import TelemetryQuery

extension FunnelQuery {
    /// The funnel of the Astronomy Shop, from the product list to the order.
    static let shop: FunnelQuery = {
        func screen(_ title: String, _ name: String) -> FunnelStep {
            FunnelStep(title, .leaf(Term(.field("app.screen.name"), .equal, [Literal(.string(name))])))
        }
        return FunnelQuery(steps: [
            screen("Product list", "ProductList"), screen("Product", "ProductDetail"), screen("Cart", "Cart"),
            screen("Checkout", "Checkout"),
            FunnelStep("Order", .leaf(Term(.field("name"), .equal, [Literal(.string("demo.order.placed"))]))),
        ])
    }()
}
