import HTTPTypes
import Hummingbird
import ShopAPI

extension ShopServices {
    /// Every product, by id.
    func products(in currency: Currency) throws -> [Product] {
        try catalogue.products.map { product in try product.priced(in: currency) }
    }

    /// One product.
    ///
    /// - Throws: ``ShopFailure`` 404 for an unknown id, 500 with the flag `productCatalogFailure`.
    func product(id: String, in currency: Currency) async throws -> Product {
        guard let product = try await lookUp(id) else {
            throw ShopFailure(status: .notFound, message: "id: no product of this shop has it")
        }
        return try product.priced(in: currency)
    }

    /// The product of an id in US dollars, or nil; fails for the Explorascope with the flag `productCatalogFailure`.
    func lookUp(_ id: String) async throws(ShopFailure) -> Product? {
        if id == Self.explorascope, await faults.flags.productCatalogFailure {
            throw .fault(
                .productCatalogFailure, status: .internalServerError,
                "the product catalogue failed (fault flag productCatalogFailure)",
            )
        }
        return catalogue[id]
    }

    /// The product that the flag `productCatalogFailure` is about.
    static let explorascope = "OLJCESPC7Z"

    func picture(named name: String, request: Request, context: ShopRequestContext) async throws -> Response {
        guard let picture = pictures.picture(named: name, accept: request.headers[.accept]) else {
            throw ShopFailure(status: .notFound, message: "picture: no product of this shop has it")
        }
        let delay = await faults.flags.imageSlowLoad
        if delay > 0 {
            try await sleep(.milliseconds(delay))
        }
        let headers: HTTPFields = [
            .contentType: picture.contentType,
            .cacheControl: "public, max-age=3600",
            .vary: "Accept",
            .contentSecurityPolicy: "default-src 'none'; style-src 'unsafe-inline'; sandbox",
            .xContentTypeOptions: "nosniff",
        ]
        return try await request.ifNoneMatch(headers: headers, eTag: picture.entityTag, context: context) {
            Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(bytes: picture.bytes)))
        }
    }
}
