import AstrolabeRecording
import AstrolabeSemantics
import AstrolabeTelemetryModel
import ShopAPI

// From the list of products to the cart.
extension Visit {
    mutating func browse() {
        tap("Go Shopping", id: "go-shopping") { visit, tap in
            visit.show("ProductList", id: "product-list")
            visit.call(
                "CurrencyViewModel.loadCurrencies", "CurrencyAPIService.fetchCurrencies",
                ShopCall(method: "GET", template: "/api/currency", time: 3), under: tap)
            visit.loadProducts(under: tap, isRefresh: false)
        }
        think(2...8)
    }

    /// Goes back to the list, which is as it was.
    mutating func showList() {
        show("ProductList", id: "product-list")
        think(2...9)
    }

    /// Looks at a screen beside the way to an order, and goes back.
    mutating func glance(at name: String, id: String, from screen: (name: String, id: String)) {
        tap(name, id: id) { visit, _ in visit.show(name, id: id, heaviness: 0.6) }
        think(2...14)
        show(screen.name, id: screen.id)
        think(1...3)
    }

    mutating func refresh() {
        tap("Try Again", id: "products-retry") { $0.loadProducts(under: $1, isRefresh: true) }
    }

    private mutating func loadProducts(under parent: Tracer.Span, isRefresh: Bool) {
        call(
            "ProductListViewModel.loadProducts", "ProductAPIService.fetchProducts",
            ShopCall(method: "GET", template: "/api/products", query: query, time: 18), under: parent,
            [DemoAttribute.currencyCode: phone.currency, "demo.refresh": isRefresh])
    }

    private var query: String { "?currencyCode=\(phone.currency)" }

    mutating func view(_ item: ShelfItem) {
        tap("Product", id: "product-\(item.id)") { visit, tap in
            visit.show("ProductDetail", id: "product-detail", heaviness: 1.6)
            let attributes: Attributes = [
                DemoAttribute.productId: item.id, DemoAttribute.productName: item.name,
                DemoAttribute.productPrice: item.price(in: visit.phone.currency),
                DemoAttribute.currencyCode: visit.phone.currency,
            ]
            visit.call(
                "ProductDetailViewModel.loadProduct", "ProductAPIService.fetchProduct",
                ShopCall(
                    method: "GET", template: "/api/products/{id}", path: "/api/products/\(item.id)",
                    query: visit.query, time: 9),
                under: tap, attributes,
            ) { visit, span, failure in
                guard failure == nil else { return }
                visit.event("demo.product.viewed", attributes, in: span)
                visit.call(
                    nil, "RecommendationService.fetchRecommendations",
                    ShopCall(
                        method: "GET", template: "/api/recommendations",
                        work: [("recommend products", 0.7, [:])], time: 16),
                    under: span)
                visit.call(
                    nil, "AdService.fetchAds",
                    ShopCall(
                        method: "GET", template: "/api/data", work: [("choose ads", 0.5, [:])], time: 6),
                    under: span, ["demo.ads.context_keys": item.categories])
            }
        }
        think(4...25)
    }

    mutating func add(_ item: ShelfItem, quantity: Int) {
        let attributes: Attributes = [
            DemoAttribute.productId: item.id, DemoAttribute.productName: item.name,
            DemoAttribute.productQuantity: AttributeValue(quantity),
            DemoAttribute.productPrice: item.price(in: phone.currency),
            DemoAttribute.currencyCode: phone.currency,
        ]
        tap("Add to Cart", id: "add-to-cart") { visit, tap in
            let work: [(String, Double, Attributes)] = [
                (
                    "change cart", 0.7,
                    [
                        DemoAttribute.productId: item.id,
                        DemoAttribute.productQuantity: AttributeValue(quantity),
                    ],
                )
            ]
            visit.call(
                "CartViewModel.addProduct", "CartAPIService.addItem",
                ShopCall(method: "POST", template: "/api/cart", query: visit.query, work: work, time: 14),
                under: tap, attributes,
            ) { visit, span, failure in
                guard failure == nil else { return }
                visit.cart.append((item, quantity))
                visit.event("demo.cart.product_added", attributes.merging(visit.cartAttributes), in: span)
                visit.recorder.phone.meter().counter("demo.cart.items.added", unit: "{item}")
                    .add(quantity, attributes: [DemoAttribute.productId: item.id])
            }
        }
    }

    mutating func openCart() {
        tap("Cart", id: "cart") { visit, tap in
            visit.show("Cart", id: "cart")
            visit.loadCart(under: tap)
        }
        think(3...12)
    }

    mutating func loadCart(under parent: Tracer.Span) {
        call(
            "CartViewModel.loadCart", "CartAPIService.fetchCart",
            ShopCall(
                method: "GET", template: "/api/cart", query: query, work: [("read cart", 0.6, [:])], time: 8),
            under: parent, cartAttributes)
    }

    var pieces: Int { cart.reduce(0) { $0 + $1.quantity } }

    /// The sum of the cart in the phone's currency, without shipping.
    var cartAmount: Double {
        let cents = cart.reduce(0.0) { $0 + $1.item.price(in: phone.currency) * Double($1.quantity) } * 100
        return cents.rounded() / 100
    }

    var cartAttributes: Attributes {
        [
            DemoAttribute.cartItemCount: AttributeValue(pieces), DemoAttribute.cartAmount: cartAmount,
            DemoAttribute.currencyCode: phone.currency,
        ]
    }
}
