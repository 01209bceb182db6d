import AstrolabeTelemetryModel
import AstrolabeTestSupport
import Foundation
import ShopAPI
import Testing

@testable import AstronomyShop

@Suite(.timeLimit(.minutes(5))) struct `The currency` {
    @Test func `is chosen among those of the shop`() async throws {
        try await withPhone { phone, _ in
            let currency = phone.shop.currency
            #expect(currency.currencies == [.usDollar])
            await currency.loadCurrencies()
            #expect(currency.currencies.count == 33)
            #expect(currency.currencies.map(\.code) == currency.currencies.map(\.code).sorted())
            #expect(currency.errorMessage == nil)
        }
    }

    @Test func `changes every amount on the screens, in one trace`() async throws {
        try await withPhone { phone, _ in
            let shop = phone.shop
            await shop.productList.loadProducts()
            let detail = shop.productDetail(id: "LS4PSXUNUM")
            await detail.loadProduct()
            await shop.cart.addProduct(try #require(detail.product), quantity: 2)
            await shop.checkout.startCheckout()
            #expect(shop.checkout.quote == .cost(Money(currencyCode: "USD", units: 17, nanos: 980_000_000)))
            phone.sink.removeAll()
            await shop.currency.select(try #require(Currency(code: "JPY")))
            #expect(shop.productList.products.allSatisfy { $0.priceUsd.currencyCode == "JPY" })
            #expect(detail.product?.priceUsd.currencyCode == "JPY")
            #expect(detail.recommendations.allSatisfy { $0.priceUsd.currencyCode == "JPY" })
            #expect(shop.cart.total?.currencyCode == "JPY")
            #expect(shop.checkout.quote.cost?.currencyCode == "JPY")
            #expect(shop.checkout.total?.formatted.hasPrefix("¥") == true)
            let spans = try phone.spans
            #expect(Set(spans.map(\.context.traceID)).count == 1)
            let root = try spans.one("CurrencyViewModel.selectCurrency")
            #expect(root.text("demo.currency.source") == "USD")
            #expect(root.text("demo.currency.code") == "JPY")
            let children = spans.filter { spans.parent(of: $0)?.name == root.name }.map(\.name)
            #expect(
                Set(children) == [
                    "ProductListViewModel.loadProducts", "ProductDetailViewModel.loadProduct", "CartViewModel.loadCart",
                    "CheckoutViewModel.updateShippingCost",
                ])
        }
    }

    @Test func `fetches nothing that no screen has shown`() async throws {
        try await withPhone { phone, _ in
            await phone.shop.currency.select(try #require(Currency(code: "EUR")))
            #expect(try phone.spans.map(\.name) == ["CurrencyViewModel.selectCurrency"])
        }
    }

    @Test func `forgets the screens that are gone`() async throws {
        try await withPhone { phone, _ in
            do {
                let detail = phone.shop.productDetail(id: "LS4PSXUNUM")
                await detail.loadProduct()
            }
            phone.sink.removeAll()
            await phone.shop.currency.select(try #require(Currency(code: "EUR")))
            #expect(try phone.spans.map(\.name) == ["CurrencyViewModel.selectCurrency"])
        }
    }

    @Test func `outlives a restart`() async throws {
        try await withShop { baseURL, _ in
            let folder = temporaryFolder()
            await Phone(baseURL, folder: folder).shop.currency.select(try #require(Currency(code: "CHF")))
            #expect(Phone(baseURL, folder: folder).shop.currency.code == "CHF")
        }
    }

    @Test func `is the dollar again where the shop no longer offers the one that was chosen`() async throws {
        let server = try RawServer { _, connection in connection.answer(200, #"["USD","XXX"]"#) }
        let phone = await Phone(try server.baseURL)
        await phone.shop.currency.select(try #require(Currency(code: "EUR")))
        await phone.shop.currency.loadCurrencies()
        #expect(await phone.shop.currency.code == "USD")
        #expect(await phone.shop.currency.currencies == [.usDollar])
    }

    @Test func `is named in every request that has amounts`() async throws {
        let server = try RawServer { _, connection in connection.answer(200, "[]") }
        let phone = await Phone(try server.baseURL)
        await phone.shop.currency.select(try #require(Currency(code: "EUR")))
        await phone.shop.productList.loadProducts()
        _ = try await phone.shop.services.recommendations.fetchRecommendations(
            productIds: ["A", "B"], sessionId: "s", currencyCode: "EUR",
        )
        #expect(
            server.requests.map(\.target) == [
                "/api/products?currencyCode=EUR", "/api/recommendations?productIds=A%2CB&sessionId=s&currencyCode=EUR",
            ])
    }
}

@Suite(.timeLimit(.minutes(5))) struct `What a person has chosen` {
    @Test func `is kept, and counts as nothing where it cannot be read`() throws {
        let file = temporaryFolder().appendingPathComponent("preferences.json")
        let preferences = Preferences.file(file)
        #expect(preferences.load() == Preferences.Values())
        preferences.save(Preferences.Values(currencyCode: "EUR"))
        #expect(preferences.load().currencyCode == "EUR")
        try Data("not JSON".utf8).write(to: file)
        #expect(preferences.load() == Preferences.Values())
    }
}
