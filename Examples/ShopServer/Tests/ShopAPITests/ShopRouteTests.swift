import AstrolabeSeededRandomness
import Foundation
import ShopAPI
import Testing

@Suite struct ShopRouteTests {
    private func parse(
        _ method: String, _ path: String, _ query: String? = nil, _ body: String? = nil,
    ) throws(ShopRouteError) -> ShopRoute {
        try ShopRoute(method: method, path: path, query: query, body: body.map { Data($0.utf8) })
    }

    @Test(
        arguments: [
            (.products(currencyCode: "EUR"), "GET /api/products?currencyCode=EUR"),
            (.products(), "GET /api/products"),
            (.product(id: "a/b ?é"), "GET /api/products/a%2Fb%20%3F%C3%A9"),
            (.cart(sessionId: "s+1", currencyCode: "EUR"), "GET /api/cart?sessionId=s%2B1&currencyCode=EUR"),
            (.emptyCart(sessionId: "s"), #"DELETE /api/cart?sessionId=s {"userId":"s"}"#),
            (
                .addToCart(
                    AddItemRequest(userId: "s", item: CartItem(productId: "p", quantity: 1)), currencyCode: "EUR",
                ),
                #"POST /api/cart?currencyCode=EUR {"item":{"productId":"p","quantity":1},"userId":"s"}"#,
            ),
            (
                .shipping(
                    items: [CartItem(productId: "p", quantity: 1)],
                    address: Address(streetAddress: "1 A&B", city: "c", state: "", country: "d", zipCode: "e"),
                ),
                "GET /api/shipping?itemList=%5B%7B%22productId%22%3A%22p%22%2C%22quantity%22%3A1%7D%5D"
                    + "&address=%7B%22city%22%3A%22c%22%2C%22country%22%3A%22d%22%2C%22state%22%3A%22%22%2C"
                    + "%22streetAddress%22%3A%221%20A%26B%22%2C%22zipCode%22%3A%22e%22%7D",
            ),
            (.currencies, "GET /api/currency"),
            (
                .recommendations(productIds: ["a", "b"], sessionId: "s", currencyCode: "EUR"),
                "GET /api/recommendations?productIds=a%2Cb&sessionId=s&currencyCode=EUR",
            ),
            (.advertisements(contextKeys: ["telescopes", "travel"]), "GET /api/data?contextKeys=telescopes%2Ctravel"),
            (.picture(name: "../x.jpg"), "GET /images/products/..%2Fx.jpg"),
            (.flags, "GET /flags"), (.health, "GET /health"),
        ] as [(ShopRoute, String)])
    func `a route prints as upstream's clients ask`(route: ShopRoute, expected: String) throws {
        let request = try route.request()
        let body = request.body.map { " " + String(decoding: $0, as: UTF8.self) } ?? ""
        #expect("\(request.method.rawValue) \(request.target)\(body)" == expected)
    }

    @Test func `every route that is printed is parsed back`() throws {
        var generator = SeededGenerator(seed: 3)
        var seen = Set<ShopRoute.Endpoint>()
        let base = try #require(URL(string: "http://127.0.0.1:8080/"))
        for _ in 0..<3_000 {
            let route = ShopRoute.random(using: &generator)
            seen.insert(route.endpoint)
            let request = try route.request()
            let parsed = try ShopRoute(
                method: request.method.rawValue, path: request.path, query: request.query, body: request.body,
            )
            #expect(parsed == route)
            #expect(request.url(relativeTo: base)?.absoluteString == "http://127.0.0.1:8080" + request.target)
        }
        #expect(seen == Set(ShopRoute.Endpoint.allCases))
    }

    @Test func `a base URL keeps its path`() throws {
        let base = try #require(URL(string: "https://example.com/shop"))
        #expect(
            try ShopRoute.currencies.request().url(relativeTo: base)?.absoluteString
                == "https://example.com/shop/api/currency")
    }

    @Test func `a route's own template leads back to it`() {
        for endpoint in ShopRoute.Endpoint.allCases {
            #expect(ShopRoute.template(path: endpoint.template) == endpoint.template)
            #expect(ShopRoute.allowedMethods(path: endpoint.template).contains(endpoint.method))
        }
        #expect(ShopRoute.template(path: "/api/nothing") == nil)
    }

    @Test func `context keys come as one list or repeated, and a plus is a space`() throws {
        let expected = ShopRoute.advertisements(contextKeys: ["telescopes", "travel"])
        #expect(try parse("GET", "/api/data", "contextKeys=telescopes,travel") == expected)
        #expect(try parse("GET", "/api/data", "contextKeys=telescopes&contextKeys=travel") == expected)
        #expect(try parse("GET", "/api/data", "contextKeys=telescopes%2C%2Ctravel&other=1&") == expected)
        #expect(try parse("GET", "/api/data") == .advertisements(contextKeys: []))
        #expect(try parse("GET", "/api/data", "contextKeys=a+b") == .advertisements(contextKeys: ["a b"]))
    }

    @Test func `HEAD is read as GET, and empty segments are skipped`() throws {
        #expect(try parse("HEAD", "/api/currency") == .currencies)
        #expect(try parse("GET", "//api/currency/") == .currencies)
    }

    @Test func `a cart is emptied by body, by query, or by both when they agree`() throws {
        let expected = ShopRoute.emptyCart(sessionId: "s")
        #expect(try parse("DELETE", "/api/cart", nil, #"{"userId":"s"}"#) == expected)
        #expect(try parse("DELETE", "/api/cart", "sessionId=s") == expected)
        #expect(try parse("DELETE", "/api/cart", "sessionId=s", "{}") == expected)
        #expect(try parse("DELETE", "/api/cart", "sessionId=s", #"{"userId":"s"}"#) == expected)
        #expect(throws: ShopRouteError.self) {
            try parse("DELETE", "/api/cart", "sessionId=other", #"{"userId":"s"}"#)
        }
        #expect(throws: ShopRouteError.badRequest(field: "sessionId", reason: "is missing")) {
            try parse("DELETE", "/api/cart")
        }
    }

    @Test func `unknown paths and wrong methods are told apart`() {
        #expect(throws: ShopRouteError.notFound) { try parse("GET", "/") }
        #expect(throws: ShopRouteError.notFound) { try parse("GET", "/api/products/a/b") }
        #expect(throws: ShopRouteError.notFound) { try parse("GET", "/api/products/%FF") }
        #expect(throws: ShopRouteError.methodNotAllowed(allowed: [.get, .post, .delete])) {
            try parse("PUT", "/api/cart")
        }
        #expect(throws: ShopRouteError.methodNotAllowed(allowed: [.get])) { try parse("POST", "/api/products") }
        #expect(ShopRouteError.notFound.status == 404)
        #expect(ShopRouteError.methodNotAllowed(allowed: []).status == 405)
        #expect(ShopRouteError.badRequest(field: "f", reason: "r").status == 400)
    }

    @Test(
        arguments: [
            ("GET", "/api/cart", nil, nil, "sessionId: is missing"),
            ("GET", "/api/cart", "sessionId=", nil, "sessionId: is missing"),
            (
                "GET", "/api/cart", "sessionId=%zz", nil,
                "sessionId: holds a % that is not followed by two hex digits of UTF-8",
            ),
            (
                "GET", "/api/cart", "sessionId=%FF", nil,
                "sessionId: holds a % that is not followed by two hex digits of UTF-8",
            ),
            ("POST", "/api/cart", nil, nil, "body: is missing; send JSON"),
            ("POST", "/api/cart", nil, "{", "body: is not valid JSON"),
            ("POST", "/api/checkout", nil, "{}", "userId: is missing"),
            ("GET", "/api/shipping", "itemList=[]", nil, "address: is missing"),
            ("GET", "/api/shipping", "itemList={}&address={}", nil, "itemList: expected a list"),
            (
                "GET", "/api/shipping", "itemList=[{\"productId\":\"p\"}]&address={}", nil,
                "itemList[0].quantity: is missing",
            ),
            ("GET", "/api/shipping", "itemList=[]&address={}", nil, "address.streetAddress: is missing"),
            ("GET", "/api/shipping", "itemList=[]&address=x", nil, "address: is not valid JSON"),
            ("PUT", "/flags", nil, "[]", "body: expected an object"),
            ("PUT", "/flags", nil, #"{"cartFailure":101}"#, "cartFailure: takes a whole number from 0 to 100"),
            ("PUT", "/flags", nil, #"{"adFailure":"x"}"#, "adFailure: is either on or off: send true or false"),
        ] as [(String, String, String?, String?, String)])
    func `bad input names the field`(
        method: String, path: String, query: String?, body: String?, expected: String,
    ) {
        let error = #expect(throws: ShopRouteError.self) { try parse(method, path, query, body) }
        #expect(error?.status == 400)
        #expect(error?.description == expected)
    }
}

extension ShopRoute {
    fileprivate static func random(using generator: inout SeededGenerator) -> ShopRoute {
        func text(_ alphabet: String = "aZ09-._~ +%&=?/#\\\"'<>{}[]|;:@éß漢😀\u{0}\n") -> String {
            String(
                (0..<Int.random(in: 1...12, using: &generator)).compactMap { _ in
                    alphabet.randomElement(using: &generator)
                })
        }
        func list() -> [String] { (0..<Int.random(in: 0...4, using: &generator)).map { _ in text() } }
        func currency() -> String? { Currency.all.map(\.code).shuffled(using: &generator).first { $0 > "H" } }
        func items() -> [CartItem] {
            list().map { CartItem(productId: $0, quantity: .random(in: -9...999, using: &generator)) }
        }
        func address() -> Address {
            Address(streetAddress: text(), city: text(), state: text(), country: text(), zipCode: text())
        }
        func change() -> FaultFlagChange {
            var change = FaultFlagChange()
            for name in FaultFlags.Name.allCases where Bool.random(using: &generator) {
                let value: FaultFlags.Value =
                    name.range.map { .number(.random(in: $0, using: &generator)) }
                    ?? .toggle(.random(using: &generator))
                try? change.set(name, to: value)
            }
            return change
        }
        switch Endpoint.allCases.randomElement(using: &generator) ?? .health {
        case .products: return .products(currencyCode: currency())
        case .product: return .product(id: text(), currencyCode: currency())
        case .cart: return .cart(sessionId: text(), currencyCode: currency())
        case .addToCart:
            let item = CartItem(productId: text(), quantity: .random(in: .min ... .max, using: &generator))
            return .addToCart(AddItemRequest(userId: text(), item: item), currencyCode: currency())
        case .emptyCart: return .emptyCart(sessionId: text())
        case .checkout:
            let card = CreditCard(
                creditCardNumber: text(), creditCardCvv: .random(in: 0...9999, using: &generator),
                creditCardExpirationYear: .random(in: 2000...2100, using: &generator),
                creditCardExpirationMonth: .random(in: 1...12, using: &generator),
            )
            let request = CheckoutRequest(
                userId: text(), userCurrency: text(), address: address(), email: text(), creditCard: card,
            )
            return .checkout(request, sessionId: text(), currencyCode: currency())
        case .shipping: return .shipping(items: items(), address: address(), currencyCode: currency())
        case .currencies: return .currencies
        case .recommendations:
            return .recommendations(productIds: list(), sessionId: text(), currencyCode: currency())
        case .advertisements: return .advertisements(contextKeys: list())
        case .picture: return .picture(name: text())
        case .flags: return .flags
        case .setFlags: return .setFlags(change())
        case .health: return .health
        }
    }
}
