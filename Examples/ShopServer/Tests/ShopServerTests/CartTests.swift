import Foundation
import HTTPTypes
import HummingbirdTesting
import ShopAPI
import ShopServer
import Testing

@Suite struct CartTests {
    @Test(arguments: Transport.allCases)
    func `a new session has an empty cart without a user`(transport: Transport) async throws {
        try await withShop(transport) { shop in
            let answer = try await shop.send(.cart(sessionId: "never-seen", currencyCode: "EUR"))
            #expect(answer.status == 200)
            #expect(answer.text == #"{"items":[],"userId":""}"#)
        }
    }

    @Test(arguments: Transport.allCases)
    func `quantities add up, are lowered, and a line at zero leaves`(transport: Transport) async throws {
        try await withShop(transport) { shop in
            let first = try await shop.add(Sample.flashlight, 2)
            #expect(first.status == 200)
            #expect(
                first.text == #"{"items":[{"productId":"LS4PSXUNUM","quantity":2}],"userId":"session-1"}"#)
            try await shop.add(Sample.cometBook, 1)
            try await shop.add(Sample.flashlight, 3)
            #expect(try await shop.cart().items.map(\.quantity) == [5, 1])
            try await shop.add(Sample.flashlight, -4)
            try await shop.add(Sample.cometBook, 0)
            #expect(try await shop.cart().items.map(\.quantity) == [1, 1])
            try await shop.add(Sample.flashlight, -1)
            #expect(try await shop.cart().items.map(\.productId) == [Sample.cometBook])
            let last = try await shop.add(Sample.cometBook, -7)
            #expect(last.text == #"{"items":[],"userId":"session-1"}"#)
            #expect(try await shop.cart() == .empty)
            #expect(try await shop.add(Sample.cometBook, -1).status == 200)
            #expect(try await shop.cart() == .empty)
        }
    }

    @Test(arguments: Transport.allCases)
    func `a cart is read with its products at converted prices`(transport: Transport) async throws {
        try await withShop(transport) { shop in
            try await shop.add(Sample.flashlight, 2)
            let answer = try await shop.send(.cart(sessionId: "session-1", currencyCode: "EUR"))
            #expect(try answer.keys() == ["items", "userId"])
            #expect(try answer.keys(at: "items", "0") == ["product", "productId", "quantity"])
            let cart = try answer.decoded(ServerCart.self)
            #expect(cart.userId == "session-1")
            #expect(cart.items.first?.product?.name == "Red Flashlight")
            #expect(
                try cart.itemsTotal(currencyCode: "EUR")
                    == Money(currencyCode: "EUR", units: 100, nanos: 981_866_430))
            #expect(try await shop.cart("session-2") == .empty)
        }
    }

    @Test(arguments: Transport.allCases)
    func `a cart is emptied with 204 and no body, however often`(transport: Transport) async throws {
        try await withShop(transport) { shop in
            for target in ["/api/cart?sessionId=session-1", "/api/cart"] {
                try await shop.add(Sample.flashlight, 2)
                let body = target.contains("?") ? nil : #"{"userId":"session-1"}"#
                let answer = try await shop.send("DELETE", target, body: body)
                #expect(answer.status == 204)
                #expect(answer.body.isEmpty)
                #expect(try await shop.cart() == .empty)
            }
            #expect(try await shop.send(.emptyCart(sessionId: "session-1")).status == 204)
        }
    }

    @Test(arguments: Transport.allCases)
    func `a cart ends an hour after its last change, and reading does not prolong it`(
        transport: Transport
    ) async throws {
        try await withShop(transport) { shop in
            try await shop.add(Sample.flashlight, 1)
            shop.clock.advance(minutes: 59)
            #expect(try await shop.cart().itemCount == 1)
            try await shop.add(Sample.cometBook, 1)
            shop.clock.advance(minutes: 59.9)
            #expect(try await shop.cart().itemCount == 2)
            shop.clock.advance(minutes: 0.1)
            #expect(try await shop.cart() == .empty)
            #expect(try await shop.send(.health).decoded(ShopHealth.self).carts == 0)
            try await shop.add(Sample.cometBook, 1)
            #expect(try await shop.cart().itemCount == 1)
        }
    }

    private static let refused: [(String, String, String?, String)] = [
        ("POST", "/api/cart", nil, "body: "),
        ("POST", "/api/cart", "not json", "body: "),
        ("POST", "/api/cart", #"{"userId":"session-1"}"#, "item: "),
        ("POST", "/api/cart", #"{"userId":"","item":{"productId":"LS4PSXUNUM","quantity":1}}"#, "userId: "),
        ("POST", "/api/cart", #"{"userId":"a b","item":{"productId":"LS4PSXUNUM","quantity":1}}"#, "userId: "),
        (
            "POST", "/api/cart", #"{"userId":"session-1","item":{"productId":"NOSUCHTHNG","quantity":1}}"#,
            "item.productId: ",
        ),
        (
            "POST", "/api/cart", #"{"userId":"session-1","item":{"productId":"LS4PSXUNUM","quantity":1.5}}"#,
            "item.quantity: ",
        ),
        (
            "POST", "/api/cart", #"{"userId":"session-1","item":{"productId":"LS4PSXUNUM","quantity":"1"}}"#,
            "item.quantity: ",
        ),
        (
            "POST", "/api/cart", #"{"userId":"session-1","item":{"productId":"LS4PSXUNUM","quantity":1000}}"#,
            "item.quantity: ",
        ),
        (
            "POST", "/api/cart",
            #"{"userId":"session-1","item":{"productId":"LS4PSXUNUM","quantity":9223372036854775807}}"#,
            "item.quantity: ",
        ),
        (
            "POST", "/api/cart?currencyCode=XYZ",
            #"{"userId":"session-1","item":{"productId":"LS4PSXUNUM","quantity":1}}"#, "currencyCode: ",
        ),
        ("GET", "/api/cart", nil, "sessionId: "),
        ("GET", "/api/cart?sessionId=session-1&currencyCode=XYZ", nil, "currencyCode: "),
        ("GET", "/api/cart?sessionId=%0A", nil, "sessionId: "),
        ("DELETE", "/api/cart", nil, "sessionId: "),
        ("DELETE", "/api/cart", "{", "body: "),
        ("DELETE", "/api/cart?sessionId=session-1", #"{"userId":"session-2"}"#, "userId: "),
    ]

    @Test(arguments: Transport.allCases)
    func `bad input is 400, names its field and changes nothing`(transport: Transport) async throws {
        try await withShop(transport) { shop in
            try await shop.add(Sample.flashlight, 2)
            let before = try await shop.cart()
            for (method, target, body, field) in Self.refused {
                let answer = try await shop.send(method, target, body: body)
                #expect(answer.status == 400, "\(method) \(target) \(body ?? "")")
                #expect(try answer.error().hasPrefix(field), "\(method) \(target) \(body ?? "")")
            }
            #expect(try await shop.cart() == before)
        }
    }

    @Test(arguments: Transport.allCases)
    func `limits on pieces, lines and carts are kept`(transport: Transport) async throws {
        try await withShop(transport) { configuration in
            configuration.limits.quantityOfOneProduct = 5
            configuration.limits.productsInCart = 2
            configuration.limits.carts = 2
        } _: { shop in
            #expect(try await shop.add(Sample.flashlight, 5).status == 200)
            let tooMany = try await shop.add(Sample.flashlight, 1)
            #expect(tooMany.status == 400)
            #expect(try tooMany.error() == "item.quantity: a cart holds at most 5 pieces of one product")
            #expect(try await shop.add(Sample.cometBook, 1).status == 200)
            let thirdLine = try await shop.add(Sample.explorascope, 1)
            #expect(thirdLine.status == 400)
            #expect(try thirdLine.error().hasPrefix("item.productId: "))
            #expect(try await shop.cart().items.map(\.quantity) == [5, 1])
            #expect(try await shop.add(Sample.cometBook, 1, to: "session-2").status == 200)
            #expect(try await shop.add(Sample.cometBook, 1, to: "session-3").status == 503)
            shop.clock.advance(minutes: 61)
            #expect(try await shop.add(Sample.cometBook, 1, to: "session-3").status == 200)
        }
    }

    /// 300 requests over up to eight connections at once, to a database file.
    @Test func `of additions at the same time none is lost`() async throws {
        try await withTemporaryFolder { folder in
            try await withShop(.ahc()) { configuration in
                configuration.databasePath = folder.appendingPathComponent("shop.sqlite").path
            } _: { shop in
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for index in 0..<300 {
                        group.addTask {
                            try await shop.add(index.isMultiple(of: 3) ? Sample.cometBook : Sample.flashlight).status
                        }
                    }
                    for try await status in group { #expect(status == 200) }
                }
                let cart = try await shop.cart()
                #expect(
                    Dictionary(uniqueKeysWithValues: cart.items.map { ($0.productId, $0.quantity) })
                        == [Sample.cometBook: 100, Sample.flashlight: 200])
            }
        }
    }
}
