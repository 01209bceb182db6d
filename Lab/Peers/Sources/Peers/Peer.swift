/// One SDK with its defaults, and the same calls on each.
protocol Peer {
    /// The name in the table.
    static var name: String { get }

    /// Starts traces, logs and metrics as an app does.
    init() throws

    /// A span of kind client with 8 attributes, started by a builder and ended.
    func span()

    /// The same around a closure, as the current span.
    func withSpan()

    /// An event with 4 attributes.
    func event()

    /// Adds 1 to a counter, with 3 attributes.
    func measurement()

    /// Adds 1 to a counter that is bound to its attributes; false where the SDK has none.
    func boundMeasurement() -> Bool
}

/// The recorded data, the same for all: a request of a shop, a product in a cart.
enum Values {
    static let spanName = "GET /api/products/{id}"
    static let url = "http://shop.example:8080/api/products/OLJCESPC7Z"
    static let host = "shop.example"
    static let product = "OLJCESPC7Z"
    static let eventName = "demo.cart.product_added"
    static let counter = "demo.orders"
}
