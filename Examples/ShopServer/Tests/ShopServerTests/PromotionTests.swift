import Foundation
import ShopAPI
import Testing

@Suite struct PromotionTests {
    @Test(arguments: Transport.allCases)
    func `up to four products are recommended, none of those given`(transport: Transport) async throws {
        try await withShop(transport) { shop in
            let all = try await shop.send(.products()).decoded([Product].self).map(\.id)
            for count in 0...10 {
                let given = Array(all.prefix(count))
                let answer = try await shop.send(
                    .recommendations(productIds: given, sessionId: "session-1", currencyCode: "EUR"))
                let products = try answer.decoded([Product].self)
                #expect(products.count == min(4, 10 - count))
                #expect(Set(products.map(\.id)).count == products.count)
                #expect(Set(products.map(\.id)).isDisjoint(with: given))
                #expect(products.allSatisfy { $0.priceUsd.currencyCode == "EUR" })
            }
            #expect(try await shop.send("GET", "/api/recommendations").decoded([Product].self).count == 4)
        }
    }

    @Test(arguments: Transport.allCases)
    func `recommendations vary`(transport: Transport) async throws {
        try await withShop(transport) { shop in
            var seen = Set<[String]>()
            for _ in 0..<10 {
                seen.insert(try await shop.send(.recommendations(productIds: [])).decoded([Product].self).map(\.id))
            }
            #expect(seen.count > 1)
        }
    }

    @Test(arguments: Transport.allCases)
    func `advertisements suit the context, and are two at random where it is unknown`(
        transport: Transport
    ) async throws {
        try await withShop(transport) { shop in
            let ids = Set(try await shop.send(.products()).decoded([Product].self).map(\.id))
            let answer = try await shop.send(.advertisements(contextKeys: ["binoculars", "travel"]))
            #expect(try answer.keys(at: "0") == ["redirectUrl", "text"])
            #expect(
                try answer.decoded([Advertisement].self).map(\.redirectUrl)
                    == ["/product/2ZYFJ3GM2N", "/product/1YMWWN1N4O"])
            let repeated = try await shop.send("GET", "/api/data?contextKeys=binoculars&contextKeys=travel")
            #expect(repeated.text == answer.text)
            for keys in [["nothing of the sort"], []] {
                let ads = try await shop.send(.advertisements(contextKeys: keys)).decoded([Advertisement].self)
                #expect(Set(ads).count == 2)
            }
            for category in ["accessories", "assembly", "books", "flashlights", "telescopes"] {
                let ads = try await shop.send(.advertisements(contextKeys: [category])).decoded([Advertisement].self)
                #expect(!ads.isEmpty)
                #expect(ads.allSatisfy { ids.contains(String($0.redirectUrl.dropFirst("/product/".count))) })
            }
        }
    }

    @Test(arguments: Transport.allCases)
    func `bad input is 400 and names its field`(transport: Transport) async throws {
        try await withShop(transport) { shop in
            let many = (0..<51).map { "p\($0)" }
            let answers = [
                ("productIds: ", try await shop.send(.recommendations(productIds: many))),
                ("currencyCode: ", try await shop.send(.recommendations(productIds: [], currencyCode: "XYZ"))),
                ("contextKeys: ", try await shop.send(.advertisements(contextKeys: many))),
            ]
            for (field, answer) in answers {
                #expect(answer.status == 400)
                #expect(try answer.error().hasPrefix(field))
            }
        }
    }
}
