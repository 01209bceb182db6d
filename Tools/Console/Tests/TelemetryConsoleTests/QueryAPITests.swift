import BrowserKit
import ConsoleModel
import Foundation
import Testing

@testable import TelemetryConsole
@testable import TelemetryQuery

/// Tests of queries over a real SQLite file and a real socket.
@Suite
struct QueryAPITests {
    private static func path(_ query: String) -> String {
        "/api/v1/query?q=" + (query.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
    }

    @Test
    func `records are in the next query after their export was answered`() async throws {
        try await ConsoleUnderTest.run { console in
            let counts = Self.path("count last 3650d every total")
            #expect(try await console.get(counts)["rows"][0]["values"][0].int == 0)
            var expected = 0
            for number in 1...3 {
                let visit = ShopVisit.purchase(number: number)
                try await console.send(visit)
                expected += visit.phoneSpans.count + visit.backendSpans.count
                #expect(try await console.get(counts)["rows"][0]["values"][0].int == expected)
            }
            let visit = ShopVisit.purchase()
            let events = try await console.get(Self.path("count of events last 3650d every total"))
            #expect(events["rows"][0]["values"][0].int == 3 * (visit.events.count + visit.backendLogs.count))
        }
    }

    @Test
    func `the answer names its columns, units, steps and groups`() async throws {
        try await ConsoleUnderTest.run { console in
            let visit = ShopVisit.purchase()
            try await console.send(visit)
            let from = Timestamp.text(Int64(visit.start) - 60_000_000_000)
            let to = Timestamp.text(Int64(visit.start) + 600_000_000_000)
            let answer = try await console.get(
                Self.path(
                    "count, max(duration) by service.name where kind = client limit 1 from \(from) to \(to) every 1m"))
            let columns = answer["columns"].elements
            #expect(columns.map { $0["name"].text } == ["service.name", "count", "max(duration)"])
            #expect(columns.map { $0["unit"].text } == [nil, "1", "ns"])
            let rows = answer["rows"].elements
            let requests = visit.phoneSpans.filter { $0.kind == 3 }
            #expect(rows[0]["key"][0].text == "astronomy-shop")
            #expect(rows[0]["values"][0].int == requests.count)
            #expect(rows[0]["values"][1].int == requests.map { Int($0.end - $0.start) }.max())
            #expect(rows[0]["series"].elements.count == answer["stepsUs"].elements.count)
            #expect(rows[0]["series"].elements.compactMap { $0[0].int }.reduce(0, +) == requests.count)
            #expect(answer["matchedRecords"].int == requests.count)
            #expect(answer["warnings"].elements.isEmpty)
        }
    }

    @Test(arguments: TestedStore.all)
    func `a comparison says how many records each side has`(store: TestedStore) async throws {
        try await ConsoleUnderTest.run(on: store) { console in
            let visit = ShopVisit.purchase()
            try await console.send(visit)
            let (before, after) = (Int64(visit.start) - 600_000_000_000, Int64(visit.start) + 600_000_000_000)
            let end = Timestamp.text(after + 1_200_000_000_000)
            let answer = try await console.get(
                Self.path(
                    "count where kind = client and service.name = astronomy-shop from \(Timestamp.text(after)) to \(end) "
                        + "every total compare previous"))
            #expect(answer["comparison"]["fromUs"].int == Int(before / 1_000))
            #expect(answer["matchedRecords"].int == 0)
            #expect(answer["comparison"]["matchedRecords"].int == visit.phoneSpans.count { $0.kind == 3 })
        }
    }

    @Test
    func `attributes that are a number of seconds have that unit`() async throws {
        try await ConsoleUnderTest.run { console in
            let query = "p95(astrolabe.hang.duration), sum(app.jank.period), max(items) of events"
            let answer = try await console.get(Self.path("\(query) by astrolabe.run.duration last 1h every total"))
            #expect(answer["columns"].elements.map { $0["unit"].text } == ["s", "s", "s", nil])
        }
    }

    @Test
    func `the rest of the groups is the other row`() async throws {
        try await ConsoleUnderTest.run { console in
            let visit = ShopVisit.purchase()
            try await console.send(visit)
            let answer = try await console.get(Self.path("count by name limit 2 last 3650d every total"))
            let rows = answer["rows"].elements
            #expect(rows.count == 3)
            #expect(rows.last?["other"].bool == true)
            let all = visit.phoneSpans.count + visit.backendSpans.count
            #expect(rows.compactMap { $0["values"][0].int }.reduce(0, +) == all)
        }
    }

    @Test
    func `a query can be sent as JSON`() async throws {
        try await ConsoleUnderTest.run { console in
            try await console.send(ShopVisit.purchase())
            let text = "count by status where duration > 1ms last 3650d every total"
            let asText = try await console.get(Self.path(text))
            let response = try await HTTP.request(
                "POST", console.address + "/api/v1/query", headers: ["Content-Type": "application/json"],
                body: Array(try Query(text: text).json()))
            #expect(response.status == 200)
            let asJSON = try JSONResponse(response.body)
            #expect(asJSON["query"].text == asText["query"].text)
            #expect(
                asJSON["rows"].elements.map { $0["values"][0].int }
                    == asText["rows"].elements.map {
                        $0["values"][0].int
                    })
            let foreign = try await HTTP.request(
                "POST", console.address + "/api/v1/query", headers: ["Origin": "https://elsewhere.example"],
                body: Array(try Query(text: text).json()))
            #expect(foreign.status == 403)
        }
    }

    @Test(arguments: TestedStore.all)
    func `session fields tell the records of sessions that crashed`(store: TestedStore) async throws {
        try await ConsoleUnderTest.run(on: store) { console in
            var crashed = ShopVisit.purchase(number: 1)
            crashed.crash()
            try await console.send(crashed)
            try await console.send(ShopVisit.purchase(number: 2))
            let answer = try await console.get(
                Self.path(
                    "count by session.id, session.os.version where session.crashed and session.screens >= 4 "
                        + "last 3650d every total"))
            let rows = answer["rows"].elements
            #expect(rows.map { $0["key"][0].text } == [nil, crashed.session])
            #expect(rows.map { $0["key"][1].text } == ["18.1", "18.1"])
            #expect(rows.map { $0["values"][0].int } == [crashed.backendSpans.count, crashed.phoneSpans.count])
        }
    }

    @Test
    func `a backend's spans have the session of their trace, also if the phone's spans arrive later`() async throws {
        try await ConsoleUnderTest.run { console in
            let visit = ShopVisit.purchase()
            let model = Self.path(
                "count by session.device.model.name where service.name = shop-backend last 3650d every total")
            try await console.send(visit.backendTraceBody, to: .traces)
            let before = try await console.get(model)["rows"].elements
            #expect(before.map { $0["key"][0].text } == [nil])
            try await console.send(visit.phoneTraceBody, to: .traces)
            let after = try await console.get(model)["rows"].elements
            #expect(after.map { $0["key"][0].text } == ["iPhone 15 Pro"])
            #expect(after.map { $0["values"][0].int } == [visit.backendSpans.count])
        }
    }

    @Test(arguments: TestedStore.all)
    func `spans and events are found by the root, the parent and any span of their trace`(store: TestedStore)
        async throws
    {
        try await ConsoleUnderTest.run(on: store) { console in
            let visit = ShopVisit.purchase()
            try await console.send(visit)
            let spans = visit.phoneSpans + visit.backendSpans
            let names = Dictionary(spans.map { ($0.id, $0.name) }) { first, _ in first }
            let charge = try #require(visit.backendSpans.first { $0.name == "payment.charge" })
            let parent = try #require(names[charge.parent])
            let byParent = try await console.get(
                Self.path("count by parent.name where name = payment.charge last 3650d every total"))
            #expect(byParent["rows"].elements.map { $0["key"][0].text } == [parent])
            let traces = Set(spans.filter { $0.name == "payment.charge" }.map(\.trace))
            let answer = try await console.get(
                Self.path(#"count by root.name where any.name = "payment.charge" last 3650d every total"#))
            let expected = Dictionary(grouping: spans.filter { traces.contains($0.trace) }) { span in
                spans.filter { $0.trace == span.trace && $0.parent.isEmpty }.min { $0.start < $1.start }?.name
            }
            #expect(
                answer["rows"].elements.compactMap { $0["values"][0].int }.reduce(0, +)
                    == spans.count { traces.contains($0.trace) })
            #expect(Set(answer["rows"].elements.map { $0["key"][0].text }) == Set(expected.keys))
            let logs = try await console.get(
                Self.path(#"count of events where any.name = "payment.charge" last 3650d every total"#))
            #expect(
                logs["rows"][0]["values"][0].int
                    == (visit.events + visit.backendLogs).count { traces.contains($0.trace) })
        }
    }

    @Test(
        arguments: [
            ("p99(duration), cuont last 1h", 16, "count"), ("count wher name = x", 7, nil),
            ("", nil, nil),
        ] as [(String, Int?, String?)])
    func `a query that is not valid is refused with the column`(text: String, column: Int?, hint: String?) async throws
    {
        try await ConsoleUnderTest.run { console in
            let response = try await HTTP.request("GET", console.address + Self.path(text))
            #expect(response.status == 400)
            let refusal = try JSONResponse(response.body)
            #expect(refusal["error"].text?.lowercased().contains("expected") == true)
            #expect(refusal["column"].int == column)
            #expect(hint == nil || refusal["suggestions"][0].text == hint)
        }
    }

    @Test
    func `a body that is no query or is too large is refused`() async throws {
        try await ConsoleUnderTest.run { console in
            let address = console.address + "/api/v1/query"
            let large = try await HTTP.request("POST", address, body: Array(repeating: 0x20, count: 140_000))
            #expect(large.status == 413)
            let wrong = try await HTTP.request(
                "POST", address,
                body: Array(
                    #"{"calculate": ["count"], "where": {"all": [{"field": "name", "operator": "like"}]}}"#
                        .utf8))
            #expect(wrong.status == 400)
            #expect(try JSONResponse(wrong.body)["path"].text?.hasPrefix("where.all[0]") == true)
        }
    }
}
