import Astrolabe
import Foundation
import ShopAPI

/// The catalogue.
struct ProductAPIService: Sendable {
    let client: HTTPClient
    let telemetry: ShopTelemetry

    /// Every product, by id, at prices in the currency.
    func fetchProducts(currencyCode: String) async throws -> [Product] {
        let attributes: Attributes = [DemoAttribute.currencyCode: .string(currencyCode)]
        return try await telemetry.span("ProductAPIService.fetchProducts", attributes: attributes) { span in
            let products: [Product] = try await client.value(of: .products(currencyCode: currencyCode))
            span.setAttribute(key: DemoAttribute.productCount, value: products.count)
            return products
        }
    }

    /// One product.
    ///
    /// - Throws: ``NoSuchProduct`` for 404, and for 500, which is the OpenTelemetry demo's answer to an unknown id.
    func fetchProduct(id: String, currencyCode: String) async throws -> Product {
        let attributes: Attributes = [
            DemoAttribute.productId: .string(id), DemoAttribute.currencyCode: .string(currencyCode),
        ]
        return try await telemetry.span("ProductAPIService.fetchProduct", attributes: attributes) { span in
            do {
                let product: Product = try await client.value(of: .product(id: id, currencyCode: currencyCode))
                span.setAttribute(key: DemoAttribute.productName, value: product.name)
                return product
            } catch let error as HTTPError where error.status == 404 || error.status == 500 {
                throw NoSuchProduct(id: id, answer: error)
            }
        }
    }

    /// Where the product's picture is.
    func pictureURL(of product: Product) -> URL? {
        try? ShopRoute.picture(name: product.picture).request().url(relativeTo: client.baseURL)
    }
}

/// The shop does not sell, or cannot find, the product of an id.
struct NoSuchProduct: LocalizedError, TelemetryTyped, UserFacing, Hashable {
    let id: String
    /// What the shop said.
    let answer: HTTPError

    var errorDescription: String? { "no product has the id \(id): \(answer)" }
    var errorType: String { "no_such_product" }
    var userMessage: String { "This product is not available." }
}
