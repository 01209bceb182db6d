import AstrolabeOTLP
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import BrowserKit
import ConsoleModel
import Foundation
import ShopHistory
import Testing

@testable import TelemetryConsole
@testable import TelemetryQuery

/// The synthetic history of the demo: what it has, and that its bad release can be found.
@Suite(.timeLimit(.minutes(15)))
struct ShopHistoryTests {
    /// The same in every run, because the history depends on its end.
    private static let end: UInt64 = 1_795_700_000_000_000_000

    private static func settings(_ sessions: Int, seed: UInt64 = 7) -> HistorySettings {
        var settings = HistorySettings(end: end)
        settings.sessions = sessions
        settings.seed = seed
        return settings
    }

    private static func batches(_ settings: HistorySettings) -> [HistoryBatch] {
        var history = FleetHistory(settings)
        return Array(sequence(state: ()) { _ in history.next() })
    }

    /// Runs a console at the end of a history that it has received.
    private static func withHistory(
        of sessions: Int, _ body: @escaping @Sendable (ConsoleUnderTest) async throws -> Void,
    ) async throws {
        try await ConsoleUnderTest.run {
            $0.store.now = { end }
        } _: { console in
            for batch in batches(settings(sessions)) { try await console.send(batch) }
            try await body(console)
        }
    }

    private static func ask(_ query: String, _ console: ConsoleUnderTest) async throws -> [JSONResponse] {
        let text = query.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return try await console.get("/api/v1/query?q=" + text)["rows"].elements
    }

    @Test
    func `the same seed and end give the same bytes, and another seed gives others`() {
        let settings = Self.settings(12)
        var other = settings
        other.seed = 8
        let first = Self.batches(settings)
        #expect(first.map(\.traces) == Self.batches(settings).map(\.traces))
        #expect(first.map(\.logs) == Self.batches(settings).map(\.logs))
        #expect(first.map(\.metrics) == Self.batches(settings).map(\.metrics))
        #expect(first.map(\.traces) != Self.batches(other).map(\.traces))
    }

    @Test
    func `every record is marked, and lies within the two days before the end`() throws {
        let settings = Self.settings(60)
        let range = (settings.end - UInt64(HistorySettings.length * 1e9))...settings.end
        for batch in Self.batches(settings) {
            for group in try OTLPDecoder.traces(protobuf: batch.traces) {
                #expect(group.resource.attributes["astrolabe.synthetic"] == true)
                for span in group.scopes.flatMap(\.records) {
                    #expect(range.contains(span.startTimeUnixNano) && range.contains(span.endTimeUnixNano))
                    #expect(span.endTimeUnixNano >= span.startTimeUnixNano, "\(span.name)")
                }
            }
            for group in try OTLPDecoder.logs(protobuf: batch.logs) {
                #expect(group.resource.attributes["astrolabe.synthetic"] == true)
                for event in group.scopes.flatMap(\.records) { #expect(range.contains(event.timeUnixNano)) }
            }
            for group in try OTLPDecoder.metrics(protobuf: batch.metrics) {
                #expect(group.resource.attributes["astrolabe.synthetic"] == true)
            }
        }
    }

    @Test
    func `memory does not depend on the number of sessions: batches have a bounded size`() {
        let batches = Self.batches(Self.settings(150))
        #expect(batches.count > 2)
        #expect(batches.last?.sessions == 150)
        for batch in batches { #expect(batch.traces.count + batch.logs.count + batch.metrics.count < 3 << 20) }
    }

    @Test
    func `the console shows the sessions, the funnel, the fleet and balanced accounts`() async throws {
        try await Self.withHistory(of: 120) { console in
            let store = console.console.store
            #expect(try await store.sessions(SessionQuery(limit: 200)).elements.count == 120)
            let steps = try await Self.ask(
                #"count of events by name where name starts-with "demo." last 48h every total"#, console)
            let counts = steps.reduce(into: [String: Int]()) { $0[$1["key"][0].text ?? ""] = $1["values"][0].int }
            let funnel = [
                "demo.product.viewed", "demo.cart.product_added", "demo.checkout.started", "demo.order.placed",
            ]
            let numbers = funnel.map { counts[$0] ?? 0 }
            #expect(numbers == numbers.sorted(by: >), "\(counts)")
            #expect((counts["demo.order.placed"] ?? 0) > 10)
            for field in ["service.version", "os.version", "device.model.identifier", "demo.currency.code"] {
                let rows = try await Self.ask(
                    "count of events by \(field) where name = \"demo.product.viewed\" last 48h every total", console)
                #expect(rows.count >= 3, "\(field)")
            }
            // The backend's spans are in the phone's traces.
            let shared = try await Self.ask(
                #"count by service.name where session.service.name = "astronomy-shop" last 48h every total"#, console)
            #expect(Set(shared.map { $0["key"][0].text }) == ["astronomy-shop", "shop-server"])
            let devices = try await store.devices(DeviceQuery(limit: 200)).elements
            #expect(devices.count > 20)
            for device in devices { #expect(device.ledger?.unaccounted == 0) }
        }
    }

    /// The app begins a session after each order. What happens in it is on other screens than that of the checkout.
    @Test
    func `a session that an order began has abandoned no cart`() async throws {
        var (ordered, began) = (Set<String>(), Set<String>())
        for batch in Self.batches(Self.settings(40)) {
            let logs = try OTLPDecoder.logs(protobuf: batch.logs).flatMap(\.scopes).flatMap(\.records)
            let spans = try OTLPDecoder.traces(protobuf: batch.traces).flatMap(\.scopes).flatMap(\.records)
            let records =
                logs.map { (name: $0.eventName, attributes: $0.attributes) }
                + spans.map { (name: $0.name, attributes: $0.attributes) }
            for record in records where record.name != "session.start" {
                guard let session = record.attributes["session.id"]?.stringValue else { continue }
                let screen = record.attributes["app.screen.name"]?.stringValue ?? ""
                if record.name == "demo.order.placed" { ordered.insert(session) }
                if record.name == "demo.checkout.started" || ["Cart", "Checkout"].contains(screen) {
                    began.insert(session)
                }
            }
        }
        let abandoned = began.subtracting(ordered).count
        #expect(abandoned > 0)
        try await Self.withHistory(of: 40) { console in
            let rows = try await Self.ask("count of sessions where abandoned = true last 48h every total", console)
            #expect(rows.first?["values"][0].int == abandoned)
        }
    }

    @Test
    func `cards are refused, records are lost, and people do not all take the same way`() async throws {
        try await Self.withHistory(of: 200) { console in
            let refused = try await Self.ask(
                """
                count of events by demo.payment.failure.reason where service.name = "shop-server" \
                and body = "payment refused" last 48h every total
                """, console)
            let reasons = refused.reduce(into: [String: Int]()) { $0[$1["key"][0].text ?? ""] = $1["values"][0].int }
            #expect(reasons.count >= 2 && reasons[""] == nil, "\(reasons)")
            let failed = try await Self.ask(
                #"count of events where demo.order.failure.reason = payment_refused last 48h every total"#, console)
            let cards = reasons.filter { $0.key != "unreachable" }.values.reduce(0, +)
            #expect(failed[0]["values"][0].int == cards, "the phone knows of each")

            let query = "count%20where%20device.model.name%20exists%20last%2048h"
            let warnings = try await console.get("/api/v1/query?q=" + query)["warnings"].elements.compactMap(\.text)
            try #require(warnings.count == 1, "\(warnings)")
            #expect(warnings[0].contains("were dropped: ") && warnings[0].contains("expired"), "\(warnings)")

            let flow = try await console.get("/api/v1/journeys/flow?q=%7B%22time%22%3A%20%22last%2048h%22%7D")
            let links = flow["links"].elements.map {
                "\($0["depth"].int ?? 0) \($0["from"].text ?? "") \($0["to"].text ?? "")"
            }
            for way in [
                "0 Home ProductList", "1 ProductList ProductDetail", "1 ProductList Currency", "2 ProductDetail Cart",
                "2 ProductDetail ProductList", "3 Cart Checkout", "3 Cart ProductList",
            ] {
                #expect(links.contains(way), "\(way) of \(links)")
            }
            for (depth, screen) in [(0, "Home"), (1, "ProductList"), (2, "ProductDetail"), (3, "Cart")] {
                let node = flow["nodes"].elements.first { $0["depth"].int == depth && $0["value"].text == screen }
                #expect((node?["ended"].int ?? 0) > 0, "some leave at \(screen)")
            }
        }
    }

    @Test
    func `a crash has the build number of the phone's resource, and beside it the executable's build ID`() throws {
        var crashes = 0
        for batch in Self.batches(Self.settings(400)) {
            for group in try OTLPDecoder.logs(protobuf: batch.logs) {
                for crash in group.scopes.flatMap(\.records) where crash.eventName == "app.crash" {
                    crashes += 1
                    let build = try #require(crash.attributes["astrolabe.app.build_number"])
                    #expect(build == group.resource.attributes["astrolabe.app.build_number"])
                    #expect(crash.attributes["app.build_id"]?.stringValue?.count == 40)
                }
            }
        }
        #expect(crashes > 0)
    }

    private static func events(of batches: [HistoryBatch]) throws -> [LogRecordData] {
        try batches.flatMap { batch in
            try OTLPDecoder.logs(protobuf: batch.logs).flatMap { $0.scopes.flatMap(\.records) }
        }
    }

    private static func text(_ key: String, of event: LogRecordData) -> String {
        event.attributes[key]?.stringValue ?? ""
    }

    /// The sessions that begin where an order has ended one, each with the session before.
    private static func renewals(in events: [LogRecordData]) -> [String: String] {
        let ended = Set(events.filter { $0.eventName == "session.end" }.map { text("session.id", of: $0) })
        var before: [String: String] = [:]
        for event in events where event.eventName == "session.start" {
            let previous = text("session.previous_id", of: event)
            if ended.contains(previous) { before[text("session.id", of: event)] = previous }
        }
        return before
    }

    @Test
    func `there are as many launches as sessions, less those that an order began`() async throws {
        let sessions = 100
        let renewals = Self.renewals(in: try Self.events(of: Self.batches(Self.settings(sessions)))).count
        #expect(renewals > 10)
        try await Self.withHistory(of: sessions) { console in
            let launches = #"events where name = "app.launched""#
            for (records, expected) in [("sessions", sessions), (launches, sessions - renewals)] {
                let rows = try await Self.ask("count of \(records) last 50h every total", console)
                #expect(rows.first?["values"][0].int == expected, "\(records)")
            }
        }
    }

    /// The visits that reached the cart and did not order, by their first sessions. A visit goes on in the session that
    /// begins where an order has ended one.
    private static func abandonedVisits(in batches: [HistoryBatch]) throws -> Set<String> {
        let events = try events(of: batches)
        let before = renewals(in: events)
        var reached: Set<String> = []
        var ordered: Set<String> = []
        for event in events {
            var visit = text("session.id", of: event)
            while let earlier = before[visit] { visit = earlier }
            if event.eventName == "demo.order.placed" { ordered.insert(visit) }
            if ["Cart", "Checkout"].contains(text("app.screen.name", of: event)) { reached.insert(visit) }
        }
        return reached.subtracting(ordered)
    }

    @Test
    func `an abandoned cart is a visit without an order, and not the session that follows one`() async throws {
        let expected = try Self.abandonedVisits(in: Self.batches(Self.settings(HistorySettings.defaultSessions)))
        #expect(expected.count > 20)
        try await Self.withHistory(of: HistorySettings.defaultSessions) { console in
            let rows = try await Self.ask(
                "count of sessions by session.id where abandoned = true last 50h limit 500 every total", console)
            #expect(Set(rows.compactMap { $0["key"][0].text }) == expected)
        }
    }

    @Test
    func `failing checkouts have one currency, system and version`() async throws {
        try await Self.withHistory(of: HistorySettings.defaultSessions) { console in
            let failed = try await Self.ask(
                """
                count of events by demo.currency.code, os.version, service.version \
                where name = "demo.order.failed" and demo.order.failure.reason = shop_failed last 48h every total
                """, console)
            let worst = try #require(failed.first)
            #expect(worst["key"].elements.map(\.text) == ["CHF", "26.1", "2.2.0"])
            let all = failed.reduce(0) { $0 + ($1["values"][0].int ?? 0) }
            #expect((worst["values"][0].int ?? 0) >= 10)
            #expect(Double(worst["values"][0].int ?? 0) > 0.8 * Double(all))
        }
    }

    /// The end decides which phones have the bad release, and which of them are in use.
    @Test
    func `the comparison of failing checkouts ranks the three causes first at any hour, with any seed`() async throws {
        let usual = HistorySettings(end: 0).seed
        let cases: [(UInt64, UInt64)] = [(12, usual), (5, 1), (0, usual), (18, 2)]
        for (hour, seed) in cases.prefix(Thoroughness.count(1, thorough: cases.count)) {
            var settings = Self.settings(HistorySettings.defaultSessions, seed: seed)
            settings.end = settings.end / 86_400_000_000_000 * 86_400_000_000_000 + hour * 3_600_000_000_000
            let causes = try await Self.causesOfFailedOrders(in: settings)
            #expect(
                Set(causes.prefix(3).map(\.field)) == [
                    "demo.currency.code", "resource.os.version", "resource.service.version",
                ], "hour \(hour), seed \(seed): \(causes.prefix(6).map { "\($0.field) \($0.score)" })")
        }
    }

    /// Returns what sets the failed orders of a history apart from the others, the most different first.
    private static func causesOfFailedOrders(in settings: HistorySettings) async throws -> [AttributeDifference] {
        var builder = SegmentBuilder()
        for batch in batches(settings) {
            for group in try OTLPDecoder.traces(protobuf: batch.traces) {
                for span in group.scopes.flatMap(\.records) where span.name == "CheckoutViewModel.placeOrder" {
                    var fields: [String: QueryValue] = ["status": .string(span.status.isError ? "error" : "ok")]
                    for attribute in group.resource.attributes {
                        fields["resource." + attribute.key] = QueryValue(attribute.value)
                    }
                    for attribute in span.attributes { fields[attribute.key] = QueryValue(attribute.value) }
                    builder.append(QueryRecord(time: Int64(span.startTimeUnixNano), fields: fields))
                }
            }
        }
        let segment = try #require(builder.segment())
        let orders = try QueryPlan(try Query(text: "count last 50h"), now: Int64(settings.end))
        let selection = Condition.leaf(Term(.field("status"), .equal, [Literal(.string("error"))]))
        // Attributes of only failed or only placed orders are apart. The build number says the same as the version.
        return try await QueryEngine().differences(orders, selection: selection, over: [segment]).attributes.filter {
            !$0.isPresence && !["status", "resource.astrolabe.app.build_number"].contains($0.field)
        }
    }
}
