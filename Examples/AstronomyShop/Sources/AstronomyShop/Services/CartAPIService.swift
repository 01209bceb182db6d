import Astrolabe
import ShopAPI

/// The service for the session's cart, which is stored on the server.
struct CartAPIService: Sendable {
    let client: HTTPClient
    let telemetry: ShopTelemetry

    /// Returns the cart with its products, priced in the currency. A session without a cart has an empty one, whether
    /// the server responds with an empty cart or with 404.
    func fetchCart(sessionId: String, currencyCode: String) async throws -> ServerCart {
        let attributes: Attributes = [DemoAttribute.currencyCode: currencyCode]
        return try await telemetry.span("CartAPIService.fetchCart", attributes: attributes) { span in
            let cart: ServerCart
            do {
                cart = try await client.value(of: .cart(sessionId: sessionId, currencyCode: currencyCode))
            } catch let error as HTTPError where error.status == 404 {
                cart = .empty
            }
            span.setAttribute(DemoAttribute.cartItemCount, cart.itemCount)
            return cart
        }
    }

    /// Adds pieces of a product to the cart; a negative quantity removes pieces.
    ///
    /// - Returns: The changed cart, without its products.
    @discardableResult
    func addItem(productId: String, quantity: Int, sessionId: String, currencyCode: String) async throws -> ServerCart {
        let attributes: Attributes = [
            DemoAttribute.productId: productId, DemoAttribute.productQuantity: quantity,
        ]
        return try await telemetry.span("CartAPIService.addItem", attributes: attributes) { span in
            let item = AddItemRequest(userId: sessionId, item: CartItem(productId: productId, quantity: quantity))
            let cart: ServerCart = try await client.value(of: .addToCart(item, currencyCode: currencyCode))
            span.setAttribute(DemoAttribute.cartItemCount, cart.itemCount)
            return cart
        }
    }

    /// Empties the cart.
    func emptyCart(sessionId: String) async throws {
        try await telemetry.span("CartAPIService.emptyCart") { _ in
            try await client.perform(.emptyCart(sessionId: sessionId))
        }
    }
}
