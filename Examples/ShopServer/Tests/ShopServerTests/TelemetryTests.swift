import CoreMetrics
import Foundation
import HTTPTypes
import InMemoryLogging
import Logging
import Metrics
import MetricsTestKit
import ShopAPI
import Testing

@testable import ShopServer

@Suite struct TelemetryTests {
    private static let phone = [
        "baggage": "session.id=0f0c6a52-5d5f-4a57-9f0e-2f3c64f4a1de,other=1", "X-Device-Id": "installation-7",
        "X-App-Version": "2.1.0+45", "X-Request-Id": "request-9",
    ]

    @Test(arguments: Transport.allCases)
    func `a checkout is one trace, its steps in order under the server's span`(transport: Transport) async throws {
        try await withTracedShop(transport) { shop, tracer in
            try await shop.add(Sample.flashlight, 2)
            _ = tracer.takeSpans()
            let route = ShopRoute.checkout(Sample.checkout(currency: "EUR"), currencyCode: "EUR")
            let order = try await shop.send(route, headers: Self.phone).decoded(CheckoutResponse.self)
            try Self.expectCheckoutTrace(tracer.takeSpans(), of: order)
        }
    }

    private static func expectCheckoutTrace(_ spans: [SeenSpan], of order: CheckoutResponse) throws {
        let server = try #require(spans.first { $0.isServer })
        #expect(server.name == "POST /api/checkout")
        #expect(server.parent == nil)
        let names = spans.filter { $0.parent == server.id }.map(\.name)
        #expect(
            names == [
                "read cart", "price items", "quote shipping", "convert currency", "charge card", "ship order",
                "confirm order",
            ])
        #expect(spans.allSatisfy { $0.trace == server.trace })
        let confirmation = try #require(spans.first { $0.name == "confirm order" })
        #expect(confirmation.attributes[DemoAttribute.orderId] == order.orderId)
        #expect(confirmation.attributes[DemoAttribute.currencyCode] == "EUR")
        let insert = try #require(spans.first { $0.name == "INSERT placed_order" })
        #expect(insert.isClient)
        #expect(insert.parent == confirmation.id)
        #expect(insert.attributes["db.system.name"] == "sqlite")
        let charge = try #require(spans.first { $0.name == "charge card" })
        #expect(charge.attributes[DemoAttribute.paymentCardType] == "VISA")
        #expect(charge.attributes[DemoAttribute.paymentCharged] == "true")
        #expect(spans.allSatisfy { $0.errors.isEmpty && !$0.isError })
    }

    @Test(arguments: Transport.allCases)
    func `the server's span has the phone's ids, the route and no postal address`(transport: Transport) async throws {
        try await withTracedShop(transport) { shop, tracer in
            let items = [CartItem(productId: Sample.flashlight, quantity: 1)]
            let route = ShopRoute.shipping(items: items, address: Sample.address, currencyCode: "EUR")
            #expect(try await shop.send(route, headers: Self.phone).status == 200)
            let span = try #require(tracer.takeSpans().last { $0.isServer })
            #expect(span.name == "GET /api/shipping")
            #expect(span.attributes["http.route"] == "/api/shipping")
            #expect(span.attributes["http.request.method"] == "GET")
            #expect(span.attributes["http.response.status_code"] == "200")
            #expect(span.attributes["session.id"] == "0f0c6a52-5d5f-4a57-9f0e-2f3c64f4a1de")
            #expect(span.attributes["app.installation.id"] == "installation-7")
            #expect(span.attributes["demo.app.version"] == "2.1.0+45")
            #expect(span.attributes["demo.request.id"] == "request-9")
            let query = try #require(span.attributes["url.query"])
            #expect(query.contains("address=REDACTED") && query.hasSuffix("currencyCode=EUR"))
            #expect(!query.contains("Amphitheatre"))

            #expect(try await shop.send("GET", "/nothing").status == 404)
            let unknown = try #require(tracer.takeSpans().last)
            #expect(unknown.name == "GET")
            #expect(unknown.attributes["http.route"] == nil)

            #expect(try await shop.send("PUT", "/api/cart").status == 405)
            #expect(tracer.takeSpans().last?.name == "PUT /api/cart")
        }
    }

    @Test func `a fault is an error on its own span and on the server's, a refusal only on its own`() async throws {
        try await withTracedShop(.inProcess) { shop, tracer in
            try await shop.add(Sample.flashlight)
            await shop.backend.faults.apply(try FaultFlagChange(["paymentUnreachable=on"]))
            _ = tracer.takeSpans()
            #expect(try await shop.send(.checkout(Sample.checkout())).status == 503)
            var spans = tracer.takeSpans()
            #expect(spans.first { $0.name == "charge card" }?.isError == true)
            let server = try #require(spans.last)
            #expect(server.isError)
            #expect(server.attributes["error.type"] == "503")

            await shop.backend.faults.set(FaultFlags())
            let expired = Sample.checkout(card: Sample.card(year: 2020))
            #expect(try await shop.send(.checkout(expired)).status == 400)
            spans = tracer.takeSpans()
            let charge = try #require(spans.first { $0.name == "charge card" })
            #expect(charge.isError)
            #expect(charge.errors == ["payment refused: expired"])
            #expect(spans.last?.isError == false)
        }
    }

    @Test func `orders, their amount, checkouts and payment failures are measured`() async throws {
        let metrics = TestMetrics()
        try await withMetricsFactory(metrics) {
            try await withShop(.inProcess) { shop in
                try await shop.add(Sample.flashlight, 2)
                #expect(try await shop.send(.checkout(Sample.checkout(card: Sample.card(year: 2020)))).status == 400)
                #expect(try await shop.send(.checkout(Sample.checkout(currency: "EUR"))).status == 200)
                let currency = [(DemoAttribute.currencyCode, "EUR")]
                #expect(try metrics.expectCounter(ShopMetrics.orders, currency).totalValue == 1)
                // 2 × 50.490933215 + the 15.904467050 that 17.98 USD are
                #expect(try metrics.expectRecorder(ShopMetrics.orderAmount, currency).values == [116.89])
                let expired = [(DemoAttribute.paymentFailureReason, "expired")]
                #expect(try metrics.expectCounter(ShopMetrics.paymentFailures, expired).totalValue == 1)
                for outcome in ["placed", "refused"] {
                    let dimensions = [("demo.checkout.outcome", outcome)]
                    #expect(try metrics.expectTimer(ShopMetrics.checkoutDuration, dimensions).values.count == 1)
                }
            }
        }
    }

    @Test func `requests are measured after the semantic conventions`() async throws {
        let metrics = TestMetrics()
        try await withMetricsFactory(metrics) {
            try await withShop(.inProcess) { shop in
                try await shop.add(Sample.flashlight)
                await shop.backend.faults.apply(try FaultFlagChange(["cartFailure=100"]))
                #expect(try await shop.add(Sample.flashlight).status == 500)
                #expect(try await shop.send("BREW", "/nothing").status == 404)
                let post = [("http.request.method", "POST"), ("url.scheme", "http")]
                let route = ("http.route", "/api/cart")
                let failure = ("error.type", "500")
                func status(_ code: String) -> (String, String) { ("http.response.status_code", code) }
                let expected: [[(String, String)]] = [
                    [post[0], post[1], route, status("200")], [post[0], post[1], route, status("500"), failure],
                    [("http.request.method", "_OTHER"), post[1], status("404")],
                ]
                for dimensions in expected {
                    #expect(try metrics.expectTimer("http.server.request.duration", dimensions).values.count == 1)
                }
                #expect(try metrics.expectMeter("http.server.active_requests", post).values == [1, 0, 1, 0])
                let active = try #require(ShopMetrics.instruments["http.server.active_requests"])
                #expect(active.unit == "{request}" && active.isUpDownCounter)
            }
        }
    }

    @Test func `made-up paths make no metrics of their own`() async throws {
        let metrics = TestMetrics()
        try await withMetricsFactory(metrics) {
            try await withShop(.inProcess) { shop in
                for index in 0..<20 {
                    _ = try await shop.send("GET", "/nothing/\(index)")
                }
                let dimensions = (metrics.counters.map(\.dimensions) + metrics.timers.map(\.dimensions)).joined()
                #expect(!dimensions.isEmpty)
                #expect(dimensions.allSatisfy { !$0.1.contains("/nothing") })
            }
        }
    }

    @Test(arguments: Transport.allCases)
    func `every log line of a request has the phone's ids`(transport: Transport) async throws {
        let log = InMemoryLogHandler()
        try await withShop(transport) {
            $0.logger = Logger(label: "shop") { _ in log }
        } _: { shop in
            let route = ShopRoute.addToCart(
                AddItemRequest(userId: "session-1", item: CartItem(productId: Sample.flashlight, quantity: 1)))
            _ = try await shop.send(route, headers: Self.phone)
            let lines = log.entries.filter { $0.metadata["demo.request.id"] == "request-9" }
            #expect(lines.map(\.message.description) == ["cart changed", "POST /api/cart 200"])
            for line in lines {
                #expect(line.metadata["session.id"] == "0f0c6a52-5d5f-4a57-9f0e-2f3c64f4a1de")
                #expect(line.metadata["app.installation.id"] == "installation-7")
                #expect(line.metadata["demo.app.version"] == "2.1.0+45")
            }
            #expect(lines.last?.metadata["http.response.status_code"]?.description == "200")
        }
    }

    @Test func `the log line of an order has its amount as a number, and the currency`() async throws {
        let log = InMemoryLogHandler()
        try await withShop(.inProcess) {
            $0.logger = Logger(label: "shop") { _ in log }
        } _: { shop in
            try await shop.add(Sample.flashlight)
            #expect(try await shop.send(.checkout(Sample.checkout(currency: "EUR"))).status == 200)
            let line = try #require(log.entries.first { $0.message.description == "order placed" })
            guard case .stringConvertible(let amount) = line.metadata[DemoAttribute.orderAmount] else {
                Issue.record("expected a number, found \(line.metadata)")
                return
            }
            #expect((amount as? Double) == 58.44)
            #expect(line.metadata[DemoAttribute.currencyCode] == "EUR")
        }
    }

    @Test func `ids that are too long or could forge a log line are left out`() {
        func correlation(_ headers: [String: String]) -> Correlation {
            Correlation(
                headers: HTTPFields(
                    headers.compactMap { name, value in HTTPField.Name(name).map { HTTPField(name: $0, value: value) } }
                ))
        }
        #expect(correlation(["X-Session-Id": "abc"]).sessionId == "abc")
        #expect(correlation(["X-Session-Id": "abc", "baggage": "session.id=def"]).sessionId == "def")
        #expect(correlation(["baggage": "session.id=a%0Ab"]).sessionId == nil)
        #expect(correlation(["X-Request-Id": String(repeating: "a", count: 129)]).requestId == nil)
        #expect(correlation(["X-Request-Id": String(repeating: "a", count: 128)]).requestId != nil)
        #expect(correlation(["X-Device-Id": "a b"]).installationId == nil)
        #expect(correlation(["X-App-Version": "1.0\" injected=\""]).appVersion == nil)
        #expect(correlation(["baggage": "synthetic_request=true"]).isSynthetic)
        #expect(!correlation(["baggage": "synthetic_request=1"]).isSynthetic)
    }

    @Test func `baggage is read after the specification, within its limits`() {
        let baggage = BaggageHeader(header: " a = 1 ;p=q , b=%C3%A9;x, c , =d, e=%zz,f=x=y")
        #expect(baggage["a"] == "1")
        #expect(baggage["b"] == "é")
        #expect(baggage["c"] == nil)
        #expect(baggage["e"] == nil)
        #expect(baggage["f"] == "x=y")
        let many = (0..<100).map { "k\($0)=v" }.joined(separator: ",")
        #expect(BaggageHeader(header: many)["k63"] == "v")
        #expect(BaggageHeader(header: many)["k64"] == nil)
        #expect(BaggageHeader(header: "a=" + String(repeating: "x", count: 9_000) + ",b=1")["b"] == nil)
        #expect(BaggageHeader(header: nil)["a"] == nil)
    }

    @Test(arguments: Transport.allCases)
    func `a load generator's order is placed and not charged`(transport: Transport) async throws {
        let log = InMemoryLogHandler()
        try await withTracedShop(transport) {
            $0.logger = Logger(label: "shop") { _ in log }
        } _: { shop, tracer in
            try await shop.add(Sample.flashlight)
            let answer = try await shop.send(
                .checkout(Sample.checkout()), headers: ["baggage": "session.id=s,synthetic_request=true"],
            )
            #expect(answer.status == 200)
            let charge = try #require(tracer.takeSpans().first { $0.name == "charge card" })
            #expect(charge.attributes[DemoAttribute.paymentCharged] == "false")
            let line = try #require(log.entries.first { $0.message.description == "order placed" })
            #expect(line.metadata[DemoAttribute.paymentCharged]?.description == "false")
        }
    }
}
