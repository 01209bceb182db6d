import Astrolabe
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import Foundation
import ShopAPI
import ShopServer
import Testing

@testable import AstronomyShop

@Suite(.timeLimit(.minutes(5))) struct `A demonstration` {
    @Test(arguments: [
        ("OLJCESPC7Z", 7, nil), ("OLJCESPC7Z", 8, DemoTrigger.metricsPayload), ("OLJCESPC7Z", 9, .hang),
        ("OLJCESPC7Z", 10, .crash), ("OLJCESPC7Z", 11, nil), ("9SIQT8TOJO", 1, .cpuBurn), ("9SIQT8TOJO", 5, .cpuBurn),
        ("HQTGWGPNH4", 1, .slowAnimation), ("LS4PSXUNUM", 10, nil),
    ])
    func `is set off by a product and how many of it the cart holds`(id: String, quantity: Int, trigger: DemoTrigger?) {
        #expect(DemoTrigger.whenAdding(productID: id, quantity: 1, quantityInCart: quantity) == trigger)
    }

    @Test(arguments: [(9, 19, DemoTrigger.hang), (10, 20, .crash), (1, 11, nil), (2, 12, nil)])
    func `is set off by the pieces that are added if those of an earlier one are still in the cart`(
        quantity: Int, held: Int, trigger: DemoTrigger?,
    ) {
        #expect(
            DemoTrigger.whenAdding(productID: "OLJCESPC7Z", quantity: quantity, quantityInCart: held) == trigger)
    }

    @Test func `asks before it does anything, in words of its own`() {
        #expect(DemoTrigger.crash.question.contains("will crash the app"))
        #expect(Set(DemoTrigger.allCases.map(\.question)).count == DemoTrigger.allCases.count)
        #expect(DemoTrigger.hang.duration == .seconds(10))
        #expect(DemoTrigger.cpuBurn.duration == .milliseconds(3_500))
        #expect(DemoTrigger.slowAnimation.duration == .seconds(10))
    }

    @Test func `follows the tenth Explorascope in the cart, however it got there`() async throws {
        try await withPhone { phone, _ in
            let cart = phone.shop.cart
            let scope = try await phone.shop.services.products.fetchProduct(id: "OLJCESPC7Z", currencyCode: "USD")
            await cart.addProduct(scope, quantity: 7)
            #expect(cart.pendingDemo == nil)
            await cart.addProduct(scope)
            #expect(cart.pendingDemo == .metricsPayload)
            await cart.setQuantity(9, of: try #require(cart.lines.first))
            #expect(cart.pendingDemo == .hang)
            await cart.addProduct(scope)
            #expect(cart.pendingDemo == .crash)
            #expect(phone.performed.names.isEmpty)
            let span = try #require(try phone.spans.last { $0.name == "CartViewModel.addProduct" })
            #expect(span.text("demo.trigger") == "crash")
            cart.declineDemo()
            #expect(cart.pendingDemo == nil)
            #expect(phone.performed.names.isEmpty)
            await cart.setQuantity(9, of: try #require(cart.lines.first))
            #expect(cart.pendingDemo == nil, "lowering sets nothing off")
        }
    }

    @Test(arguments: [
        (DemoTrigger.crash, "OLJCESPC7Z", 10, "crash"), (.hang, "OLJCESPC7Z", 9, "hang"),
        (.metricsPayload, "OLJCESPC7Z", 8, "sendMetricsPayload"), (.cpuBurn, "9SIQT8TOJO", 1, "burnCPU"),
    ])
    func `says what set it off before it happens`(
        trigger: DemoTrigger, productID: String, quantity: Int, performed: String,
    ) async throws {
        try await withPhone { phone, _ in
            let product = try await phone.shop.services.products.fetchProduct(id: productID, currencyCode: "USD")
            await phone.shop.cart.addProduct(product, quantity: quantity)
            #expect(phone.shop.cart.pendingDemo == trigger)
            phone.shop.cart.confirmDemo(trigger)
            #expect(phone.performed.names == [performed])
            #expect(phone.performed.durations == (trigger.duration.map { [$0] } ?? []))
            let event = try #require(phone.performed.lastEventBefore)
            #expect(event.eventName == "demo.\(trigger.rawValue)_triggered")
            #expect(event.attributes["demo.trigger"] == .string(trigger.rawValue))
            #expect(event.attributes["demo.trigger.cause"] == .string(trigger.cause))
            #expect(event.attributes["demo.trigger.duration"]?.doubleValue == trigger.duration.map { $0 / .seconds(1) })
            #expect(event.attributes["demo.type"] == .string(trigger.demoType))
            #expect(event.severityText == "WARN")
            #expect(phone.shop.cart.pendingDemo == nil)
        }
    }

    @Test func `of a crash is a span, in which the app ends`() async throws {
        try await withPhone { phone, _ in
            phone.shop.cart.confirmDemo(.crash)
            let span = try phone.spans.one("demo.crash")
            #expect(span.text("demo.type") == "intentional_crash")
            #expect(span.text("demo.trigger.cause") == "10_explorascopes_in_cart")
        }
    }

    @Test func `of the comet lasts until the screen says so, and is a span`() async throws {
        try await withPhone { phone, _ in
            let book = try await phone.shop.services.products.fetchProduct(id: "HQTGWGPNH4", currencyCode: "USD")
            await phone.shop.cart.addProduct(book)
            phone.shop.cart.confirmDemo(.slowAnimation)
            #expect(phone.shop.cart.showsSlowAnimation)
            #expect(try !phone.spans.contains { $0.name == "demo.slow_animation" })
            phone.shop.cart.slowAnimationEnded()
            #expect(!phone.shop.cart.showsSlowAnimation)
            let span = try phone.spans.one("demo.slow_animation")
            #expect(span.text("demo.trigger.cause") == "comet_book_added")
            #expect(span.text("demo.component") == "SlowCometAnimation")
            #expect(span.text("demo.animation.type") == "linear_offset")
            #expect(span.status == .ok)
            let addition = try #require(try phone.spans.last { $0.name == "CartViewModel.addProduct" })
            #expect(addition.text("demo.view_model") == "CartViewModel")
        }
    }

    @Test @MainActor func `that computes keeps the main thread busy for at least as long as it says`() throws {
        let phone = Phone(try #require(URL(string: "http://127.0.0.1:1")))
        let start = ContinuousClock.now
        DemoPerformer.live(phone.telemetry).burnCPU(.milliseconds(150))
        #expect(ContinuousClock.now - start >= .milliseconds(150))
    }

    @Test @MainActor func `that hangs blocks the main thread for at least as long as it says`() throws {
        let phone = Phone(try #require(URL(string: "http://127.0.0.1:1")))
        let start = ContinuousClock.now
        DemoPerformer.live(phone.telemetry).hang(.milliseconds(150))
        #expect(ContinuousClock.now - start >= .milliseconds(150))
    }

    @Test func `that crashes ends the process`() async {
        await #expect(processExitsWith: .failure) {
            let phone = await Phone(URL(fileURLWithPath: "/"))
            await DemoPerformer.live(phone.telemetry).crash()
        }
    }

    @Test @MainActor func `of a metrics payload marks every point as made up`() throws {
        let phone = Phone(try #require(URL(string: "http://127.0.0.1:1")))
        DemoPerformer.live(phone.telemetry).sendMetricsPayload()
        phone.sdk.collectMetrics()
        let metrics = try phone.sink.metrics.filter { $0.name.hasPrefix("demo.payload.") }
        #expect(metrics.count == 5)
        for metric in metrics {
            switch metric.data {
            case .gauge(let points): #expect(points.allSatisfy { $0.attributes["demo.simulated"] == true })
            case .histogram(let points, _): #expect(points.allSatisfy { $0.attributes["demo.simulated"] == true })
            default: Issue.record("\(metric.name) is neither a gauge nor a histogram")
            }
        }
    }
}
