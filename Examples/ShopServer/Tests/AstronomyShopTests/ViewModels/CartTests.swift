import Astrolabe
import AstrolabeHTTP
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import Foundation
import ShopAPI
import ShopServer
import Testing

@testable import AstronomyShop

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5))) struct `The cart` {
    @MainActor
    private func product(_ id: String, _ phone: Phone) async throws -> Product {
        try await phone.shop.services.products.fetchProduct(id: id, currencyCode: phone.shop.currency.code)
    }

    @Test func `of a new session is empty`() async throws {
        try await withPhone { phone, _ in
            await phone.shop.cart.loadCart()
            #expect(phone.shop.cart.isEmpty)
            #expect(phone.shop.cart.total == .zero("USD"))
            #expect(phone.shop.cart.errorMessage == nil)
        }
    }

    @Test func `is what the server holds after each change`() async throws {
        try await withPhone { phone, _ in
            let cart = phone.shop.cart
            let flashlight = try await product("LS4PSXUNUM", phone)
            await cart.addProduct(flashlight, quantity: 2)
            await cart.addProduct(flashlight)
            #expect(cart.lines.map(\.quantity) == [3])
            #expect(cart.total == Money(currencyCode: "USD", units: 171, nanos: 240_000_000))
            let cleaner = try await product("L9ECAV7KIM", phone)
            await cart.addProduct(cleaner)
            #expect(cart.itemCount == 4)
            #expect(cart.quantity(of: "L9ECAV7KIM") == 1)
            await cart.setQuantity(1, of: try #require(cart.lines.first))
            #expect(cart.lines.map(\.quantity) == [1, 1])
            #expect(cart.total?.formatted == "$79.03")
            await cart.removeProduct(id: "LS4PSXUNUM")
            #expect(cart.lines.map(\.id) == ["L9ECAV7KIM"])
            await cart.setQuantity(0, of: try #require(cart.lines.first))
            #expect(cart.isEmpty)
            let held = try await phone.shop.services.cart.fetchCart(
                sessionId: phone.shop.session.sessionID, currencyCode: "USD",
            )
            #expect(held.items.isEmpty)
        }
    }

    @Test func `says in one trace what was added and what is in it then`() async throws {
        try await withPhone { phone, _ in
            let flashlight = try await product("LS4PSXUNUM", phone)
            phone.sink.removeAll()
            await phone.shop.cart.addProduct(flashlight, quantity: 2)
            let spans = try phone.spans
            #expect(
                spans.filter { $0.kind == .client }.map { spans.path(to: $0) } == [
                    "CartViewModel.addProduct > CartAPIService.addItem > POST /api/cart",
                    "CartViewModel.addProduct > CartAPIService.fetchCart > GET /api/cart",
                ])
            let span = try spans.one("CartViewModel.addProduct")
            #expect(span.status == .ok)
            #expect(span.text("demo.product.id") == "LS4PSXUNUM")
            #expect(span.text("demo.product.name") == "Red Flashlight")
            #expect(span.int("demo.product.quantity") == 2)
            #expect(span.attributes["demo.product.price"] == 57.08)
            #expect(span.int("demo.cart.items.count") == 2)
            #expect(span.attributes["demo.cart.amount"] == 114.16)
            let event = try #require(try phone.events.last)
            #expect(event.eventName == "demo.cart.product_added")
            #expect(event.spanID == span.context.spanID)
            #expect(event.attributes["demo.product.quantity"] == 2)
            #expect(event.attributes["demo.cart.items.count"] == 2)
            #expect(event.attributes["demo.cart.amount"] == 114.16)
            #expect(event.attributes["demo.currency.code"] == "USD")
            phone.sdk.collectMetrics()
            let metric = try #require(try phone.sink.metrics.first { $0.name == "demo.cart.items.added" })
            guard case .sum(let points, _, true) = metric.data else { throw NotOne(name: "sum", count: 0, names: []) }
            #expect(points.map(\.value) == [.int(2)])
        }
    }

    @Test func `says which pieces a higher quantity adds, and nothing of a lower one`() async throws {
        try await withPhone { phone, _ in
            let cart = phone.shop.cart
            await cart.addProduct(try await product("LS4PSXUNUM", phone), quantity: 2)
            await cart.setQuantity(5, of: try #require(cart.lines.first))
            await cart.setQuantity(1, of: try #require(cart.lines.first))
            let added = try phone.events.filter { $0.eventName == "demo.cart.product_added" }
            #expect(added.map { $0.attributes["demo.product.quantity"] } == [2, 3])
            #expect(added.map { $0.attributes["demo.cart.items.count"] } == [2, 5])
            #expect(added.map { $0.attributes["demo.cart.amount"] } == [114.16, 285.4])
            #expect(added.allSatisfy { $0.attributes["demo.product.id"] == "LS4PSXUNUM" })
            #expect(added.allSatisfy { $0.attributes["demo.product.price"] == 57.08 })
        }
    }

    @Test func `is cleared by a request that answers 204`() async throws {
        try await withPhone { phone, _ in
            await phone.shop.cart.addProduct(try await product("LS4PSXUNUM", phone))
            await phone.shop.cart.clearCart()
            #expect(phone.shop.cart.isEmpty)
            #expect(phone.shop.cart.errorMessage == nil)
            let span = try phone.spans.one("DELETE /api/cart")
            #expect(span.int("http.response.status_code") == 204)
            #expect(try phone.spans.one("CartViewModel.clearCart").status == .ok)
        }
    }

    @Test func `is empty where the server answers 404`() async throws {
        let server = try RawServer { _, connection in connection.answer(404, #"{"error":"no cart"}"#) }
        let phone = await Phone(try server.baseURL)
        await phone.shop.cart.loadCart()
        #expect(await phone.shop.cart.isEmpty)
        #expect(await phone.shop.cart.errorMessage == nil)
        #expect(try await phone.spans.one("CartAPIService.fetchCart").status == .ok)
        #expect(try await phone.spans.one("GET /api/cart").text("error.type") == "404")
    }

    @Test func `finds the products that the server leaves out, and tells which are no longer sold`() async throws {
        try await withShop { baseURL, _ in
            let shop = try await plainAnswer(
                to: URLRequest(url: baseURL.appendingPathComponent("api/products/LS4PSXUNUM")))
            let flashlight = String(decoding: shop.body, as: UTF8.self)
            let server = try RawServer { request, connection in
                switch request.target.split(separator: "?").first {
                case "/api/cart":
                    connection.answer(
                        200,
                        #"{"userId":"a","items":[{"productId":"LS4PSXUNUM","quantity":2},{"productId":"GONE","quantity":1}]}"#,
                    )
                case "/api/products/LS4PSXUNUM": connection.answer(200, flashlight)
                default: connection.answer(500, #"{"error":"13 INTERNAL"}"#)
                }
            }
            let phone = Phone(try server.baseURL)
            await phone.shop.cart.loadCart()
            #expect(phone.shop.cart.lines.map(\.product.name) == ["Red Flashlight"])
            #expect(phone.shop.cart.unavailable.map(\.productId) == ["GONE"])
            #expect(phone.shop.cart.total?.formatted == "$114.16")
            let spans = try phone.spans
            let lookUps = spans.filter { $0.name == "ProductAPIService.fetchProduct" }
            #expect(lookUps.count == 2)
            #expect(lookUps.allSatisfy { spans.parent(of: $0)?.name == "CartViewModel.loadCart" })
            await phone.shop.cart.removeProduct(id: "GONE")
            let post = try #require(server.requests.first { $0.head.hasPrefix("POST") })
            #expect(post.body.contains(#""quantity":-1"#))
        }
    }

    @Test func `asks for itself by the session, in query and baggage`() async throws {
        let server = try RawServer { _, connection in connection.answer(200, #"{"userId":"","items":[]}"#) }
        let phone = await Phone(try server.baseURL)
        await phone.shop.cart.loadCart()
        let session = try #require(phone.sdk.session.current?.id)
        let request = try #require(server.requests.first)
        #expect(request.target == "/api/cart?sessionId=\(session)&currencyCode=USD")
        #expect(request.header("baggage") == "session.id=\(session)")
    }

    @Test func `keeps its lines and explains when a change fails`() async throws {
        try await withPhone { phone, backend in
            await phone.shop.cart.addProduct(try await product("LS4PSXUNUM", phone))
            var change = FaultFlagChange()
            try change.set(.cartFailure, to: .number(100))
            await backend.faults.apply(change)
            await phone.shop.cart.addProduct(try await product("L9ECAV7KIM", phone))
            #expect(phone.shop.cart.lines.map(\.id) == ["LS4PSXUNUM"])
            #expect(
                phone.shop.cart.errorMessage == "The shop is having trouble right now. Please try again in a moment.")
            #expect(!phone.shop.cart.isLoading)
            let span = try #require(try phone.spans.last { $0.name == "CartViewModel.addProduct" })
            #expect(span.status.isError)
            #expect(span.exceptionMessage?.hasPrefix("HTTP 500 Internal Server Error - Response: ") == true)
            #expect(try phone.events.filter { $0.eventName == "demo.cart.product_added" }.count == 1)
        }
    }

    @Test func `is the same after a restart of the app`() async throws {
        try await withShop { baseURL, _ in
            let folder = temporaryFolder()
            let before = Phone(baseURL, folder: folder)
            await before.shop.cart.addProduct(try await product("LS4PSXUNUM", before))
            let after = Phone(baseURL, folder: folder)
            await after.shop.cart.loadCart()
            #expect(after.shop.cart.lines.map(\.id) == ["LS4PSXUNUM"])
        }
    }

    @Test func `ignores additions of nothing and changes to the same quantity`() async throws {
        try await withPhone { phone, _ in
            let flashlight = try await product("LS4PSXUNUM", phone)
            await phone.shop.cart.addProduct(flashlight)
            phone.sink.removeAll()
            await phone.shop.cart.addProduct(flashlight, quantity: 0)
            await phone.shop.cart.setQuantity(1, of: try #require(phone.shop.cart.lines.first))
            await phone.shop.cart.removeProduct(id: "NOT THERE")
            #expect(try phone.spans.isEmpty)
        }
    }
}
