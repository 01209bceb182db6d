import Foundation
import HTTPTypes
import ShopAPI
import Testing

@testable import ShopServer

@Suite struct FaultTests {
    @Test(arguments: Transport.allCases)
    func `flags are read and switched while the shop runs`(transport: Transport) async throws {
        try await withShop(transport) {
            $0.flags.cartFailure = 25
        } _: { shop in
            var expected = FaultFlags()
            expected.cartFailure = 25
            #expect(try await shop.send(.flags).decoded(FaultFlags.self) == expected)
            let changed = try await shop.send("PUT", "/flags", body: #"{"paymentFailure":50,"adFailure":true}"#)
            expected.paymentFailure = 50
            expected.adFailure = true
            #expect(try changed.decoded(FaultFlags.self) == expected)
            #expect(await shop.backend.faults.flags == expected)
            for body in [
                #"{"nosuch":true}"#, #"{"cartFailure":101}"#, #"{"adFailure":2}"#, #"{"paymentFailure":true}"#, "[]",
                #"{"adFailure":false,"imageSlowLoad":-1}"#,
            ] {
                let answer = try await shop.send("PUT", "/flags", body: body)
                #expect(answer.status == 400, "\(body)")
                _ = try answer.error()
            }
            #expect(await shop.backend.faults.flags == expected)
            await shop.backend.faults.apply(
                try FaultFlagChange(["cartFailure=0", "adFailure=off", "paymentFailure=0"]))
            #expect(try await shop.send(.flags).decoded(FaultFlags.self) == FaultFlags())
        }
    }

    @Test(arguments: Transport.allCases)
    func `adFailure takes the advertisements away`(transport: Transport) async throws {
        try await withShop(transport) {
            $0.flags.adFailure = true
        } _: { shop in
            let answer = try await shop.send(.advertisements(contextKeys: ["books"]))
            #expect(answer.status == 503)
            #expect(try answer.error().contains("adFailure"))
        }
    }

    @Test(arguments: Transport.allCases)
    func `cartFailure fails every use of the cart at 100 percent, and changes nothing`(
        transport: Transport
    ) async throws {
        try await withShop(transport) { shop in
            try await shop.add(Sample.flashlight)
            await shop.backend.faults.apply(try FaultFlagChange(["cartFailure=100"]))
            let routes: [ShopRoute] = [
                .cart(sessionId: "session-1"), .emptyCart(sessionId: "session-1"), .checkout(Sample.checkout()),
                .addToCart(
                    AddItemRequest(userId: "session-1", item: CartItem(productId: Sample.flashlight, quantity: 1))),
            ]
            for route in routes {
                let answer = try await shop.send(route)
                #expect(answer.status == 500)
                #expect(try answer.error().contains("cartFailure"))
            }
            await shop.backend.faults.apply(try FaultFlagChange(["cartFailure=0"]))
            #expect(try await shop.cart().itemCount == 1)
        }
    }

    @Test func `a percentage fails about that share of requests`() async throws {
        try await withShop(.inProcess) {
            $0.flags.cartFailure = 25
        } _: { shop in
            var failures = 0
            for _ in 0..<400 where try await shop.send(.cart(sessionId: "s")).status == 500 { failures += 1 }
            #expect((60...140).contains(failures))
        }
    }

    @Test(arguments: Transport.allCases, [("paymentFailure=100", 500), ("paymentUnreachable=on", 503)])
    func `a payment that fails charges nothing and leaves the cart`(
        transport: Transport, fault: (String, Int),
    ) async throws {
        try await withShop(transport) { shop in
            try await shop.add(Sample.flashlight)
            await shop.backend.faults.apply(try FaultFlagChange([fault.0]))
            let answer = try await shop.send(.checkout(Sample.checkout()))
            #expect(answer.status == fault.1)
            #expect(try answer.error().contains("nothing was charged"))
            #expect(try await shop.cart().itemCount == 1)
            #expect(try await shop.send(.health).decoded(ShopHealth.self).orders == 0)
            await shop.backend.faults.set(FaultFlags())
            #expect(try await shop.send(.checkout(Sample.checkout())).status == 200)
        }
    }

    @Test(arguments: Transport.allCases)
    func `productCatalogFailure fails the Explorascope alone`(transport: Transport) async throws {
        try await withShop(transport) {
            $0.flags.productCatalogFailure = true
        } _: { shop in
            #expect(try await shop.send(.product(id: Sample.explorascope)).status == 500)
            #expect(try await shop.send(.product(id: Sample.flashlight)).status == 200)
            #expect(try await shop.send(.products()).decoded([Product].self).count == 10)
            try await shop.add(Sample.explorascope)
            #expect(try await shop.send(.cart(sessionId: "session-1")).status == 500)
            #expect(try await shop.send(.checkout(Sample.checkout())).status == 500)
            await shop.backend.faults.set(FaultFlags())
            #expect(try await shop.cart().itemCount == 1)
        }
    }

    @Test func `recommendationCacheFailure grows the list until the flag is off`() async {
        let dice = Dice()
        let catalogue = Catalogue()
        let recommender = Recommender(catalogue: catalogue, chance: RandomSource { dice.roll() })
        #expect(await recommender.choose(4, excluding: [], cacheFails: false).candidateCount == 10)
        #expect(await recommender.choose(4, excluding: [], cacheFails: false).cacheHit)
        var largest = 10
        var misses = 0
        for _ in 0..<60 {
            let choice = await recommender.choose(4, excluding: ["OLJCESPC7Z"], cacheFails: true)
            #expect(choice.productIds.count == 4 && !choice.productIds.contains("OLJCESPC7Z"))
            #expect(choice.cacheHit == (choice.candidateCount == largest))
            #expect(choice.candidateCount >= largest)
            largest = choice.candidateCount
            misses += choice.cacheHit ? 0 : 1
        }
        #expect((15...45).contains(misses))
        #expect(largest > 1_000)
        #expect(await recommender.choose(4, excluding: [], cacheFails: false).candidateCount == 10)
    }

    @Test func `the growing list has an end`() async {
        let dice = Dice()
        let recommender = Recommender(catalogue: Catalogue(), chance: RandomSource { dice.roll() }, largestList: 5_000)
        var count = 0
        for _ in 0..<100 { count = await recommender.choose(4, excluding: [], cacheFails: true).candidateCount }
        #expect(count == 5_000)
    }

    @Test(arguments: Transport.allCases)
    func `imageSlowLoad waits so many milliseconds`(transport: Transport) async throws {
        let naps = Naps()
        try await withShop(transport) { configuration in
            configuration.flags.imageSlowLoad = 5_000
            configuration.sleep = { await naps.record($0) }
        } _: { shop in
            let picture = try await shop.send(.picture(name: "RedFlashlight.jpg"))
            #expect(picture.status == 200)
            #expect(await naps.taken == [.milliseconds(5_000)])
            #expect(try await shop.send(.products()).status == 200)
            #expect(await naps.taken.count == 1)
        }
    }

    @Test(arguments: Transport.allCases)
    func `intlShippingSlowdown waits for parcels that leave the United States`(transport: Transport) async throws {
        let naps = Naps()
        try await withShop(transport) { configuration in
            configuration.flags.intlShippingSlowdown = 10
            configuration.sleep = { await naps.record($0) }
        } _: { shop in
            let items = [CartItem(productId: Sample.flashlight, quantity: 1)]
            #expect(try await shop.send(.shipping(items: items, address: Sample.address)).status == 200)
            #expect(await naps.taken.isEmpty)
            #expect(try await shop.send(.shipping(items: items, address: Sample.abroad)).status == 200)
            #expect(await naps.taken == [.seconds(10)])
            try await shop.add(Sample.flashlight)
            #expect(try await shop.send(.checkout(Sample.checkout(address: Sample.abroad))).status == 200)
            #expect(await naps.taken.count == 2)
        }
    }

    @Test(arguments: ["US", "usa", "U.S.A.", "United States", "united states of america"])
    func `the United States are not abroad`(country: String) {
        let address = Address(streetAddress: "s", city: "c", state: "CA", country: country, zipCode: "z")
        #expect(!Shipping.isInternational(address))
        #expect(Shipping.isInternational(Sample.abroad))
    }
}

actor Naps {
    private(set) var taken: [Duration] = []

    func record(_ duration: Duration) {
        taken.append(duration)
    }
}
