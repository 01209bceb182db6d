import Astrolabe
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import Combine
import Foundation
import ShopAPI
import ShopServer
import Testing

@testable import AstronomyShop

/// The response of a server whose carts all hold one piece at 1.00 USD.
private let cartOfOne = #"""
    {"userId": "a", "items": [{"productId": "A", "quantity": 1, "product": {"id": "A", "name": "B", "description": "",
    "picture": "", "priceUsd": {"currencyCode": "USD", "units": 1, "nanos": 0}, "categories": []}}]}
    """#

/// A checkout of so many Red Flashlights.
@MainActor
private func checkout(_ phone: Phone, quantity: Int = 2) async throws -> CheckoutViewModel {
    let flashlight = try await phone.shop.services.products.fetchProduct(
        id: "LS4PSXUNUM", currencyCode: phone.shop.currency.code,
    )
    await phone.shop.cart.addProduct(flashlight, quantity: quantity)
    await phone.shop.checkout.startCheckout()
    return phone.shop.checkout
}

@Suite(.timeLimit(.minutes(5))) struct `The checkout's steps` {
    @Test func `are disclosed one after the other as the forms are completed`() async throws {
        try await withPhone { phone, _ in
            let checkout = phone.shop.checkout
            checkout.shipping = ShippingInfo()
            checkout.payment = PaymentInfo()
            await checkout.startCheckout()
            #expect(checkout.visibleSteps == [.cartReview])
            #expect(checkout.blockers.first == "Your cart is empty.")
            _ = try await AstronomyShopTests.checkout(phone)
            #expect(checkout.visibleSteps == [.cartReview, .shipping])
            checkout.shipping = .testData
            #expect(checkout.visibleSteps == [.cartReview, .shipping, .payment])
            checkout.payment = .testData(at: Date())
            #expect(checkout.visibleSteps == CheckoutStep.allCases)
            #expect(checkout.blockers == ["The shipping cost is not known yet."])
            await checkout.quoteSettled()
            #expect(checkout.canPlaceOrder)
            checkout.shipping.city = ""
            #expect(checkout.visibleSteps == [.cartReview, .shipping])
            #expect(!checkout.canPlaceOrder)
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct `The checkout's screen` {
    @Test func `is told of a change of the cart, which its steps follow from`() async throws {
        try await withPhone { phone, _ in
            var changes = 0
            let subscription = phone.shop.checkout.objectWillChange.sink { _ in changes += 1 }
            await phone.shop.cart.loadCart()
            #expect(changes > 0)
            subscription.cancel()
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct `A checkout` {
    @Test func `says when it starts, with what is in the cart`() async throws {
        try await withPhone { phone, _ in
            _ = try await checkout(phone, quantity: 3)
            let events = try phone.events.filter { $0.eventName == "demo.checkout.started" }
            let started = try #require(events.first)
            #expect(events.count == 1)
            #expect(started.attributes["demo.cart.items.count"] == 3)
            #expect(started.attributes["demo.cart.amount"] == 171.24)
            #expect(started.attributes["demo.currency.code"] == "USD")
        }
    }

    @Test func `of an empty cart has not started`() async throws {
        try await withPhone { phone, _ in
            await phone.shop.checkout.startCheckout()
            let names = try phone.events.map(\.eventName)
            #expect(!names.contains("demo.checkout.started"))
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct `The shipping cost` {
    @Test func `is asked for by itself when the form becomes complete, and never before`() async throws {
        try await withPhone { phone, _ in
            phone.shop.checkout.shipping.city = ""
            let checkout = try await checkout(phone)
            #expect(checkout.quote == .notAsked)
            #expect(try !phone.spans.contains { $0.name == "GET /api/shipping" })
            checkout.shipping.city = "Los Angeles"
            #expect(checkout.quote == .loading)
            await checkout.quoteSettled()
            #expect(checkout.quote == .cost(Money(currencyCode: "USD", units: 17, nanos: 980_000_000)))
            #expect(checkout.total == Money(currencyCode: "USD", units: 132, nanos: 140_000_000))
            let spans = try phone.spans
            #expect(
                spans.path(to: try spans.one("GET /api/shipping"))
                    == "CheckoutViewModel.updateShippingCost > ShippingAPIService.fetchShippingCost > GET /api/shipping"
            )
            let service = try spans.one("ShippingAPIService.fetchShippingCost")
            #expect(service.int("demo.shipping.items.count") == 2)
            #expect(service.attributes["demo.shipping.amount"] == 17.98)
        }
    }

    @Test func `is asked for when the checkout opens with a complete form`() async throws {
        try await withPhone { phone, _ in
            let checkout = try await checkout(phone, quantity: 3)
            #expect(checkout.quote.cost?.formatted == "$26.97")
        }
    }

    @Test func `is not asked for again by a change that it does not depend on`() async throws {
        try await withPhone { phone, _ in
            let checkout = try await checkout(phone)
            checkout.shipping.email = "caroline@example.com"
            checkout.payment.securityCode = "123"
            await checkout.quoteSettled()
            #expect(try phone.spans.filter { $0.name == "GET /api/shipping" }.count == 1)
            #expect(checkout.quote.cost != nil)
        }
    }

    @Test func `is asked for once when typing rests, not for each letter`() async throws {
        try await withShop { baseURL, _ in
            let clock = StepClock()
            let phone = Phone(baseURL, clock: clock, quoteDelay: .milliseconds(400))
            let checkout = try await checkout(phone)
            phone.sink.removeAll()
            for (index, street) in ["2", "28", "280"].enumerated() {
                checkout.shipping.streetAddress = street
                await clock.waitForSleeps(index + 1)
                clock.advance(by: .milliseconds(399))
            }
            #expect(try phone.spans.isEmpty)
            #expect(checkout.quote == .loading)
            clock.advance(by: .milliseconds(1))
            await checkout.quoteSettled()
            #expect(try phone.spans.filter { $0.name == "GET /api/shipping" }.count == 1)
            #expect(checkout.quote.cost != nil)
        }
    }

    @Test func `of an older address is given up when the address changes`() async throws {
        let (asked, ask) = AsyncStream<Void>.makeStream()
        try await withShop { baseURL, _ in
            let server = try RawServer { request, connection in
                if request.target.hasPrefix("/api/shipping"), !request.target.contains("Flagstaff") {
                    ask.yield()
                    connection.waitUntilClosed()
                } else if request.target.hasPrefix("/api/shipping") {
                    connection.answer(200, #"{"currencyCode":"USD","units":5,"nanos":0}"#)
                } else {
                    connection.answer(200, cartOfOne)
                }
            }
            let phone = Phone(try server.baseURL)
            let checkout = phone.shop.checkout
            let opening = Task { await checkout.startCheckout() }
            for await _ in asked { break }
            checkout.shipping.city = "Flagstaff"
            await opening.value
            #expect(checkout.quote == .cost(Money(currencyCode: "USD", units: 5)))
            let spans = try phone.spans.filter { $0.name == "CheckoutViewModel.updateShippingCost" }
            #expect(spans.map(\.status) == [.unset, .ok])
        }
    }

    @Test func `that cannot be found is said in words, recorded, and can be asked for again`() async throws {
        let isWell = Counting()
        let server = try RawServer { request, connection in
            switch (request.target.hasPrefix("/api/shipping"), isWell.value > 0) {
            case (false, _): connection.answer(200, cartOfOne)
            case (true, false): connection.answer(502, "bad gateway")
            case (true, true): connection.answer(200, #"{"currencyCode":"USD","units":5,"nanos":0}"#)
            }
        }
        let phone = await Phone(try server.baseURL)
        let checkout = await phone.shop.checkout
        await checkout.startCheckout()
        #expect(await checkout.quote == .failed("The shop is having trouble right now. Please try again in a moment."))
        #expect(await checkout.blockers == ["The shipping cost is not known yet."])
        let span = try await phone.spans.one("CheckoutViewModel.updateShippingCost")
        #expect(span.status == .error("HTTP 502 Bad Gateway - Response: bad gateway"))
        _ = isWell.next()
        await checkout.retryQuote()
        #expect(await checkout.quote == .cost(Money(currencyCode: "USD", units: 5)))
        #expect(await checkout.canPlaceOrder)
    }

    @Test func `is not asked for once the checkout is left`() async throws {
        try await withPhone { phone, _ in
            let checkout = try await checkout(phone)
            checkout.leaveCheckout()
            #expect(checkout.quote == .notAsked)
            phone.sink.removeAll()
            checkout.shipping.city = "Pasadena"
            await checkout.quoteSettled()
            #expect(try phone.spans.isEmpty)
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct `An order` {
    @Test func `is placed from what the session's cart holds, and confirmed with its totals`() async throws {
        try await withPhone { phone, _ in
            let checkout = try await checkout(phone, quantity: 3)
            let session = phone.shop.session.sessionID
            await checkout.placeOrder()
            let confirmation = try #require(checkout.confirmation)
            #expect(confirmation.itemsTotal == Money(currencyCode: "USD", units: 171, nanos: 240_000_000))
            #expect(confirmation.shippingCost == Money(currencyCode: "USD", units: 26, nanos: 970_000_000))
            #expect(confirmation.total == Money(currencyCode: "USD", units: 198, nanos: 210_000_000))
            #expect(confirmation.itemCount == 3)
            #expect(UUID(uuidString: confirmation.orderID) != nil)
            #expect(checkout.errorMessage == nil)
            let held = try await phone.shop.services.cart.fetchCart(sessionId: session, currencyCode: "USD")
            #expect(held.items.isEmpty)
        }
    }

    @Test func `names no items, and says the session in query, body and baggage`() async throws {
        let server = try RawServer { _, connection in connection.answer(500, "{}") }
        let phone = await Phone(try server.baseURL)
        let order = CheckoutRequest(
            userId: "the-session", userCurrency: "EUR", address: ShippingInfo.testData.address,
            email: "galileo@example.com", creditCard: try #require(PaymentInfo.testData(at: Date()).card),
        )
        _ = try? await phone.shop.services.checkout.placeOrder(order)
        let request = try #require(server.requests.first)
        #expect(request.target == "/api/checkout?currencyCode=EUR&sessionId=the-session")
        let body = try #require(
            try JSONSerialization.jsonObject(with: Data(request.body.utf8)) as? [String: Any])
        #expect(Set(body.keys) == ["userId", "userCurrency", "address", "email", "creditCard"])
        #expect((body["creditCard"] as? [String: Any])?["creditCardCvv"] as? Int == 672)
        #expect(request.header("baggage")?.contains("session.id=") == true)
    }

    @Test func `is one trace from the tap to the request, with what was ordered`() async throws {
        try await withPhone { phone, _ in
            let checkout = try await checkout(phone)
            let session = phone.shop.session.sessionID
            phone.sink.removeAll()
            await phone.telemetry.userAction("Place Order", id: "place-order") { _ in await checkout.placeOrder() }
            let spans = try phone.spans
            #expect(
                spans.path(to: try spans.one("POST /api/checkout"))
                    == "tap Place Order > CheckoutViewModel.placeOrder > CheckoutAPIService.placeOrder > POST /api/checkout"
            )
            let span = try spans.one("CheckoutViewModel.placeOrder")
            #expect(span.status == .ok)
            #expect(span.text("demo.order.id") == checkout.confirmation?.orderID)
            #expect(span.attributes["demo.order.amount"] == 132.14)
            #expect(span.attributes["demo.cart.amount"] == 114.16)
            #expect(span.attributes["demo.shipping.amount"] == 17.98)
            #expect(span.int("demo.order.items.count") == 2)
            #expect(span.text("demo.payment.card_type") == "VISA")
            #expect(spans.allSatisfy { $0.text("session.id") == session })
            let events = try phone.events
            #expect(
                events.map(\.eventName) == ["app.widget.click", "demo.order.placed", "session.end", "session.start"])
            #expect(events[0].attributes["app.widget.id"] == "place-order")
            #expect(events[1].attributes["session.id"] == .string(session))
            #expect(events[1].attributes["demo.order.id"] == span.attributes["demo.order.id"])
            #expect(events[1].attributes["demo.order.amount"] == 132.14)
            #expect(events[1].attributes["demo.currency.code"] == "USD")
        }
    }

    @Test func `ends the session and forgets cart and card`() async throws {
        try await withPhone { phone, _ in
            let checkout = try await checkout(phone)
            let before = phone.shop.session.sessionID
            let cardBefore = PaymentInfo.testData(at: Date())
            checkout.payment.cardNumber = "5555 5555 5555 4444"
            await checkout.placeOrder()
            #expect(checkout.confirmation != nil)
            #expect(phone.shop.session.sessionID != before)
            #expect(phone.shop.session.sessionID == phone.sdk.session.current?.id)
            #expect(phone.sdk.session.current?.previousID == before)
            #expect(phone.shop.cart.isEmpty)
            // Its expiry follows the calendar, which may turn a page meanwhile.
            #expect([cardBefore, .testData(at: Date())].contains(checkout.payment))
            #expect(checkout.quote == .notAsked)
            await phone.shop.cart.loadCart()
            #expect(phone.shop.cart.isEmpty)
            await checkout.startCheckout()
            #expect(checkout.confirmation == nil)
        }
    }

    @Test func `that is refused leaves everything to be corrected, and succeeds then`() async throws {
        try await withPhone { phone, _ in
            let checkout = try await checkout(phone)
            let session = phone.shop.session.sessionID
            checkout.payment = .refusedTestData(at: Date())
            await checkout.placeOrder()
            #expect(
                checkout.errorMessage
                    == "Your order was not placed. Sorry, we cannot process American Express credit cards; only VISA or MasterCard is accepted."
            )
            #expect(checkout.failure is CheckoutRefusal)
            #expect(checkout.confirmation == nil)
            #expect(phone.shop.session.sessionID == session)
            #expect(phone.shop.cart.itemCount == 2)
            #expect(checkout.payment.network == .americanExpress)
            let span = try phone.spans.one("CheckoutViewModel.placeOrder")
            #expect(span.status.isError)
            #expect([span.text("error.type"), span.text("demo.order.failure.reason")] == ["400", "payment_refused"])
            #expect(span.exceptionMessage?.hasPrefix("HTTP 400 Bad Request - Response: ") == true)
            checkout.payment = .testData(at: Date())
            await checkout.placeOrder()
            #expect(checkout.confirmation != nil)
            #expect(checkout.errorMessage == nil)
            #expect(checkout.failure == nil)
        }
    }

    @Test func `that fails is an event with the class of the reason and nothing of the card`() async throws {
        try await withPhone { phone, backend in
            let checkout = try await checkout(phone)
            checkout.payment = .refusedTestData(at: Date())
            await checkout.placeOrder()
            var change = FaultFlagChange()
            try change.set(.paymentFailure, to: .number(100))
            await backend.faults.apply(change)
            checkout.payment = .testData(at: Date())
            await checkout.placeOrder()
            let failed = try phone.events.filter { $0.eventName == "demo.order.failed" }
            #expect(failed.map { $0.attributes["demo.order.failure.reason"] } == ["payment_refused", "shop_failed"])
            #expect(failed.map { $0.attributes["error.type"] } == ["400", "500"])
            let spans = try phone.spans.filter { $0.name == "CheckoutViewModel.placeOrder" }
            #expect(failed.map(\.spanID) == spans.map(\.context.spanID))
            for event in failed {
                #expect(event.severityText == "WARN")
                #expect(
                    Set(event.attributes.map(\.key)).subtracting(["session.id", "log.record.uid"]) == [
                        "demo.currency.code", "demo.cart.items.count", "demo.cart.amount", "demo.payment.card_type",
                        "demo.order.failure.reason", "error.type",
                    ])
                #expect(event.attributes["demo.cart.amount"] == 114.16)
                #expect(event.attributes["demo.currency.code"] == "USD")
            }
        }
    }

    @Test func `that cannot be complete is not sent`() async throws {
        try await withPhone { phone, _ in
            let checkout = try await checkout(phone)
            checkout.payment.securityCode = "x"
            phone.sink.removeAll()
            await checkout.placeOrder()
            #expect(checkout.errorMessage == "The payment details are not complete.")
            #expect(try phone.spans.isEmpty)
        }
    }

    @Test func `is sent once however often the button is tapped`() async throws {
        try await withPhone { phone, _ in
            let checkout = try await checkout(phone)
            async let first: Void = checkout.placeOrder()
            async let second: Void = checkout.placeOrder()
            _ = await (first, second)
            #expect(try phone.spans.filter { $0.name == "POST /api/checkout" }.count == 1)
            #expect(checkout.confirmation != nil)
        }
    }

    @Test func `whose outcome nobody knows is looked up in the cart`() async throws {
        try await withShop { baseURL, _ in
            let isOrdered = Counting()
            let server = try RawServer { request, connection in
                if request.target.hasPrefix("/api/checkout") {
                    _ = isOrdered.next()
                } else if request.target.hasPrefix("/api/shipping") {
                    connection.answer(200, #"{"currencyCode":"USD","units":5,"nanos":0}"#)
                } else if isOrdered.value > 0 {
                    connection.answer(200, #"{"userId":"","items":[]}"#)
                } else {
                    connection.answer(200, cartOfOne)
                }
            }
            let phone = Phone(try server.baseURL)
            await phone.shop.checkout.startCheckout()
            await phone.shop.checkout.placeOrder()
            #expect(
                phone.shop.checkout.errorMessage
                    == "The shop could not confirm your order. Your cart is empty now, so it was probably placed.")
            #expect(server.requests.filter { $0.target.hasPrefix("/api/checkout") }.count == 1)
            #expect(try phone.spans.one("POST /api/checkout").text("error.type") == "connection_lost")
            let failed = try #require(try phone.events.last { $0.eventName == "demo.order.failed" })
            #expect(failed.attributes["demo.order.failure.reason"] == "outcome_unknown")
        }
    }
}
