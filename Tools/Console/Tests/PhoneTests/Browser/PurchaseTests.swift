import AstrolabeTelemetryModel
import AstrolabeTestSupport
import BrowserKit
import ConsoleModel
import DeviceLink
import Foundation
import Testing

@testable import DeviceSimulator

/// The shop in a real browser: the app is a process, the backend another, and the console has what both recorded.
@Suite(
    .serialized, .timeLimit(.minutes(10)), .enabled(if: WebDriver.isAvailable, "needs chromium and chromedriver"),
)
struct `The shop on the phone's page` {
    @Test func `sells, after a refused card, and begins a new session`() async throws {
        try await PhoneUnderTest.run(observesBackend: true) { subject in
            try await subject.phone.launched()
            try await WebDriver.run { browser in
                let page = try await PhonePage.open(subject, in: browser)
                try await page.tap("go-shopping")
                try await page.see("product-LS4PSXUNUM", "$57.08")
                try await page.tap("currency")
                try await page.tap("currency-EUR")
                try await page.see("product-LS4PSXUNUM", "€50.49")
                try await page.tap("product-LS4PSXUNUM")
                try await page.see("product-price", "€50.49")
                try await page.read("You might also like")
                try await page.tap("add-to-cart")
                try await page.see("quantity-in-cart", "1")
                let focused = try await browser.run("return document.activeElement.dataset.identifier")
                #expect(focused.text == "add-to-cart", "the button was disabled while it added")
                try await page.back()
                try await page.tap("cart")
                try await page.see("cart-total", "€50.49")
                try await page.tap("checkout")
                try await page.see("shipping-cost", "Shipping: €")
                let first = try #require(await subject.phone.status?.session)
                try await page.tap("use-refused-card")
                try await page.tap("place-order")
                try await page.see("checkout-error")
                let refusal = try await browser.run(
                    """
                    const it = document.querySelector('[data-identifier="checkout-error"]');
                    const [box, screen] = [it, it.closest('.phone-screen')].map((one) => one.getBoundingClientRect());
                    return [it.getAttribute('role'), box.top >= screen.top && box.bottom <= screen.bottom].join();
                    """)
                #expect(refusal.text == "alert,true", "it is announced, and in sight")
                try await page.type("4432-8015-6152-0454", into: "payment-cardNumber")
                try await page.type("672", into: "payment-securityCode")
                // The form has taken both.
                try await page.see("use-refused-card")
                try await browser.wait(until: "!document.querySelector('[data-identifier=\"checkout-blockers\"]')")
                try await page.tap("place-order")
                try await page.see("order-total", "€")
                try await page.see("tracking-id")
                try await page.tap("continue-shopping")
                try await page.see("cart-empty")
                try await page.press("Background")
                try await Self.waitForRecords(of: subject)
                let second = try #require(await subject.phone.status?.session)
                #expect(second != first)
                try await browser.wait(
                    until: "document.querySelector('.records a.text-link').href.endsWith('/sessions/\(second)')")
                // A session of which nothing has arrived yet is not found, and browsers write that down.
                try await page.requireNoErrors()

                try await Self.expectTraces(of: first, in: subject, browser)
                try await browser.open("\(subject.address)/sessions/\(second)")
                try await browser.wait(until: "document.body.innerText.includes('session.start')")
            }
        }
    }

    /// Until the app has nothing left to send.
    private static func waitForRecords(of subject: PhoneUnderTest) async throws {
        try await subject.phone.wait(for: "an empty journal and queue") { look in
            look.status.map { $0.ledger.inJournal + $0.ledger.inQueue == 0 && $0.ledger.delivered > 0 } ?? false
        }
    }

    private static func orders(
        of session: String, in store: any TelemetryStore,
    ) async throws -> [(trace: TraceID, isError: Bool)] {
        var orders: [(trace: TraceID, isError: Bool)] = []
        var query = TimelineQuery(session: session, limit: 1_000)
        repeat {
            let page = try #require(try await store.timeline(query))
            for case .span(let span) in page.items where span.name == "CheckoutViewModel.placeOrder" {
                orders.append((span.traceID, span.status == .error))
            }
            query.cursor = page.next
        } while query.cursor != nil
        return orders
    }

    /// Both orders are traces of both services, and the console's page shows where the refused one failed.
    private static func expectTraces(
        of session: String, in subject: PhoneUnderTest, _ browser: WebDriver,
    ) async throws {
        let arrivals = await subject.store.changes()
        var arrival = arrivals.signals.makeAsyncIterator()
        var orders = try await Self.orders(of: session, in: subject.store)
        // The phone's status may be a second old, so that not all has arrived.
        while orders.count < 2, await arrival.next() != nil {
            orders = try await Self.orders(of: session, in: subject.store)
        }
        #expect(orders.map(\.isError).sorted { $0 && !$1 } == [true, false])
        for order in orders {
            let changes = await subject.store.changes()
            var news = changes.signals.makeAsyncIterator()
            // The backend sends by itself, a second later.
            while try await subject.store.services(inTrace: order.trace) != ["astronomy-shop", "shop-server"] {
                guard await news.next() != nil else { break }
            }
            try await browser.open("\(subject.address)/traces/\(order.trace)")
            try await browser.wait(until: "document.querySelectorAll('.span-row').length > 5")
            let names = try await browser.run("return document.querySelector('.main').innerText").text ?? ""
            #expect(names.contains("CheckoutViewModel.placeOrder"))
            #expect(names.contains("charge card"))
            #expect(names.contains("ship order") != order.isError)
        }
    }

    /// The scenario `nothing-lost.yaml` tells it by default.
    @Test(.enabled(if: Thoroughness.isThorough, "runs with ./astrolabe test --thorough"))
    func `loses nothing to airplane mode and a kill, and shows the queue meanwhile`() async throws {
        try await PhoneUnderTest.run { subject in
            let phone = subject.phone
            try await phone.launched()
            try await WebDriver.run { browser in
                let page = try await PhonePage.open(subject, in: browser)
                try await page.tap("go-shopping")
                try await page.tap("product-LS4PSXUNUM")
                try await page.see("product-price")
                try await page.set(network: "airplane")
                try await page.back()
                try await page.tap("cart")
                try await page.see("cart-retry")
                try await page.press("Background")
                let queued = try await page.seeQueue(atLeast: 3)
                try await browser.wait(
                    until: "document.querySelector('.widget-queue').innerText.includes('to be sent')")
                try await page.press("Kill")
                try await browser.wait(
                    until: "document.querySelector('.end-card')?.innerText.includes('The app was killed')")
                try await browser.click(".relaunch")
                try await page.see("go-shopping")
                try await page.tap("otel-button")
                try await page.read("Events sent: 1")
                try await page.press("Background")
                let grown = try await page.seeQueue(atLeast: queued + 1)
                #expect(grown > queued)
                try await page.press("Foreground")
                try await page.set(network: "wifi")
                try await page.seeEmptyQueue()
                // The app sends what it still has, and gives its last account.
                try await page.press("Terminate")
                #expect(try await phone.ended()?.kind == .exit)
                let ledger = try #require(await phone.status).ledger
                #expect(ledger.dropped.values.reduce(0, +) == 0)
                #expect(ledger.created == ledger.delivered)
                try await Self.expect(ledger.delivered, in: subject.store)
                try await page.requireNoErrors()
            }
        }
    }

    /// Expects the console to have the records that the app says it has delivered: nothing is missing, nothing counted
    /// twice.
    private static func expect(_ delivered: Int, in store: any TelemetryStore) async throws {
        let services = try await store.services()
        let app = try #require(services.first { $0.name == "astronomy-shop" })
        let metrics = try await metricRecords(in: store)
        let received = app.spans + app.logs + app.replayFrames + metrics
        #expect(received == delivered, "\(app) and \(metrics) metrics")
    }

    /// The app's metric records: the points of one metric and one collection are one record.
    private static func metricRecords(in store: any TelemetryStore) async throws -> Int {
        var query = MetricQuery()
        (query.limit, query.seriesLimit, query.pointLimit) = (1_000, 200, 1_000)
        let metrics = try await store.metrics(query).elements
        return metrics.reduce(0) { sum, metric in
            let series = metric.series.filter { $0.origin.service == "astronomy-shop" }
            return sum + Set(series.flatMap(\.points).map(\.timeUnixNano)).count
        }
    }
}
