import Astrolabe
import AstrolabeHTTP
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import Combine
import Foundation
import ShopAPI
import ShopServer
import Testing

@testable import AstronomyShop

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5))) struct `The catalogue's screen` {
    @Test func `shows every product and says so in its spans`() async throws {
        try await withPhone { phone, _ in
            let list = phone.shop.productList
            await list.loadProducts(isRefresh: true)
            #expect(list.products.count == 10)
            #expect(!list.isLoading)
            #expect(list.errorMessage == nil)
            let spans = try phone.spans
            let request = try spans.one("GET /api/products")
            #expect(
                spans.path(to: request)
                    == "ProductListViewModel.loadProducts > ProductAPIService.fetchProducts > GET /api/products")
            for name in ["ProductListViewModel.loadProducts", "ProductAPIService.fetchProducts"] {
                let span = try spans.one(name)
                #expect(span.kind == .internal)
                #expect(span.status == .ok)
                #expect(span.int("demo.products.count") == 10)
                #expect(span.text("demo.currency.code") == "USD")
            }
            #expect(try spans.one("ProductListViewModel.loadProducts").attributes["demo.refresh"] == true)
        }
    }

    @Test func `tells the view that something changed`() async throws {
        try await withPhone { phone, _ in
            var changes = 0
            let subscription = phone.shop.productList.objectWillChange.sink { _ in changes += 1 }
            await phone.shop.productList.loadProducts()
            #expect(changes >= 3)
            subscription.cancel()
        }
    }

    @Test func `keeps what it shows when the shop fails, and says it in words`() async throws {
        let count = Counting()
        let product =
            #"[{"id":"A","name":"B","description":"","picture":"","priceUsd":{"currencyCode":"USD","units":1,"nanos":0},"categories":[]}]"#
        let server = try RawServer { _, connection in
            if count.next() == 1 {
                connection.answer(200, product)
            } else {
                connection.answer(504, #"{"error": "upstream timeout"}"#)
            }
        }
        let phone = await Phone(try server.baseURL)
        let list = await phone.shop.productList
        await list.loadProducts()
        await list.loadProducts(isRefresh: true)
        #expect(await list.products.map(\.id) == ["A"])
        #expect(await list.errorMessage == "The shop is having trouble right now. Please try again in a moment.")
        #expect(await !list.isLoading)
        let expected = #"HTTP 504 Gateway Timeout - Response: {"error": "upstream timeout"}"#
        for name in ["ProductListViewModel.loadProducts", "ProductAPIService.fetchProducts"] {
            let span = try #require(try await phone.spans.last { $0.name == name })
            #expect(span.status == .error(expected))
            #expect(span.exceptionMessage == expected)
            #expect(span.text("error.type") == "504")
        }
    }

    @Test func `is not disturbed by a slow older answer`() async throws {
        let count = Counting()
        let (arrived, arrive) = AsyncStream<Void>.makeStream()
        let gate = DispatchSemaphore(value: 0)
        let server = try RawServer { _, connection in
            if count.next() == 1 {
                arrive.yield()
                gate.wait()
                connection.answer(500, "late")
            } else {
                connection.answer(200, "[]")
            }
        }
        let phone = await Phone(try server.baseURL)
        let list = await phone.shop.productList
        let old = Task { await list.loadProducts() }
        for await _ in arrived { break }
        await list.loadProducts()
        gate.signal()
        await old.value
        #expect(await list.errorMessage == nil)
        #expect(await !list.isLoading)
    }

    @Test func `says nothing about a load that was cancelled`() async throws {
        let (arrived, arrive) = AsyncStream<Void>.makeStream()
        let server = try RawServer { _, connection in
            arrive.yield()
            connection.waitUntilClosed()
        }
        let phone = await Phone(try server.baseURL)
        let list = await phone.shop.productList
        let load = Task { await list.loadProducts() }
        for await _ in arrived { break }
        load.cancel()
        await load.value
        #expect(await list.errorMessage == nil)
        for span in try await phone.spans {
            #expect(span.status == .unset, "\(span.name)")
            #expect(span.attributes["error.type"] == nil, "\(span.name)")
        }
        #expect(try await phone.spans.count == 3)
    }

    @Test func `knows where pictures are`() async throws {
        try await withPhone { phone, _ in
            await phone.shop.productList.loadProducts()
            for product in phone.shop.productList.products {
                let url = try #require(phone.shop.productList.pictureURL(of: product))
                let response = try await plainAnswer(to: URLRequest(url: url))
                #expect(response.status == 200)
                #expect(response.contentType == "image/jpeg")
            }
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct `A product's screen` {
    @Test func `shows the product, four others and advertisements, all in one trace`() async throws {
        try await withPhone { phone, _ in
            let detail = phone.shop.productDetail(id: "LS4PSXUNUM")
            await detail.loadProduct()
            #expect(detail.product?.name == "Red Flashlight")
            #expect(detail.product?.priceUsd == Money(currencyCode: "USD", units: 57, nanos: 80_000_000))
            #expect(detail.recommendations.count == 4)
            #expect(!detail.recommendations.contains { $0.id == "LS4PSXUNUM" })
            #expect(!detail.advertisements.isEmpty)
            let spans = try phone.spans
            let paths = spans.filter { $0.kind == .client }.map { spans.path(to: $0) }
            #expect(
                Set(paths) == [
                    "ProductDetailViewModel.loadProduct > ProductAPIService.fetchProduct > GET /api/products/{id}",
                    "ProductDetailViewModel.loadProduct > RecommendationService.fetchRecommendations > GET /api/recommendations",
                    "ProductDetailViewModel.loadProduct > AdService.fetchAds > GET /api/data",
                ])
            #expect(Set(spans.map(\.context.traceID)).count == 1)
            let root = try spans.one("ProductDetailViewModel.loadProduct")
            #expect(root.text("demo.product.id") == "LS4PSXUNUM")
            #expect(root.text("demo.product.name") == "Red Flashlight")
            #expect(root.attributes["demo.product.price"] == 57.08)
        }
    }

    @Test func `counts as one view of the product, with its price in the currency that was shown`() async throws {
        try await withPhone { phone, _ in
            await phone.shop.currency.select(try #require(Currency(code: "CHF")))
            let detail = phone.shop.productDetail(id: "LS4PSXUNUM")
            await detail.loadProduct()
            let price = try #require(detail.product?.priceUsd.approximateValue)
            await phone.shop.currency.select(.usDollar)
            await detail.loadProduct()
            let views = try phone.events.filter { $0.eventName == "demo.product.viewed" }
            let view = try #require(views.first)
            #expect(views.count == 1)
            #expect(view.attributes["demo.product.id"] == "LS4PSXUNUM")
            #expect(view.attributes["demo.product.name"] == "Red Flashlight")
            #expect(view.attributes["demo.currency.code"] == "CHF")
            #expect(view.attributes["demo.product.price"] == .double(price))
            let load = try phone.spans.first { $0.name == "ProductDetailViewModel.loadProduct" }
            #expect(view.spanID == load?.context.spanID)
        }
    }

    @Test(arguments: [404, 500]) func `reads 404 and upstream's 500 as a product that is not there`(status: Int)
        async throws
    {
        let server = try RawServer { _, connection in connection.answer(status, #"{"error":"unknown"}"#) }
        let phone = await Phone(try server.baseURL)
        let detail = await phone.shop.productDetail(id: "NOPE")
        await detail.loadProduct()
        #expect(await detail.product == nil)
        #expect(await detail.errorMessage == "This product is not available.")
        let span = try await phone.spans.one("ProductAPIService.fetchProduct")
        #expect(span.text("error.type") == "no_such_product")
        #expect(span.exceptionMessage?.contains("HTTP \(status)") == true)
    }

    @Test func `is shown without advertisements when they fail`() async throws {
        try await withPhone { phone, backend in
            var change = FaultFlagChange()
            try change.set(.adFailure, to: .toggle(true))
            await backend.faults.apply(change)
            let detail = phone.shop.productDetail(id: "LS4PSXUNUM")
            await detail.loadProduct()
            #expect(detail.product != nil)
            #expect(detail.advertisements.isEmpty)
            #expect(detail.recommendations.count == 4)
            #expect(detail.errorMessage == nil)
            let spans = try phone.spans
            #expect(try spans.one("AdService.fetchAds").text("error.type") == "503")
            #expect(try spans.one("ProductDetailViewModel.loadProduct").status == .ok)
        }
    }

    @Test func `shows what is known from the list until the shop answers`() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:\(try refusedPort())"))
        let phone = await Phone(url)
        let known = Product(
            id: "A", name: "B", description: "", picture: "", priceUsd: .zero("USD"), categories: [],
        )
        let detail = await phone.shop.productDetail(id: "A", product: known)
        await detail.loadProduct()
        #expect(await detail.product == known)
        #expect(await detail.errorMessage == "The shop cannot be reached right now. Please try again in a moment.")
    }
}
