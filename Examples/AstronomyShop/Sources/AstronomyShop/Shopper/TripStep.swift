/// One action of a user in the shop.
///
/// A `choice` is an index into what the screen shows, modulo its count.
enum TripStep: Hashable, Sendable {
    case openShop
    case changeCurrency(code: String)
    case openProduct(choice: Int)
    case openRecommendation(choice: Int)
    case addToCart(quantity: Int)
    case openCart
    case changeQuantity(choice: Int, by: Int)
    case startCheckout
    case fillInAddress(ShippingInfo)
    /// Pays with a card of a network that the shop refuses.
    case payWithRefusedCard
    case payWithAcceptedCard

    /// The name of the widget that the user taps.
    var widget: String {
        switch self {
        case .openShop: "Go Shopping"
        case .changeCurrency: "Currency"
        case .openProduct: "Product"
        case .openRecommendation: "Recommended Product"
        case .addToCart: "Add to Cart"
        case .openCart: "Cart"
        case .changeQuantity: "Quantity"
        case .startCheckout: "Checkout"
        case .fillInAddress: "Shipping Address"
        case .payWithRefusedCard, .payWithAcceptedCard: "Place Order"
        }
    }

    /// The widget's `app.widget.id`: "place-order".
    var widgetID: String {
        widget.lowercased().replacing(" ", with: "-")
    }

    /// The screen that the step leads to; `nil` if the screen does not change.
    var screen: (name: String, id: String)? {
        switch self {
        case .changeCurrency: nil
        case .openShop: ("ProductList", "product-list")
        case .openProduct, .openRecommendation, .addToCart: ("ProductDetail", "product-detail")
        case .openCart, .changeQuantity: ("Cart", "cart")
        case .startCheckout, .fillInAddress, .payWithRefusedCard, .payWithAcceptedCard: ("Checkout", "checkout")
        }
    }
}
