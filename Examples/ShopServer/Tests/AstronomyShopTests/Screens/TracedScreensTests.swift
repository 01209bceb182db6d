#if os(Linux)
import Astrolabe
import AstrolabeTesting
import Foundation
import ViewTree
import SwiftUI
import AstrolabeTelemetryModel
import Testing

@testable import AstronomyShop

/// The shop on a host, with the SDK's real path of records behind it.
@MainActor
private struct TracedShop {
    let collector = TelemetryCollector()
    let device = SimulatedDevice()
    let telemetry: Telemetry
    let host: ViewHost

    init(_ baseURL: URL, _ mode: ViewTracingMode = .full) {
        var configuration = TelemetryConfiguration(serviceName: "astronomy-shop")
        configuration.viewTracing = mode
        configuration.conditions = device
        telemetry = collector.start(configuration)
        host = ViewHost(ContentView(shop: Phone(baseURL, telemetry: telemetry).shop))
    }

    /// The root spans of traced views by their start, once the app is in the background and all has been sent.
    func roots() async -> [Collected<SpanData>] {
        device.enterBackground()
        await telemetry.flush()
        return collector.spans.filter { $0.attributes["view.type"] == "swiftui" }
            .sorted { $0.startTimeUnixNano < $1.startTimeUnixNano }
    }
}

/// One row of the seed's table.
private struct SeedRow {
    let suffix: String
    let lifecycle: String
    let counter: String
}

@MainActor
@Suite(.timeLimit(.minutes(5))) struct `The shop's traced screens` {
    private static let table = [
        SeedRow(suffix: ".body", lifecycle: "body", counter: "view.body.evaluation"),
        SeedRow(suffix: ".onAppear", lifecycle: "onAppear", counter: "view.appear.count"),
        SeedRow(suffix: ".onDisappear", lifecycle: "onDisappear", counter: "view.disappear.count"),
    ]

    /// Holds the spans of a screen against the seed's table: kind, name, parent, times, attributes and no others.
    private func check(_ root: Collected<SpanData>, _ collector: TelemetryCollector, own: Set<String> = []) {
        let name = root.name
        #expect(root.kind == .client)
        #expect(root.parentSpanID == .invalid)
        #expect(root.attributes["view.name"]?.stringValue == name)
        #expect(keys(of: root) == own.union(["view.name", "view.type"]), "\(name)")
        for child in collector.children(of: root) {
            guard let row = Self.table.first(where: { child.name == name + $0.suffix }) else {
                Issue.record("\(child.name) is none of the table's")
                continue
            }
            #expect(child.kind == .client)
            #expect(keys(of: child) == ["view.lifecycle", row.counter], "\(child.name)")
            #expect(child.attributes["view.lifecycle"]?.stringValue == row.lifecycle)
            #expect(child.startTimeUnixNano >= root.startTimeUnixNano)
            #expect(child.endTimeUnixNano <= root.endTimeUnixNano)
            #expect((child.startTimeUnixNano == child.endTimeUnixNano) == (row.lifecycle != "body"))
        }
    }

    /// The keys, except those that every record carries.
    private func keys(of span: Collected<SpanData>) -> Set<String> {
        Set(span.attributes.map(\.key)).filter {
            !$0.hasPrefix("session.") && !$0.hasPrefix("app.screen.") && !$0.hasPrefix("network.")
        }
    }

    @Test func `have the seed's tree, from home to the confirmation`() async throws {
        try await withShop { baseURL, _ in
            let shop = TracedShop(baseURL)
            let host = shop.host
            try await host.openShop()
            try await host.addToCart("LS4PSXUNUM")
            host.goBack()
            host.tap("cart")
            try await host.waitUntil("the cart is there") { $0.contains("checkout") && host.isSettled }
            host.tap("checkout")
            try await host.waitUntil("the order can be placed") { $0.contains("checkout-total") && host.isSettled }
            host.tap("place-order")
            try await host.waitUntil("the order is placed") { $0.contains("order-id") }
            host.tap("continue-shopping")
            try await host.waitUntil("the cart is empty") { $0.contains("cart-empty") && host.isSettled }
            host.goBack()
            host.goBack()
            let roots = await shop.roots().filter { root in
                shop.collector.children(of: root).contains { $0.name == root.name + ".onAppear" }
            }
            #expect(
                roots.map(\.name) == [
                    "Home", "ProductList", "ProductDetail", "ProductList", "Cart", "Checkout", "Confirmation",
                    "ProductList", "Home",
                ])
            for root in roots {
                check(root, shop.collector, own: root.name == "ProductDetail" ? ["demo.product.id"] : [])
                let children = shop.collector.children(of: root).map(\.name)
                #expect(children.filter { $0.hasSuffix(".onAppear") }.count == 1, "\(root.name): \(children)")
            }
            for root in roots.dropLast() {
                #expect(shop.collector.children(of: root).last?.name == root.name + ".onDisappear")
            }
            #expect(shop.telemetry.views.traceCount == 1)
            #expect(host.issues.isEmpty)
        }
    }

    @Test func `name themselves on what happens there, after going back and after a sheet, too`() async throws {
        try await withShop { baseURL, _ in
            let shop = TracedShop(baseURL)
            let host = shop.host
            try await host.openShop()
            host.tap("currency")
            try await host.waitUntil("the currencies are offered") { $0.contains("currency-EUR") }
            host.tap("currency-done")
            host.tap("product-LS4PSXUNUM")
            try await host.waitUntil("the product is there") { $0.contains("add-to-cart") && host.isSettled }
            host.goBack()
            host.tap("cart")
            try await host.waitUntil("the cart is there") { $0.contains("cart-empty") && host.isSettled }
            host.goBack()
            host.goBack()
            host.tap("learn-more")
            await shop.telemetry.flush()
            let taps = shop.collector.events(named: "app.widget.click").map { tap in
                ["app.screen.name", "app.widget.id"].map { tap.attributes[$0]?.stringValue ?? "none" }
                    .joined(separator: ": ")
            }
            #expect(
                taps == [
                    "Home: go-shopping", "ProductList: currency", "Currency: currency-done",
                    "ProductList: product-LS4PSXUNUM", "ProductList: cart", "Home: learn-more",
                ])
            let request = try #require(shop.collector.spans.last { $0.name.hasPrefix("GET /api/recommendations") })
            #expect(request.attributes["app.screen.name"] == "ProductDetail")
            #expect(request.attributes["app.screen.id"] == "product-detail")
        }
    }

    @Test func `are one span and one event each in the compact form, and nothing when off`() async throws {
        try await withShop { baseURL, _ in
            let compact = TracedShop(baseURL, .compact)
            try await compact.host.openShop()
            compact.host.goBack()
            #expect(await compact.roots().isEmpty)
            let spans = compact.collector.spans(named: "app.screen.time_to_first_appear")
            #expect(spans.map { $0.attributes["app.screen.name"] } == ["Home", "ProductList"])
            let events = compact.collector.events(named: "app.screen.view_did_appear")
            #expect(events.map { $0.attributes["app.screen.name"] } == ["Home", "ProductList", "Home"])

            let off = TracedShop(baseURL, .off)
            try await off.host.openShop()
            #expect(await off.roots().isEmpty)
            #expect(off.collector.spans.allSatisfy { $0.attributes["app.screen.name"] == nil })
            #expect(off.collector.events(named: "app.widget.click").isEmpty)
        }
    }
}
#endif
