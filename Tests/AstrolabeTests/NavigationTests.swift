import Astrolabe
import AstrolabeTesting
import Foundation
import Testing

@Suite struct `Opening the app` {
    private let collector = TelemetryCollector()

    private func event(_ name: String, _ record: (Telemetry) -> Void) async throws -> Attributes {
        let telemetry = collector.start(TelemetryConfiguration(serviceName: "shop"))
        record(telemetry)
        await telemetry.shutdown()
        return try #require(collector.events(named: name).last).attributes
    }

    @Test(
        arguments: [
            (
                "myapp://orders/7?token=hunter2&ref=mail#access=hunter2",
                "myapp://orders/7?token=REDACTED&ref=REDACTED#REDACTED",
            ),
            ("https://jane:hunter2@shop.example/a/b?hunter2", "https://shop.example/a/b?REDACTED"),
            ("https://shop.example:8443/login/hunter2hunter2hunter2/x", "https://shop.example:8443/login/REDACTED/x"),
            ("https://shop.example/hunterhunterhunterhunterhunterhunter", "https://shop.example/REDACTED"),
            ("https://shop.example/u/jane%40example.com", "https://shop.example/u/REDACTED"),
            ("MyApp://welcome", "myapp://welcome"),
            ("https://shop.example/#hunter2", "https://shop.example/#REDACTED"),
            ("mailto:hunter2@example.com", nil), ("tel:+15551234567", nil),
        ] as [(String, String?)])
    func `by a link records no value of its query, its fragment or a token`(link: String, text: String?) async throws {
        let url = try #require(URL(string: link))
        let attributes = try await event("astrolabe.link.open") { $0.recordLink(url) }
        #expect(attributes["url.full"] == text.map { .string($0) })
        #expect(attributes["url.scheme"] == url.scheme.map { .string($0.lowercased()) })
        #expect(attributes["astrolabe.link.source"] == (link.hasPrefix("https") ? "universal" : "scheme"))
        #expect(!"\(collector.events)".contains("hunter2"))
    }

    @Test func `by a link with a template records nothing else of the address`() async throws {
        let url = try #require(URL(string: "https://shop.example/orders/4711?x=y"))
        let attributes = try await event("astrolabe.link.open") {
            $0.recordLink(url, template: "/orders/{id}", source: "qr code")
        }
        #expect(attributes["url.template"] == "/orders/{id}")
        #expect(attributes["url.full"] == nil)
        #expect(attributes["astrolabe.link.source"] == "qr code")
        #expect(!"\(attributes)".contains("4711"))
    }

    @Test func `by a notification records its category, its origin and a hash`() async throws {
        let attributes = try await event("astrolabe.notification.open") {
            $0.recordNotificationOpen(identifier: "a", category: "order_shipped", isRemote: true)
        }
        // The published test vector of 64 bits of FNV-1a.
        #expect(attributes["astrolabe.notification.id"] == "af63dc4c8601ec8c")
        #expect(attributes["astrolabe.notification.category"] == "order_shipped")
        #expect(attributes["astrolabe.notification.action"] == "open")
        #expect(attributes["astrolabe.notification.origin"] == "remote")
        let other = try await event("astrolabe.notification.open") {
            $0.recordNotificationOpen(identifier: "b", category: "", action: "dismiss")
        }
        #expect(other["astrolabe.notification.category"] == nil)
        #expect(other["astrolabe.notification.origin"] == nil)
    }

    @Test func `and moving in it records the screens, the cause and the duration`() async throws {
        let attributes = try await event("app.navigation.complete") { telemetry in
            telemetry.setScreen("Cart")
            telemetry.recordNavigation(to: "Order", trigger: "link", duration: .milliseconds(250))
        }
        #expect(attributes["app.screen.name"] == "Order")
        #expect(attributes["astrolabe.navigation.from"] == "Cart")
        #expect(attributes["astrolabe.navigation.trigger"] == "link")
        #expect(attributes["astrolabe.navigation.duration"] == 0.25)
        let same = try await event("app.navigation.complete") { telemetry in
            telemetry.setScreen("Order")
            telemetry.recordNavigation(to: "Order")
        }
        #expect(same["astrolabe.navigation.from"] == nil)
    }

    @Test func `in another window records the scene without its identifier`() async throws {
        let attributes = try await event("astrolabe.scene.change") { $0.recordScene(.active, identifier: "a") }
        #expect(attributes["astrolabe.scene.id"] == "af63dc4c8601ec8c")
        #expect(attributes["astrolabe.scene.state"] == "active")
    }
}
