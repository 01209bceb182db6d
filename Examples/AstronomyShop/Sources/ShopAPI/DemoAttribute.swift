/// Names of the demo's business attributes, the same on the phone's spans and on the backend's.
///
/// `app.*` belongs to OpenTelemetry's semantic conventions, so these are under `demo.*`.
public enum DemoAttribute {
    /// A product's id: "OLJCESPC7Z".
    public static let productId = "demo.product.id"
    /// A product's name.
    public static let productName = "demo.product.name"
    /// The number of pieces that an operation is about; negative when a cart is lowered.
    public static let productQuantity = "demo.product.quantity"
    /// The price of one piece as a number, in the currency of ``currencyCode``.
    public static let productPrice = "demo.product.price"
    /// The number of products in a response.
    public static let productCount = "demo.products.count"

    /// Pieces in the cart, all lines together, after the operation.
    public static let cartItemCount = "demo.cart.items.count"
    /// The cart's sum as a number, in the currency of ``currencyCode``.
    public static let cartAmount = "demo.cart.amount"

    /// An order's id.
    public static let orderId = "demo.order.id"
    /// The price of an order with shipping, as a number, in the currency of ``currencyCode``.
    public static let orderAmount = "demo.order.amount"
    /// Pieces in an order, all lines together.
    public static let orderItemCount = "demo.order.items.count"
    /// The outcome of a checkout: "placed" or "refused".
    public static let checkoutOutcome = "demo.checkout.outcome"
    /// The class of reasons for which an order was not placed: "payment_refused". Never the shop's words.
    public static let orderFailureReason = "demo.order.failure.reason"

    /// The price of shipping as a number, in the currency of ``currencyCode``.
    public static let shippingAmount = "demo.shipping.amount"
    /// Pieces to ship.
    public static let shippingItemCount = "demo.shipping.items.count"
    /// The shipment's tracking id.
    public static let shippingTrackingId = "demo.shipping.tracking.id"
    /// True if the shipment leaves the United States.
    public static let shippingInternational = "demo.shipping.international"

    /// The card's network, such as "VISA". Nothing else of a card is ever an attribute.
    public static let paymentCardType = "demo.payment.card_type"
    /// True if money moved; false for synthetic requests.
    public static let paymentCharged = "demo.payment.charged"
    /// The payment's own id.
    public static let paymentTransactionId = "demo.payment.transaction.id"
    /// Why a payment was refused, in one word.
    public static let paymentFailureReason = "demo.payment.failure.reason"

    /// The currency of the amounts beside it.
    public static let currencyCode = "demo.currency.code"
    /// The currency an amount was in before a conversion.
    public static let currencySource = "demo.currency.source"

    /// True if recommendations came from the cached list of products.
    public static let recommendationCacheHit = "demo.recommendation.cache.hit"
    /// Length of the list the recommendations were chosen from.
    public static let recommendationCandidateCount = "demo.recommendation.candidates.count"
    /// Context keys asked for, comma-joined.
    public static let adContextKeys = "demo.ads.context_keys"
    /// The number of advertisements in a response.
    public static let adCount = "demo.ads.count"

    /// The version of the app that asked, on the backend's records: "1.4.0". The app itself says it as
    /// `service.version` of its resource, which on the backend is the backend's.
    public static let appVersion = "demo.app.version"
    /// One attempt of one request, as the app named it: a UUID.
    public static let requestId = "demo.request.id"

    /// The fault flag that made an operation fail or wait.
    public static let faultFlag = "demo.fault.flag"
}
