import BrowserKit
import ConsoleModel
import Foundation
import Testing

@testable import TelemetryConsole

/// Tests of the API over a real socket.
@Suite
struct APITests {
    @Test
    func `sessions, a session and its timeline can be read`() async throws {
        try await ConsoleUnderTest.run { console in
            let visit = ShopVisit.purchase()
            try await console.send(visit)
            let list = try await console.get("/api/v1/sessions")
            let session = list["sessions"][0]
            #expect(session["id"].text == visit.session)
            #expect(session["device"]["modelName"].text == "iPhone 15 Pro")
            #expect(session["screens"].elements.map(\.text) == ["ProductList", "ProductDetail", "Cart", "Checkout"])
            #expect(session["requests"].int == 9)
            #expect(session["failedRequests"].int == 1)
            #expect(session["startUs"].int == Int(visit.start / 1_000))
            let timeline = try await console.get("/api/v1/sessions/\(visit.session)/timeline?limit=5000")
            let items = timeline["items"].elements
            #expect(
                items.count == visit.phoneSpans.count + visit.backendSpans.count + visit.events.count
                    + visit.backendLogs.count)
            let times = items.compactMap { $0["timeUs"].int }
            #expect(times == times.sorted())
            let sides = Set(timeline["origins"].elements.compactMap { $0["side"].text })
            #expect(sides == ["device", "backend"])
        }
    }

    @Test
    func `a trace has phone and backend in one tree, with the failure marked`() async throws {
        try await ConsoleUnderTest.run { console in
            let visit = ShopVisit.purchase()
            try await console.send(visit)
            let id = try #require(visit.traces["declined"])
            let trace = try await console.get("/api/v1/traces/\(id)")
            let spans = trace["spans"].elements
            #expect(spans.first?["name"].text == "CheckoutViewModel.placeOrder")
            #expect(spans.first?["descendants"].int == spans.count - 1)
            let charge = try #require(spans.first { $0["name"].text == "payment.charge" })
            #expect(charge["error"].bool == true)
            #expect(charge["critical"].bool == true)
            #expect(charge["details"]["message"].text?.contains("timed out") == true)
            #expect(charge["details"]["events"][0]["attributes"]["exception.type"].text == "PaymentUnreachable")
            #expect(trace["sessions"].elements.map(\.text) == [visit.session])
            #expect(trace["events"][0]["body"].text == "charge failed, the order is not placed")
        }
    }

    @Test
    func `a session is found by its backend's records`() async throws {
        try await ConsoleUnderTest.run { console in
            try await console.send(ShopVisit.purchase(number: 1))
            try await console.send(ShopVisit(number: 2, start: 1_790_000_100_000_000_000).browsing)
            let found = try await console.get("/api/v1/sessions?q=demo.order.id%3Do-1002")
            #expect(found["sessions"].elements.count == 1)
            #expect(try await console.get("/api/v1/sessions?service=shop-backend")["sessions"].elements.count == 2)
            #expect(try await console.get("/api/v1/sessions?errors=true")["sessions"].elements.count == 1)
            #expect(try await console.get("/api/v1/traces?q=payment.charge")["traces"].elements.count == 2)
        }
    }

    @Test(arguments: TestedStore.all)
    func `status, services and metrics can be read`(store: TestedStore) async throws {
        try await ConsoleUnderTest.run(on: store) { console in
            let visit = ShopVisit.purchase()
            try await console.send(visit)
            let metric = OTLPBody.metric(
                visit.phone, name: "battery", unit: "1", isCounter: false, start: visit.start,
                points: [([], 1, 0.75), ([], 2, 0.5)],
            )
            try await console.send(metric, to: .metrics)
            let status = try await console.get("/api/v1/status")
            #expect(status["sessions"].int == 1)
            // ClickHouse expires records by their age only.
            #expect(status["bytesLimit"].int == (store == .embedded ? 1 << 30 : 0))
            let services = try await console.get("/api/v1/services")["services"].elements
            #expect(services.map { $0["name"].text } == ["astronomy-shop", "shop-backend"])
            let series = try await console.get("/api/v1/metrics")["metrics"][0]["series"][0]
            #expect(series["points"].elements.count == 2)
            #expect(try await console.get("/api/v1/metrics?session=nobody")["metrics"].elements.isEmpty)
        }
    }

    @Test(arguments: TestedStore.all)
    func `a device, its sessions and its ledger history can be read`(store: TestedStore) async throws {
        try await ConsoleUnderTest.run(on: store) { console in
            let visit = ShopVisit.tunnel()
            try await console.send(visit)
            try await console.send(
                ShopVisit(number: 2, start: visit.start - 900_000_000_000, installation: 1).browsing)
            let course = visit.ledgerHistory()
            try await console.send(LedgerAccount.body(course, of: visit.phone), to: .metrics)
            let listed = try await console.get("/api/v1/devices")["devices"].elements
            #expect(listed.map { $0["id"].text } == [visit.installation])
            let path = "/api/v1/devices/\(visit.installation)"
            let device = try await console.get(path)
            #expect(device["device"]["modelName"].text == "iPhone 15 Pro")
            #expect(device["sessions"].int == 2)
            #expect(device["appVersions"][0].text == "1.4.2")
            #expect(device["lastSeenUs"].int ?? 0 > 0)
            let last = try #require(course.last)
            #expect(device["ledger"]["created"].int == last.created)
            #expect(device["ledger"]["queue"].int == last.queue)
            #expect(device["ledger"]["notSent"].int == last.notSent)
            #expect(device["ledger"]["unaccounted"].int == 0)
            #expect(device["ledger"]["dropped"].elements.map { $0["reason"].text } == ["sampled out", "evicted"])
            let accounts = try await console.get("\(path)/ledger")["accounts"].elements
            #expect(accounts.map { $0["created"].int } == course.map(\.created))
            #expect(try await console.get("\(path)/ledger?parts=10")["accounts"].elements.count == 10)
            let ledger = try await console.get("/api/v1/sessions/\(visit.session)/ledger")
            #expect(ledger["account"]["created"].int == last.created)
            let during = ledger["during"]
            let first = try #require(course.last { $0.time <= visit.start })
            let dropped = during["dropped"].elements.compactMap { $0["count"].int }
            #expect(during["fromUs"].int == Int(first.time / 1_000))
            #expect(during["carried"].int == first.journal + first.queue)
            #expect(during["created"].int == last.created - first.created)
            #expect(during["delivered"].int == last.delivered - first.delivered)
            #expect(during["notSent"].int == last.notSent - first.notSent)
            #expect(
                dropped.reduce(0, +) == last.dropped.reduce(0) { $0 + $1.count }
                    - first.dropped.reduce(0) { $0 + $1.count })
            #expect(during["unaccounted"].int == 0)
            let sessions = try await console.get("/api/v1/sessions?device=\(visit.installation)")["sessions"]
            #expect(sessions.elements.count == 2)
            #expect(sessions[0]["device"]["installation"].text == visit.installation)
            #expect(try await console.get("/api/v1/sessions?device=nobody")["sessions"].elements.isEmpty)
            #expect(try await console.get("/api/v1/status")["devices"].int == 1)
        }
    }

    @Test(arguments: TestedStore.all)
    func `a device that sent no ledger has none`(store: TestedStore) async throws {
        try await ConsoleUnderTest.run(on: store) { console in
            let visit = ShopVisit.purchase()
            try await console.send(visit)
            let path = "/api/v1/devices/\(visit.installation)"
            #expect(try await console.get(path)["ledger"].isMissing)
            #expect(try await console.get("\(path)/ledger")["accounts"].elements.isEmpty)
            #expect(try await console.get("/api/v1/sessions/\(visit.session)/ledger")["account"].isMissing)
        }
    }

    private static let refused = [
        ("/api/v1/devices/nobody", 404), ("/api/v1/devices/nobody/ledger", 404),
        ("/api/v1/devices/nobody/ledger?parts=0", 400), ("/api/v1/devices/nobody/ledger?parts=many", 400),
        ("/api/v1/sessions/nobody/ledger", 404), ("/api/v1/sessions/nobody/ledgers", 404),
        ("/api/v1/devices?limit=201", 400), ("/api/v1/devices/nobody/everything", 404),
        ("/api/v1/sessions/nobody", 404), ("/api/v1/sessions/nobody/timeline", 404),
        ("/api/v1/traces/00000000000000000000000000000001", 404), ("/api/v1/traces/xyz", 400),
        ("/api/v1/sessions?limit=0", 400), ("/api/v1/sessions?limit=abc", 400), ("/api/v1/sessions?errors=maybe", 400),
        ("/api/v1/sessions?since=-1", 400), ("/api/v1/nothing", 404), ("/nothing", 404),
        ("/assets/pages/../app.js", 404), ("/assets/pages/nothing.js", 404), ("/assets/pages", 404),
        ("/v1/profiles", 404),
    ]

    @Test
    func `errors are returned as JSON with a reason`() async throws {
        try await ConsoleUnderTest.run { console in
            for (path, status) in Self.refused {
                let response = try await HTTP.request("GET", console.address + path)
                #expect(response.status == status, "\(path)")
                #expect(try JSONResponse(response.body)["error"].text?.isEmpty == false, "\(path)")
            }
        }
    }

    @Test
    func `a session id with any characters has a URL`() async throws {
        try await ConsoleUnderTest.run { console in
            let id = "a/b?c=d&é %2F<script>"
            let span = OTLPBody.Span(
                trace: "4bf92f3577b34da6a3ce929d0e0e4736", id: "00f067aa0ba902b7", name: "odd", start: 1_000,
                end: 2_000,
                attributes: [("session.id", .string(id))],
            )
            try await console.send(OTLPBody.traces(ShopVisit.backend, [span]), to: .traces)
            let escaped = try #require(id.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
            #expect(try await console.get("/api/v1/sessions/\(escaped)")["id"].text == id)
        }
    }

    @Test
    func `only GET and HEAD are allowed, and HEAD has no body`() async throws {
        try await ConsoleUnderTest.run { console in
            let refused = try await HTTP.request("POST", "\(console.address)/api/v1/sessions", body: [1])
            #expect(refused.status == 405)
            #expect(refused[header: "Allow"] == "GET, HEAD")
            let head = try await HTTP.request("HEAD", "\(console.address)/sessions")
            #expect(head.status == 200)
            #expect(head.body.isEmpty)
        }
    }

    @Test
    func `a path that is too long is rejected`() async throws {
        try await ConsoleUnderTest.run { console in
            let path = "/api/v1/sessions?q=" + String(repeating: "a", count: 9_000)
            let response = try await HTTP.request("GET", console.address + path)
            #expect(response.status == 414)
        }
    }
}

extension ShopVisit {
    /// Adds the session list to the visit.
    var browsing: ShopVisit {
        var visit = self
        visit.launch()
        return visit
    }
}
