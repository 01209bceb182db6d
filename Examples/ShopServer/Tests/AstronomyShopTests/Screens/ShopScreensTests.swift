#if os(Linux)
import Astrolabe
import Foundation
import ViewTree
import ShopAPI
import SwiftUI
import AstrolabeTelemetryModel
import Testing

@testable import AstronomyShop

/// The shop's screens on a host, as a person would have them before them.
@MainActor
func screens(of phone: Phone) -> ViewHost {
    ViewHost(ContentView(shop: phone.shop))
}

extension ViewHost {
    /// Opens the shop and waits for its catalogue.
    func openShop() async throws {
        tap("go-shopping")
        try await waitUntil("the catalogue is there") { $0.contains("product-LS4PSXUNUM") }
        try await waitUntil("the currencies and the cart are loaded") { _ in self.isSettled }
    }

    /// Opens a product of the catalogue, and waits for what the shop says of it.
    func openProduct(_ id: String) async throws {
        tap("product-\(id)")
        try await waitUntil("the product is there") { $0.contains("add-to-cart") && $0.contains("advertisements") }
    }

    func addToCart(_ id: String) async throws {
        try await openProduct(id)
        tap("add-to-cart")
        try await waitUntil("the cart has it") { $0.contains("quantity-in-cart") }
    }

    func goBack() {
        if let page = tree.root.all({ $0.actions.contains(.back) }).last {
            send(ViewEvent(node: page.id, action: .back))
        }
    }

    var identifiers: [String] {
        tree.root.all { $0.properties["identifier"] != nil }.compactMap { $0.properties["identifier"]?.string }
    }

    func text(of identifier: String) -> String {
        tree.root.identified(by: identifier)?.texts.joined(separator: " ") ?? ""
    }
}

@MainActor
@Suite(.timeLimit(.minutes(5))) struct `The shop's screens` {
    @Test func `lead from the first to the order, through a refused card and into a new session`() async throws {
        try await withPhone { phone, _ in
            let host = screens(of: phone)
            let session = phone.shop.session.sessionID
            try await host.openShop()
            #expect(host.tree.contains(text: "$57.08"))
            try await host.addToCart("LS4PSXUNUM")
            #expect(host.tree.contains(text: "In your cart: 1"))
            let recommended = try #require(host.identifiers.first { $0.hasPrefix("recommended-") })
            host.tap(recommended)
            try await host.waitUntil("the recommended product is there") { tree in
                tree.contains("add-to-cart") && !tree.contains(text: "In your cart: 1")
            }
            host.goBack()
            host.goBack()
            host.tap("cart")
            try await host.waitUntil("the cart is there") { $0.contains("cart-total") }
            #expect(host.text(of: "cart-total") == "Total $57.08")
            host.tap("checkout")
            try await host.waitUntil("the shipping cost came by itself") { _ in
                host.text(of: "shipping-cost") == "Shipping: $8.99"
            }
            #expect(host.text(of: "checkout-total") == "Total $66.07")
            host.tap("use-refused-card")
            try await host.waitUntil("that card is in the form") {
                $0.root.identified(by: "payment-cardNumber")?.properties["text"] == "3782-822463-10005"
            }
            host.tap("place-order")
            try await host.waitUntil("the card is refused") { $0.contains("checkout-error") }
            #expect(host.text(of: "checkout-error").lowercased().contains("only visa or mastercard"))
            let shown = host.identifiers
            #expect(
                try #require(shown.firstIndex(of: "checkout-error")) + 1 == shown.firstIndex(of: "place-order"),
                "above the button that was tapped")
            host.tap("use-accepted-card")
            try await host.waitUntil("the accepted card is in the form") {
                $0.root.identified(by: "payment-cardNumber")?.properties["text"] == "4432-8015-6152-0454"
            }
            host.tap("place-order")
            try await host.waitUntil("the order is placed") { $0.contains("order-id") }
            #expect(host.text(of: "order-total") == "Total $66.07")
            #expect(phone.shop.session.sessionID != session)
            host.tap("continue-shopping")
            try await host.waitUntil("the cart is empty") { $0.contains("cart-empty") }
            host.tap("cart-shop")
            try await host.waitUntil("the shop is there again") { tree in
                tree.contains("product-LS4PSXUNUM") && !tree.contains("cart-empty")
            }
            #expect(host.issues.isEmpty)
        }
    }

    @Test func `show every amount in the currency that is chosen`() async throws {
        try await withPhone { phone, _ in
            let host = screens(of: phone)
            try await host.openShop()
            host.tap("currency")
            try await host.waitUntil("the currencies are offered") { $0.contains("currency-EUR") }
            host.tap("currency-EUR")
            try await host.waitUntil("prices are in euros") { $0.contains(text: "€50.49") }
            #expect(!host.tree.contains(text: "$"))
            #expect(host.tree.contains(text: "EUR"))
            #expect(host.tree.root.first { $0.kind == .sheet } == nil)
        }
    }

    @Test func `find products by the words that are searched for`() async throws {
        try await withPhone { phone, _ in
            let host = screens(of: phone)
            try await host.openShop()
            let search = try #require(host.tree.root.first { $0.kind == .search })
            host.send(ViewEvent(node: search.id, action: .change, value: "comet"))
            #expect(host.tree.contains("product-HQTGWGPNH4"))
            #expect(!host.tree.contains("product-LS4PSXUNUM"))
            host.send(ViewEvent(node: search.id, action: .change, value: "spaceship"))
            #expect(host.tree.contains(text: "No product matches “spaceship”."))
        }
    }

    @Test func `change quantities, take things out and empty the cart only when asked twice`() async throws {
        try await withPhone { phone, _ in
            let host = screens(of: phone)
            try await host.openShop()
            try await host.addToCart("L9ECAV7KIM")
            host.goBack()
            host.tap("cart")
            try await host.waitUntil("the cart is there") { $0.contains("quantity-L9ECAV7KIM") && host.isSettled }
            host.perform(.increment, on: "quantity-L9ECAV7KIM")
            try await host.waitUntil("there are two") { $0.contains(text: "Quantity: 2") }
            #expect(host.text(of: "cart-total") == "Total $43.90")
            host.tap("empty-cart")
            #expect(host.tree.root.first { $0.kind == .dialog }?.properties["title"] == "Empty the cart?")
            host.tap("empty-cart-confirm")
            try await host.waitUntil("the cart is empty") { $0.contains("cart-empty") }
        }
    }

    @Test func `say what is wrong with a form, and disclose the next step when nothing is`() async throws {
        try await withPhone { phone, _ in
            let host = screens(of: phone)
            try await host.openShop()
            try await host.addToCart("LS4PSXUNUM")
            host.goBack()
            host.tap("cart")
            try await host.waitUntil("the cart is there") { $0.contains("checkout") && host.isSettled }
            host.tap("checkout")
            try await host.waitUntil("the order could be placed") { $0.contains("checkout-total") && host.isSettled }
            host.enter("", into: "shipping-city")
            #expect(host.text(of: "shipping-city-problem") == "Enter the city.")
            #expect(!host.tree.contains("payment-cardNumber"))
            #expect(host.text(of: "shipping-cost").contains("once the address is complete"))
            host.enter("Flagstaff", into: "shipping-city")
            #expect(host.tree.contains("payment-cardNumber"))
            host.perform(.submit, on: "shipping-zipCode")
            #expect(
                host.tree.root.identified(by: "payment-cardNumber")?.first { $0.properties["focused"] == true } != nil)
            host.tap("checkout-cancel")
            #expect(host.tree.root.first { $0.kind == .sheet } == nil)
        }
    }

    @Test func `ask before a demonstration, and show the comet when they are told to`() async throws {
        try await withPhone { phone, _ in
            let host = screens(of: phone)
            try await host.openShop()
            try await host.openProduct("HQTGWGPNH4")
            host.tap("add-to-cart")
            try await host.waitUntil("it is asked about") { $0.contains("demo-confirm") }
            #expect(host.tree.contains(text: "this will show a slow animation"))
            host.tap("demo-decline")
            #expect(phone.shop.cart.pendingDemo == nil)
            try await host.waitUntil("it can be added again") { _ in !phone.shop.cart.isLoading }
            host.tap("add-to-cart")
            try await host.waitUntil("it is asked about again") { $0.contains("demo-confirm") }
            host.tap("demo-confirm")
            #expect(host.tree.contains("leave-comet"))
            host.tap("leave-comet")
            try await host.waitUntil("the comet is gone") { !$0.contains("leave-comet") }
            #expect(!phone.shop.cart.showsSlowAnimation)
        }
    }

    @Test func `explain every demonstration: what sets it off, and what telemetry shows of it`() async throws {
        try await withPhone { phone, _ in
            let host = screens(of: phone)
            host.tap("learn-more")
            for (name, cause, evidence) in [
                ("Crash", "ten National Park Foundation Explorascopes", "the failing line"),
                ("Hang", "nine of them", "the stack of the main thread"),
                ("Metrics payload", "eight of them", "Simulated values"),
                ("Busy processor", "the Optical Tube Assembly", "flame graph"),
                ("Slow animation", "The Comet Book", "is late"),
            ] {
                let row = host.tree.root.first { $0.kind == .hstack && $0.texts.first == name }
                let words = try #require(row, "\(name)").texts.joined(separator: " ")
                #expect(words.contains(cause) && words.contains(evidence), "\(words)")
            }
        }
    }

    @Test func `tell telemetry which screen they are and what was touched`() async throws {
        try await withPhone { phone, _ in
            let host = screens(of: phone)
            host.tap("otel-button")
            try await host.waitUntil("it is counted") { $0.contains(text: "Events sent: 1") }
            let tap = try #require(try phone.events.first { $0.eventName == "app.widget.click" })
            #expect(tap.attributes["app.widget.id"] == "otel-button")
            #expect(tap.attributes["app.screen.name"] == "Home")
        }
    }
}

@MainActor
@Suite(.timeLimit(.minutes(5))) struct `A screen without the shop` {
    /// Nothing listens there.
    private func stranded() throws -> Phone { Phone(try #require(URL(string: "http://127.0.0.1:9"))) }

    @Test func `says so, and offers to try again`() async throws {
        let host = screens(of: try stranded())
        host.tap("go-shopping")
        #expect(host.tree.contains(text: "Loading products"))
        try await host.waitUntil("it says so") { $0.contains("products-retry") }
        #expect(host.tree.contains(text: "The shop cannot be reached right now."))
        host.tap("products-retry")
        try await host.waitUntil("it says so again") { $0.contains("products-retry") }
        host.tap("cart")
        try await host.waitUntil("the cart says so, too") { $0.contains("cart-retry") }
    }
}

@MainActor
@Suite struct `Every screen` {
    @Test func `can be read aloud: what can be touched has words`() async throws {
        try await withPhone { phone, _ in
            let host = screens(of: phone)
            @MainActor func check(_ screen: String) {
                for node in host.tree.root.all({ $0.actions.contains(.tap) }) {
                    let words = (node.properties["label"]?.string).map { [$0] } ?? node.texts
                    #expect(!words.joined().isEmpty, "\(screen): \(node.outline)")
                }
            }
            check("home")
            host.tap("learn-more")
            check("about")
            host.goBack()
            try await host.openShop()
            check("shop")
            try await host.openProduct("LS4PSXUNUM")
            check("product")
        }
    }

    @Test func `has larger letters for those who want them, and lays itself out anew`() async throws {
        try await withPhone { phone, _ in
            let host = screens(of: phone)
            try await host.openShop()
            let row = try #require(host.tree.root.identified(by: "product-LS4PSXUNUM"))
            #expect(row.first { $0.kind == .hstack } != nil)
            host.traits.dynamicTypeSize = .accessibility3
            let large = try #require(host.tree.root.identified(by: "product-LS4PSXUNUM"))
            #expect(large.id == row.id)
            #expect(large.first { $0.kind == .hstack } == nil)
            #expect(large.first { $0.kind == .text }?.properties["fontSize"] == 40)
        }
    }
}
#endif
