public import Foundation

extension ShopRoute {
    /// Reads a request, all of it: a route is never built from half of one.
    ///
    /// - Parameters:
    ///   - method: as in the request line; "HEAD" is read as "GET".
    ///   - path: percent-encoded; empty segments (`//`, a `/` at the end) are skipped.
    ///   - query: percent-encoded, without the question mark. Names that no route knows are ignored; of a name that
    ///     occurs twice the first counts, but every `contextKeys` does.
    ///   - body: the whole body; nil or empty for none.
    /// - Throws: ``ShopRouteError``.
    public init(method: String, path: String, query: String?, body: Data?) throws(ShopRouteError) {
        let matches = Self.endpoints(matching: path)
        guard !matches.isEmpty else { throw .notFound }
        let asked = method == "HEAD" ? "GET" : method
        guard let match = matches.first(where: { $0.endpoint.method.rawValue == asked }) else {
            throw .methodNotAllowed(allowed: matches.map(\.endpoint.method))
        }
        let parameters = try QueryParameters(query)
        try self.init(match.endpoint, captured: match.captured, parameters: parameters, body: body ?? Data())
    }

    /// The methods the path can be asked with; empty if no endpoint has it.
    public static func allowedMethods(path: String) -> [Method] {
        endpoints(matching: path).map(\.endpoint.method)
    }

    /// The template the path is an instance of, or nil if no endpoint has it.
    public static func template(path: String) -> String? {
        endpoints(matching: path).first?.endpoint.template
    }

    private init(
        _ endpoint: Endpoint, captured: String, parameters: QueryParameters, body: Data,
    ) throws(ShopRouteError) {
        let currencyCode = parameters["currencyCode"]
        switch endpoint {
        case .products:
            self = .products(currencyCode: currencyCode)
        case .product:
            self = .product(id: captured, currencyCode: currencyCode)
        case .cart:
            self = .cart(sessionId: try parameters.required("sessionId"), currencyCode: currencyCode)
        case .addToCart:
            self = .addToCart(try Self.decode(from: body), currencyCode: currencyCode)
        case .emptyCart:
            self = .emptyCart(sessionId: try Self.cartToEmpty(parameters, body))
        case .checkout:
            self = .checkout(
                try Self.decode(from: body), sessionId: parameters["sessionId"], currencyCode: currencyCode,
            )
        case .shipping:
            self = .shipping(
                items: try parameters.json("itemList"), address: try parameters.json("address"),
                currencyCode: currencyCode,
            )
        case .currencies:
            self = .currencies
        case .recommendations:
            self = .recommendations(
                productIds: parameters.list("productIds"), sessionId: parameters["sessionId"],
                currencyCode: currencyCode,
            )
        case .advertisements:
            self = .advertisements(contextKeys: parameters.list("contextKeys"))
        case .picture:
            self = .picture(name: captured)
        case .flags:
            self = .flags
        case .setFlags:
            self = .setFlags(try Self.decode(from: body))
        case .health:
            self = .health
        }
    }

    /// Upstream's clients name the cart in the body, the seed's in the query: either will do, but not two carts.
    private static func cartToEmpty(_ parameters: QueryParameters, _ body: Data) throws(ShopRouteError) -> String {
        struct Body: Decodable {
            let userId: String?
        }
        let inBody = body.isEmpty ? nil : try ShopJSON.decode(Body.self, from: body).userId
        guard let inBody, !inBody.isEmpty else { return try parameters.required("sessionId") }
        if let inQuery = parameters["sessionId"], inQuery != inBody {
            throw .badRequest(field: "userId", reason: "is not the sessionId of the query; send the same one twice")
        }
        return inBody
    }

    private static func decode<Value: Decodable>(from body: Data) throws(ShopRouteError) -> Value {
        guard !body.isEmpty else { throw .badRequest(field: "body", reason: "is missing; send JSON") }
        return try ShopJSON.decode(Value.self, from: body)
    }

    private struct Match {
        let endpoint: Endpoint
        /// The text in the place of the template's braces, decoded; empty if it has none.
        let captured: String
    }

    private static func endpoints(matching path: String) -> [Match] {
        let segments = path.split(separator: "/")
        return Endpoint.allCases.compactMap { endpoint in
            let template = endpoint.template.split(separator: "/")
            guard template.count == segments.count else { return nil }
            var captured = ""
            for (expected, found) in zip(template, segments) {
                if expected.hasPrefix("{") {
                    guard let text = PercentEncoding.decode(found, plusIsSpace: false) else { return nil }
                    captured = text
                } else if expected != found {
                    return nil
                }
            }
            return Match(endpoint: endpoint, captured: captured)
        }
    }
}
