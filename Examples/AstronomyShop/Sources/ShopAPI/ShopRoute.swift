/// Every endpoint of the shop with its parameters: the client prints it as a request, the server parses it from one.
///
/// ```swift
/// let request = try ShopRoute.product(id: "OLJCESPC7Z", currencyCode: "EUR").request()
/// request.method    // .get
/// request.target    // "/api/products/OLJCESPC7Z?currencyCode=EUR"
///
/// let route = try ShopRoute(method: "GET", path: request.path, query: request.query, body: nil)
/// ```
///
/// A `currencyCode` of nil or "" asks for US dollars. Product ids, context keys and picture names go through as they
/// are; whether they exist is for the server to say.
public enum ShopRoute: Hashable, Sendable {
    /// `[Product]`, by id.
    case products(currencyCode: String? = nil)

    /// ``Product``, or 404.
    case product(id: String, currencyCode: String? = nil)

    /// ``ServerCart`` with products; without items for a session that has no cart.
    case cart(sessionId: String, currencyCode: String? = nil)

    /// ``ServerCart`` without products; the quantity adds to what is there.
    case addToCart(AddItemRequest, currencyCode: String? = nil)

    /// 204 without a body. The session's id travels in the query and in the body.
    case emptyCart(sessionId: String)

    /// ``CheckoutResponse``; the items are those of the session's cart.
    case checkout(CheckoutRequest, sessionId: String? = nil, currencyCode: String? = nil)

    /// ``Money``, what shipping the items costs.
    case shipping(items: [CartItem], address: Address, currencyCode: String? = nil)

    /// `[String]`, the codes of the currencies.
    case currencies

    /// Up to four of `[Product]`, none of the ids given. No id may hold a comma.
    case recommendations(productIds: [String], sessionId: String? = nil, currencyCode: String? = nil)

    /// `[Advertisement]`; two at random where no key is known. No key may hold a comma.
    case advertisements(contextKeys: [String])

    /// The picture's bytes.
    case picture(name: String)

    /// ``FaultFlags``.
    case flags

    /// ``FaultFlags`` after the change.
    case setFlags(FaultFlagChange)

    /// ``ShopHealth``.
    case health
}

extension ShopRoute {
    /// An HTTP method the shop has a use for.
    public enum Method: String, Hashable, Sendable, CaseIterable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
    }

    /// A route without its parameters: what telemetry calls `http.route`, and what a server registers.
    public enum Endpoint: String, Hashable, Sendable, CaseIterable {
        case products, product, cart, addToCart, emptyCart, checkout, shipping, currencies, recommendations
        case advertisements, picture, flags, setFlags, health

        public var method: Method {
            switch self {
            case .addToCart, .checkout: .post
            case .setFlags: .put
            case .emptyCart: .delete
            case .products, .product, .cart, .shipping, .currencies, .recommendations, .advertisements, .picture,
                .flags, .health:
                .get
            }
        }

        /// The path, parameters in braces: "/api/products/{id}".
        public var template: String {
            switch self {
            case .products: "/api/products"
            case .product: "/api/products/{id}"
            case .cart, .addToCart, .emptyCart: "/api/cart"
            case .checkout: "/api/checkout"
            case .shipping: "/api/shipping"
            case .currencies: "/api/currency"
            case .recommendations: "/api/recommendations"
            case .advertisements: "/api/data"
            case .picture: "/images/products/{picture}"
            case .flags, .setFlags: "/flags"
            case .health: "/health"
            }
        }
    }

    public var endpoint: Endpoint {
        switch self {
        case .products: .products
        case .product: .product
        case .cart: .cart
        case .addToCart: .addToCart
        case .emptyCart: .emptyCart
        case .checkout: .checkout
        case .shipping: .shipping
        case .currencies: .currencies
        case .recommendations: .recommendations
        case .advertisements: .advertisements
        case .picture: .picture
        case .flags: .flags
        case .setFlags: .setFlags
        case .health: .health
        }
    }
}
