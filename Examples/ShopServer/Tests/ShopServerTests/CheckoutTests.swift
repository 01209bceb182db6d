import Foundation
import HTTPTypes
import ShopAPI
import ShopServer
import Testing

@Suite(.timeLimit(.minutes(5))) struct CheckoutTests {
    /// One Red Flashlight, shipped, in euros.
    ///
    /// The flashlight: 57.08 USD are 57,080,000,000 nanos; × 100,000 ÷ 113,050 = 50,490,933,215 and 44,250 left, less
    /// than half: 50.490933215 EUR.
    ///
    /// Shipping: 8.99 USD are 8,990,000,000 nanos; × 100,000 = 899,000,000,000,000. 113,050 × 7,952,233,524 =
    /// 898,999,999,888,200. That leaves 111,800, more than half of 113,050, so it is rounded up: 7.952233525 EUR.
    ///
    /// Together 58.443166740 EUR.
    @Test(arguments: Transport.allCases)
    func `one Red Flashlight in euros is right to the nano`(transport: Transport) async throws {
        try await withShop(transport) { shop in
            try await shop.add(Sample.flashlight)
            let answer = try await shop.send(
                .checkout(Sample.checkout(currency: "EUR"), sessionId: "session-1", currencyCode: "EUR"))
            let order = try answer.decoded(CheckoutResponse.self)
            #expect(order.items.map(\.cost) == [Money(currencyCode: "EUR", units: 50, nanos: 490_933_215)])
            #expect(order.shippingCost == Money(currencyCode: "EUR", units: 7, nanos: 952_233_525))
            #expect(try order.total == Money(currencyCode: "EUR", units: 58, nanos: 443_166_740))
        }
    }

    @Test(arguments: Transport.allCases)
    func `an order has upstream's keys, unit prices and the address, and empties the cart`(
        transport: Transport
    ) async throws {
        try await withShop(transport) { shop in
            try await shop.add(Sample.flashlight, 3)
            try await shop.add(Sample.cometBook, 2)
            let answer = try await shop.send(
                .checkout(Sample.checkout(address: Sample.abroad), sessionId: "session-1"))
            #expect(
                try answer.keys() == ["items", "orderId", "shippingAddress", "shippingCost", "shippingTrackingId"])
            #expect(try answer.keys(at: "items", "0") == ["cost", "item"])
            #expect(try answer.keys(at: "items", "0", "item") == ["product", "productId", "quantity"])
            #expect(
                try answer.keys(at: "shippingAddress") == ["city", "country", "state", "streetAddress", "zipCode"])
            let order = try answer.decoded(CheckoutResponse.self)
            try #require(order.items.map(\.item.quantity) == [3, 2])
            #expect(order.items[0].cost == Money(currencyCode: "USD", units: 57, nanos: 80_000_000))
            #expect(order.items[0].item.product.name == "Red Flashlight")
            #expect(order.shippingCost == Money(currencyCode: "USD", units: 44, nanos: 950_000_000))
            #expect(try order.total == Money(currencyCode: "USD", units: 218, nanos: 170_000_000))
            #expect(order.shippingAddress == Sample.abroad)
            #expect(UUID(uuidString: order.orderId) != nil && UUID(uuidString: order.shippingTrackingId) != nil)
            #expect(order.orderId != order.shippingTrackingId)
            #expect(try await shop.cart() == .empty)
            #expect(try await shop.send(.health).decoded(ShopHealth.self).orders == 1)
        }
    }

    @Test(arguments: Transport.allCases)
    func `the products of an order are shown in the query's currency`(transport: Transport) async throws {
        try await withShop(transport) { shop in
            try await shop.add(Sample.flashlight)
            let order = try await shop.send(.checkout(Sample.checkout(currency: "EUR"), currencyCode: "JPY"))
                .decoded(CheckoutResponse.self)
            #expect(order.items[0].cost.currencyCode == "EUR")
            #expect(order.items[0].item.product.priceUsd.currencyCode == "JPY")
        }
    }

    @Test(arguments: Transport.allCases)
    func `an empty cart is refused`(transport: Transport) async throws {
        try await withShop(transport) { shop in
            let answer = try await shop.send(.checkout(Sample.checkout()))
            #expect(answer.status == 400)
            #expect(try answer.error() == "cart: is empty; add a product before checking out")
            try await shop.add(Sample.flashlight)
            shop.clock.advance(minutes: 60)
            #expect(try await shop.send(.checkout(Sample.checkout())).status == 400)
        }
    }

    @Test(arguments: Transport.allCases)
    func `cards are refused in the payment service's words, and the cart stays`(transport: Transport) async throws {
        let refused: [(CreditCard, String)] = [
            (Sample.card("4432-8015-6152-0455"), "creditCard.creditCardNumber: Credit card info is invalid."),
            (Sample.card("not a card"), "creditCard.creditCardNumber: Credit card info is invalid."),
            (Sample.card(cvv: 10_000), "creditCard.creditCardCvv: Credit card info is invalid."),
            (Sample.card(cvv: -1), "creditCard.creditCardCvv: Credit card info is invalid."),
            (Sample.card(month: 13), "creditCard.creditCardExpirationMonth: Credit card info is invalid."),
            (Sample.card(month: 0), "creditCard.creditCardExpirationMonth: Credit card info is invalid."),
            (Sample.card(year: 30), "creditCard.creditCardExpirationYear: Credit card info is invalid."),
            (
                Sample.card("378282246310005"),
                "creditCard.creditCardNumber: Sorry, we cannot process American Express credit cards; "
                    + "only VISA or MasterCard is accepted.",
            ),
            (
                Sample.card(year: 2026, month: 10),
                "creditCard.creditCardExpirationYear: The credit card (ending 0454) expired on 10/2026.",
            ),
        ]
        try await withShop(transport) { shop in
            try await shop.add(Sample.flashlight, 2)
            for (card, message) in refused {
                let answer = try await shop.send(.checkout(Sample.checkout(card: card)))
                #expect(answer.status == 400)
                #expect(try answer.error() == message)
            }
            #expect(try await shop.cart().itemCount == 2)
            #expect(try await shop.send(.health).decoded(ShopHealth.self).orders == 0)
            let masterCard = Sample.card("5555 5555 5555 4444", year: 2026, month: 11)
            #expect(try await shop.send(.checkout(Sample.checkout(card: masterCard))).status == 200)
        }
    }

    @Test(arguments: Transport.allCases)
    func `a card is good through its month, in UTC`(transport: Transport) async throws {
        try await withShop(transport) { configuration in
            configuration.cartLifetime = .seconds(86_400 * 365)
        } _: {
            shop in
            try await shop.add(Sample.flashlight, 2)
            let card = Sample.card(year: 2026, month: 11)
            try shop.clock.set("2026-12-01T00:00:00Z")
            #expect(try await shop.send(.checkout(Sample.checkout(card: card))).status == 400)
            try shop.clock.set("2026-11-30T23:59:59Z")
            #expect(try await shop.send(.checkout(Sample.checkout(card: card))).status == 200)
        }
    }

    @Test(arguments: Transport.allCases)
    func `bad input is 400, names its field and changes nothing`(transport: Transport) async throws {
        @Sendable func changed(_ path: [String], to value: (any Sendable)?) throws -> String {
            @Sendable func change(_ object: [String: Any], _ path: ArraySlice<String>) -> [String: Any] {
                var object = object
                guard let key = path.first else { return object }
                if path.count == 1 {
                    object[key] = value
                } else {
                    object[key] = change(object[key] as? [String: Any] ?? [:], path.dropFirst())
                }
                return object
            }
            let json = try JSONSerialization.jsonObject(with: ShopJSON.encode(Sample.checkout()))
            let object = change(try #require(json as? [String: Any]), path[...])
            return String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
        }
        let bodies: [(body: String, field: String)] = [
            ("{", "body"),
            (try changed(["userId"], to: nil), "userId"),
            (try changed(["userId"], to: ""), "userId"),
            (try changed(["userCurrency"], to: "XYZ"), "userCurrency"),
            (try changed(["email"], to: "nobody"), "email"),
            (try changed(["email"], to: "a@b@c"), "email"),
            (try changed(["email"], to: nil), "email"),
            (try changed(["address"], to: "x"), "address"),
            (try changed(["address", "zipCode"], to: nil), "address.zipCode"),
            (try changed(["address", "city"], to: "  "), "address.city"),
            (try changed(["address", "country"], to: String(repeating: "x", count: 257)), "address.country"),
            (try changed(["creditCard"], to: nil), "creditCard"),
            (
                try changed(["creditCard", "creditCardNumber"], to: 4_432_801_561_520_454),
                "creditCard.creditCardNumber",
            ),
            (try changed(["creditCard", "creditCardCvv"], to: "67"), "creditCard.creditCardCvv"),
            (try changed(["creditCard", "creditCardCvv"], to: nil), "creditCard.creditCardCvv"),
            (
                try changed(["creditCard", "creditCardExpirationYear"], to: "2030"),
                "creditCard.creditCardExpirationYear",
            ),
        ]
        try await withShop(transport) { shop in
            try await shop.add(Sample.flashlight)
            for (body, field) in bodies {
                let answer = try await shop.send("POST", "/api/checkout", body: body)
                #expect(answer.status == 400, "\(field): \(answer.text)")
                #expect(try answer.error().hasPrefix("\(field): "), "\(answer.text)")
            }
            let query = try await shop.send(.checkout(Sample.checkout(), currencyCode: "XYZ"))
            #expect(query.status == 400)
            #expect(try query.error().hasPrefix("currencyCode: "))
            #expect(try await shop.cart().itemCount == 1)
            let asText = try changed(["creditCard", "creditCardCvv"], to: "672")
            #expect(try await shop.send("POST", "/api/checkout", body: asText).status == 200)
        }
    }

    @Test func `of two checkouts of one cart at once, one is refused and the order is placed once`() async throws {
        let gate = Gate()
        try await withShop(.inProcess) { configuration in
            configuration.flags.intlShippingSlowdown = 1
            configuration.sleep = { _ in await gate.wait() }
        } _: { shop in
            try await shop.add(Sample.flashlight)
            let checkout = ShopRoute.checkout(Sample.checkout(address: Sample.abroad))
            async let first = shop.send(checkout)
            await gate.arrival()
            let second = try await shop.send(checkout)
            #expect(second.status == 409)
            #expect(try second.error() == "userId: a checkout of this cart is under way")
            await gate.open()
            #expect(try await first.status == 200)
            #expect(try await shop.send(.health).decoded(ShopHealth.self).orders == 1)
            #expect(try await shop.send(checkout).status == 400)
        }
    }

    @Test func `what is added while an order is under way stays in the cart`() async throws {
        let gate = Gate()
        try await withShop(.inProcess) { configuration in
            configuration.flags.intlShippingSlowdown = 1
            configuration.sleep = { _ in await gate.wait() }
        } _: { shop in
            try await shop.add(Sample.flashlight, 2)
            async let answer = shop.send(.checkout(Sample.checkout(address: Sample.abroad)))
            await gate.arrival()
            try await shop.add(Sample.flashlight, 1)
            try await shop.add(Sample.cometBook, 1)
            await gate.open()
            #expect(try await answer.decoded(CheckoutResponse.self).itemCount == 2)
            #expect(try await shop.cart().items.map(\.quantity) == [1, 1])
        }
    }

    @Test func `orders outlive the process, up to the limit`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("shop.sqlite").path
            for round in 1...3 {
                // No process has the numbers of the one before.
                let dice = Dice(seed: UInt64(round))
                try await withShop(.inProcess) { configuration in
                    configuration.databasePath = path
                    configuration.limits.orders = 2
                    configuration.random = { dice.roll() }
                } _: { shop in
                    #expect(try await shop.cart("kept").itemCount == round - 1)
                    try await shop.add(Sample.cometBook, to: "kept")
                    try await shop.add(Sample.flashlight)
                    #expect(try await shop.send(.checkout(Sample.checkout())).status == 200)
                    #expect(try await shop.send(.health).decoded(ShopHealth.self).orders == min(round, 2))
                }
            }
        }
    }
}
