import AstrolabeCommands
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import ConsoleModel
import DeviceLink
import Foundation
import Testing
import ViewTree

@testable import DeviceSimulator

/// The shop's process on a phone that is set to a language.
@Suite(.serialized, .timeLimit(.minutes(10))) struct `A phone's language` {
    @Test func `is that of the app, which starts again in it after a change`() async throws {
        try await PhoneUnderTest.run { subject in
            let phone = subject.phone
            try await phone.launched()
            try await phone.wait(for: "English") { $0.screen?.contains(text: "Go Shopping") == true }
            try await phone.set { $0.locale = "de_DE" }
            try await phone.wait(for: "German") { look in
                look.app.phase == .active && look.screen?.contains(text: "Zum Shop") == true
            }
            #expect(await phone.state.app.launches == 2)
            try await phone.set { $0.isDark = true }
            #expect(await phone.state.app.launches == 2, "other settings reach the running app")
            try await phone.perform(.background)
            try await phone.set { $0.locale = "ja_JP" }
            #expect(try await phone.ended()?.kind == .exit)
            #expect(await phone.state.app.launches == 2, "an app in the background is ended only")
            try await phone.launched()
            try await phone.wait(for: "Japanese") { $0.screen?.contains(text: "ショップを見る") == true }
        }
    }

    @Test func `changes what a purchase shows, and nothing of what it records but the locale`() async throws {
        let english = try await Self.purchase("en_US", total: "$66.07", refusal: "only VISA or MasterCard is accepted")
        #expect(english.names.contains("tap Place Order"), "\(english.names.sorted())")
        #expect(english.locales == ["en_US"])
        let others = [
            ("ar_EG", "٦٦٫٠٧\u{A0}US$", "VISA أو MasterCard فقط"),
            ("de_DE", "66,07\u{A0}$", "nur VISA oder MasterCard"),
        ]
        for (locale, total, refusal) in others.prefix(Thoroughness.count(1, thorough: 2)) {
            let other = try await Self.purchase(locale, total: total, refusal: refusal)
            #expect(other.names.symmetricDifference(english.names) == [], "\(locale)")
            #expect(other.locales == [locale])
        }
    }

    private struct Recorded {
        /// Of spans, the shop's events, screens and controls. Others depend on how fast the run is.
        var names: Set<String> = []
        var locales: Set<String> = []
    }

    private static func purchase(_ locale: String, total: String, refusal: String) async throws -> Recorded {
        var scenario = try ScenarioReader.read(
            """
            scenario: A purchase in another language
            steps:
              - set: { locale: \(locale) }
              - launch
              - tap: go-shopping
              - tap: product-LS4PSXUNUM
              - tap: add-to-cart
              - wait: quantity-in-cart
              - back
              - tap: cart
              - tap: checkout
              - wait: shipping-cost
              - tap: use-refused-card
              - tap: place-order
              - wait: { id: checkout-error, text: "\(refusal)" }
              - tap: use-accepted-card
              - tap: place-order
              - wait: { id: order-total, text: "\(total)" }
              - background
              - telemetry: { span: CheckoutViewModel.placeOrder, count: 2 }
              - status: { balanced: true, dropped: 0 }
            """)
        scenario.allowMoreTime()
        return try await PhoneUnderTest.run { [scenario] subject in
            let evidence = StoreEvidence(subject.store)
            try await ScenarioRunner(phone: subject.phone, evidence: evidence).play(scenario)
            // The last status comes after all was sent. One of a running app may be a second old.
            try await subject.phone.perform(.terminate)
            #expect(try await subject.phone.ended()?.kind == .exit)
            let ledger = await subject.phone.status?.ledger
            #expect(ledger.map { $0.inJournal + $0.inQueue } == 0, "\(String(describing: ledger))")
            return try await Self.recorded(in: subject.store)
        }
    }

    private static func recorded(in store: any TelemetryStore) async throws -> Recorded {
        var recorded = Recorded()
        for session in try await store.sessions().elements {
            var query = TimelineQuery(session: session.id, limit: 1_000)
            repeat {
                let page = try #require(try await store.timeline(query))
                for item in page.items {
                    let (name, origin, attributes) =
                        switch item {
                        case .span(let span): (span.name, span.origin, span.attributes)
                        case .event(let event): (event.name, event.origin, event.attributes)
                        }
                    guard let app = page.origins[origin], app.service == "astronomy-shop" else { continue }
                    if let locale = app.attributes["astrolabe.device.locale"]?.stringValue {
                        recorded.locales.insert(locale)
                    }
                    if case .span = item { recorded.names.insert(name) }
                    if name.hasPrefix("demo.") { recorded.names.insert(name) }
                    for key in ["app.screen.name", "app.screen.id", "app.widget.name", "app.widget.id"] {
                        if let value = attributes[key]?.stringValue { recorded.names.insert("\(key)=\(value)") }
                    }
                }
                query.cursor = page.next
            } while query.cursor != nil
        }
        return recorded
    }
}
