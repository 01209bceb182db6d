import Astrolabe
import Foundation
import ShopAPI

/// The service for products.
struct ProductAPIService: Sendable {
    let client: HTTPClient
    let telemetry: ShopTelemetry

    /// Returns all products, ordered by id and priced in the currency.
    func fetchProducts(currencyCode: String) async throws -> [Product] {
        let attributes: Attributes = [DemoAttribute.currencyCode: currencyCode]
        return try await telemetry.span("ProductAPIService.fetchProducts", attributes: attributes) { span in
            let products: [Product] = try await client.value(of: .products(currencyCode: currencyCode))
            span.setAttribute(DemoAttribute.productCount, products.count)
            return products
        }
    }

    /// Returns one product.
    ///
    /// - Throws: ``NoSuchProduct`` for 404, and for 500, which is the OpenTelemetry demo's response to an unknown id.
    func fetchProduct(id: String, currencyCode: String) async throws -> Product {
        let attributes: Attributes = [
            DemoAttribute.productId: id, DemoAttribute.currencyCode: currencyCode,
        ]
        return try await telemetry.span("ProductAPIService.fetchProduct", attributes: attributes) { span in
            do {
                let product: Product = try await client.value(of: .product(id: id, currencyCode: currencyCode))
                span.setAttribute(DemoAttribute.productName, product.name)
                return product
            } catch let error as HTTPError where error.status == 404 || error.status == 500 {
                throw NoSuchProduct(id: id, response: error)
            }
        }
    }

    /// Returns the URL of the product's image.
    func pictureURL(of product: Product) -> URL? {
        try? ShopRoute.picture(name: product.picture).request().url(relativeTo: client.baseURL)
    }
}

/// The shop has no product with this id, or cannot find it.
struct NoSuchProduct: LocalizedError, TelemetryTyped, UserFacing, Hashable {
    let id: String
    /// The shop's error message.
    let response: HTTPError

    var errorDescription: String? { "no product with the id \(id): \(response)" }
    var errorType: String { "no_such_product" }
    var userMessage: String { "This product is not available." }
}
