import Astrolabe
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import Foundation
import ShopAPI
import ShopServer
import Testing

@testable import AstronomyShop

private let noTime: ClosedRange<Duration> = .zero ... .zero

@Suite(.timeLimit(.minutes(5))) struct `A plan` {
    @Test func `has everything that a trip is to show`() {
        for seed in 0..<50 as Range<UInt64> {
            let steps = TripPlan(seed: seed).steps
            #expect(steps.first == .openShop)
            #expect(steps.suffix(2) == [.payWithRefusedCard, .payWithAcceptedCard])
            let widgets = steps.map(\.widget)
            for widget in [
                "Currency", "Product", "Recommended Product", "Add to Cart", "Cart", "Checkout", "Shipping Address",
            ] {
                #expect(widgets.contains(widget), "seed \(seed): \(widget)")
            }
            for case .fillInAddress(let address) in steps { #expect(address.isComplete, "seed \(seed)") }
        }
    }

    @Test func `is the same for the same seed, and varies with it`() {
        #expect(TripPlan(seed: 7) == TripPlan(seed: 7))
        #expect(Set((0..<50).map { TripPlan(seed: $0) }).count > 40)
    }
}

@Suite(.timeLimit(.minutes(5))) struct `A trip through the shop` {
    @Test(arguments: ([1, 2, 3, 4] as [UInt64]).prefix(Thoroughness.count(2, thorough: 4)))
    func `ends with an order after one refusal`(seed: UInt64) async throws {
        try await withShop { baseURL, backend in
            let phone = Phone(baseURL)
            let session = phone.shop.session.sessionID
            let summary = try await ShoppingTrip.run(
                baseURL: baseURL, telemetry: phone.sdk, seed: seed, thinkTime: noTime,
            )
            #expect(summary.sessionID == session)
            #expect(summary.nextSessionID == phone.shop.session.sessionID)
            #expect(summary.nextSessionID != session)
            #expect(summary.total.currencyCode != "USD")
            #expect(summary.itemCount > 0)
            #expect(summary.steps.map(\.name) == TripPlan(seed: seed).steps.map { "tap \($0.widget)" })
            #expect(summary.errorMessages.count == 1)
            #expect(summary.errorMessages.first?.contains("American Express") == true)
            let spans = try phone.spans
            #expect(Set(spans.map(\.context.traceID.hex)) == Set(summary.steps.map(\.traceID)))
            #expect(spans.filter { $0.parentSpanID == .invalid }.count == summary.steps.count)
            let order = try #require(spans.first { $0.text("demo.order.id") == summary.orderID })
            #expect(order.context.traceID.hex == summary.checkoutTraceID)
            let refused = spans.filter { $0.context.traceID.hex == summary.refusedTraceID }
            #expect(try refused.one("POST /api/checkout").int("http.response.status_code") == 400)
            #expect(
                spans.path(to: try refused.one("POST /api/checkout"))
                    == "tap Place Order > CheckoutViewModel.placeOrder > CheckoutAPIService.placeOrder > POST /api/checkout"
            )
        }
    }

    @Test func `leads from each tap to the backend, and carries the baggage of whoever sent it`() async throws {
        try await withShop { baseURL, _ in
            let proxy = try proxy(to: baseURL) { _ in .pass }
            let phone = Phone(try proxy.baseURL)
            var baggage = Baggage()
            baggage[ShopBaggage.syntheticRequest] = "true"
            let summary = try await TelemetryContext.withBaggage(baggage) {
                try await ShoppingTrip.run(
                    baseURL: try proxy.baseURL, telemetry: phone.sdk, seed: 5, thinkTime: noTime,
                )
            }
            let sent = proxy.requests.compactMap { $0.header("traceparent") }
            let spans = try phone.spans.filter { $0.kind == .client }
            #expect(Set(sent) == Set(spans.map { TraceContextPropagator.traceParent(of: sampled($0.context)) }))
            #expect(sent.count == proxy.requests.count)
            for request in proxy.requests {
                let baggage = Baggage(header: request.header("baggage") ?? "")
                #expect(baggage["synthetic_request"] == "true")
                #expect(baggage["session.id"] == summary.sessionID)
            }
        }
    }

    /// OTLP does not carry the flags of a span that is recorded; they are these.
    private func sampled(_ context: SpanContext) -> SpanContext {
        SpanContext(traceID: context.traceID, spanID: context.spanID, flags: [.sampled, .random])
    }

    @Test func `succeeds without telemetry`() async throws {
        try await withShop { baseURL, _ in
            let summary = try await ShoppingTrip.run(
                baseURL: baseURL, telemetry: .disabled, seed: 1, thinkTime: noTime,
            )
            #expect(!summary.orderID.isEmpty)
            #expect(UUID(uuidString: summary.sessionID) != nil)
        }
    }

    @Test func `tries again what failed, and tells of it`() async throws {
        try await withShop { baseURL, _ in
            let products = Counting()
            let proxy = try proxy(to: baseURL) { request in
                request.target.hasPrefix("/api/products?") && products.next() == 1 ? .answer(503, "") : .pass
            }
            let phone = Phone(try proxy.baseURL)
            let summary = try await ShoppingTrip.run(
                baseURL: try proxy.baseURL, telemetry: phone.sdk, seed: 1, thinkTime: noTime,
            )
            #expect(summary.steps.prefix(2).map(\.name) == ["tap Go Shopping", "tap Go Shopping"])
            #expect(summary.errorMessages.count == 2)
        }
    }

    @Test func `is given up when a step keeps failing`() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:\(try refusedPort())"))
        let message = "The shop cannot be reached right now. Please try again in a moment."
        await #expect(throws: TripError.gaveUp(step: "Go Shopping", attempts: 3, message: message)) {
            try await ShoppingTrip.run(baseURL: url, telemetry: .disabled, seed: 1, thinkTime: noTime)
        }
    }

    @Test func `is given up in a shop that sells nothing`() async throws {
        let server = try RawServer { request, connection in
            connection.answer(200, request.target.hasPrefix("/api/cart") ? #"{"userId":"","items":[]}"# : "[]")
        }
        let url = try server.baseURL
        await #expect(throws: TripError.nothingThere(step: "Product")) {
            try await ShoppingTrip.run(baseURL: url, telemetry: .disabled, seed: 1, thinkTime: noTime)
        }
    }

    @Test func `fails where the shop takes the card that it should refuse`() async throws {
        try await withShop { baseURL, _ in
            let order =
                #"{"orderId":"lenient","shippingTrackingId":"t","shippingCost":{"currencyCode":"EUR","units":1,"nanos":0},"shippingAddress":{"streetAddress":"","city":"","state":"","country":"","zipCode":""},"items":[]}"#
            let proxy = try proxy(to: baseURL) { $0.target.hasPrefix("/api/checkout") ? .answer(200, order) : .pass }
            await #expect(throws: TripError.refusedCardWasAccepted(orderID: "lenient")) {
                try await ShoppingTrip.run(
                    baseURL: try proxy.baseURL, telemetry: .disabled, seed: 1, thinkTime: noTime,
                )
            }
        }
    }

    @Test func `takes its time before each step, and ends when it is cancelled`() async throws {
        let server = try RawServer { _, connection in connection.answer(500, "") }
        let url = try server.baseURL
        let clock = StepClock()
        let trip = Task {
            try await ShoppingTrip.run(
                baseURL: url, telemetry: .disabled, seed: 1, thinkTime: .seconds(1) ... .seconds(1), clock: clock,
            )
        }
        await clock.waitForSleeps(1)
        #expect(server.requests.isEmpty)
        clock.advance(by: .seconds(1))
        await clock.waitForSleeps(2)
        #expect(!server.requests.isEmpty)
        trip.cancel()
        await #expect(throws: CancellationError.self) { try await trip.value }
    }

    @Test func `names the screen that each step leads to`() async throws {
        try await withShop { baseURL, _ in
            let phone = Phone(baseURL)
            _ = try await ShoppingTrip.run(baseURL: baseURL, telemetry: phone.sdk, seed: 1, thinkTime: noTime)
            #expect(try phone.spans.one("CurrencyViewModel.loadCurrencies").text("app.screen.name") == "ProductList")
            let checkout = try #require(try phone.spans.first { $0.name == "CheckoutViewModel.placeOrder" })
            #expect(checkout.text("app.screen.id") == "checkout")
        }
    }
}
