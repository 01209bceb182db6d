import Foundation

extension ShopRoute {
    /// The request that asks for this route.
    ///
    /// - Throws: `EncodingError` if the body cannot be written as JSON, which none of the wire's types causes.
    public func request() throws -> ShopRequest {
        ShopRequest(
            method: endpoint.method,
            path: path,
            query: try queryItems()
                .map { "\($0.name)=\(PercentEncoding.encode($0.value))" }
                .joined(separator: "&")
                .nilIfEmpty,
            body: try body(),
        )
    }

    private var path: String {
        switch self {
        case .product(let id, _): "/api/products/" + PercentEncoding.encode(id)
        case .picture(let name): "/images/products/" + PercentEncoding.encode(name)
        default: endpoint.template
        }
    }

    private func queryItems() throws -> [(name: String, value: String)] {
        func item(_ name: String, _ value: String?) -> [(name: String, value: String)] {
            value.map { [(name, $0)] } ?? []
        }
        switch self {
        case .products(let currencyCode), .product(_, let currencyCode), .addToCart(_, let currencyCode):
            return item("currencyCode", currencyCode)
        case .cart(let sessionId, let currencyCode):
            return item("sessionId", sessionId) + item("currencyCode", currencyCode)
        case .emptyCart(let sessionId):
            return item("sessionId", sessionId)
        case .checkout(_, let sessionId, let currencyCode):
            return item("currencyCode", currencyCode) + item("sessionId", sessionId)
        case .shipping(let items, let address, let currencyCode):
            return item("itemList", try Self.json(items)) + item("address", try Self.json(address))
                + item("currencyCode", currencyCode)
        case .recommendations(let productIds, let sessionId, let currencyCode):
            return item("productIds", productIds.joined(separator: ",")) + item("sessionId", sessionId)
                + item("currencyCode", currencyCode)
        case .advertisements(let contextKeys):
            return item("contextKeys", contextKeys.joined(separator: ","))
        case .currencies, .picture, .flags, .setFlags, .health:
            return []
        }
    }

    private func body() throws -> Data? {
        switch self {
        case .addToCart(let request, _): try ShopJSON.encode(request)
        case .emptyCart(let sessionId): try ShopJSON.encode(EmptyCartRequest(userId: sessionId))
        case .checkout(let request, _, _): try ShopJSON.encode(request)
        case .setFlags(let change): try ShopJSON.encode(change)
        case .products, .product, .cart, .shipping, .currencies, .recommendations, .advertisements, .picture, .flags,
            .health:
            nil
        }
    }

    private static func json(_ value: some Encodable) throws -> String {
        String(decoding: try ShopJSON.encode(value), as: UTF8.self)
    }
}

extension String {
    fileprivate var nilIfEmpty: String? { isEmpty ? nil : self }
}
