import BrowserKit
import ConsoleModel
import Foundation
import Testing

@testable import TelemetryConsole
@testable import TelemetryQuery

/// Tests of what the Explore page asks besides queries, over a real SQLite file and a real socket.
@Suite
struct QueryRecordsAPITests {
    private static func path(_ endpoint: String, _ parameters: KeyValuePairs<String, String>) -> String {
        "/api/v1/query/\(endpoint)?"
            + parameters.map { name, value in
                name + "=" + (value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
            }.joined(separator: "&")
    }

    private static func refusal(_ console: ConsoleUnderTest, _ path: String) async throws -> JSONResponse {
        let response = try await HTTP.request("GET", console.address + path)
        #expect(response.status == 400)
        return try JSONResponse(response.body)
    }

    @Test
    func `the records behind a result have all of their fields, the slowest first`() async throws {
        try await ConsoleUnderTest.run { console in
            let visit = ShopVisit.purchase()
            try await console.send(visit)
            let answer = try await console.get(
                Self.path(
                    "records",
                    ["q": "p99(duration) by name where kind = client last 3650d", "order": "slowest", "limit": "2"]))
            let requests = visit.phoneSpans.filter { $0.kind == 3 }
            #expect(answer["matchedRecords"].int == requests.count)
            let records = answer["records"].elements
            let slowest = requests.sorted { $0.end - $0.start > $1.end - $1.start }.prefix(2)
            #expect(records.map { $0["durationNs"].int } == slowest.map { Int($0.end - $0.start) })
            let first = try #require(slowest.first)
            #expect(records[0]["spanId"].text == first.id)
            #expect(records[0]["traceId"].text == first.trace)
            #expect(records[0]["sessionId"].text == visit.session)
            #expect(records[0]["name"].text == first.name)
            #expect(records[0]["timeUs"].int == Int(first.start / 1_000))
            #expect(records[0]["fields"]["resource.service.name"].text == "astronomy-shop")
            #expect(records[0]["fields"]["kind"].text == "client")
            #expect(answer["warnings"].elements.isEmpty)
        }
    }

    @Test
    func `the records are the newest if no order is asked for`() async throws {
        try await ConsoleUnderTest.run { console in
            let visit = ShopVisit.purchase()
            try await console.send(visit)
            let answer = try await console.get(Self.path("records", ["q": "count of events last 3650d"]))
            let times = answer["records"].elements.compactMap { $0["timeUs"].int }
            #expect(times.count == min(50, visit.events.count + visit.backendLogs.count))
            #expect(times == times.sorted(by: >))
        }
    }

    @Test(arguments: TestedStore.all)
    func `what sets the records of a selection apart is first`(store: TestedStore) async throws {
        try await ConsoleUnderTest.run(on: store) { console in
            var crashed = ShopVisit.purchase(number: 1)
            crashed.crash()
            try await console.send(crashed)
            for number in 2...3 { try await console.send(ShopVisit.purchase(number: number)) }
            let answer = try await console.get(
                Self.path(
                    "differences",
                    [
                        "q": "count with who = service.name where who = astronomy-shop last 3650d",
                        "selection": "session.crashed and who exists",
                    ]))
            #expect(answer["selection"].text == "session.crashed = true and who exists")
            #expect(answer["selected"].int == crashed.phoneSpans.count)
            #expect(answer["rest"].int == 2 * ShopVisit.purchase(number: 2).phoneSpans.count)
            let attributes = answer["attributes"].elements
            let scores = attributes.compactMap { $0["score"].double }
            #expect(scores.first == 1 && scores == scores.sorted(by: >))
            let session = try #require(attributes.first { $0["field"].text == "session.id" })
            #expect(session["score"].double == 1)
            let value = session["values"].elements.first { $0["value"].text == crashed.session }
            #expect(value?["selected"].int == crashed.phoneSpans.count)
            #expect(value?["rest"].int == 0)
            #expect(answer["fromUs"].int != nil && answer["toUs"].int != nil)
            let duration = attributes.first { $0["field"].text == "duration" }
            #expect(duration?["unit"].text == "ns")
        }
    }

    @Test
    func `an error of the selection says where it is in the selection`() async throws {
        try await ConsoleUnderTest.run { console in
            let wrong = try await Self.refusal(
                console, Self.path("differences", ["q": "count last 1h", "selection": "name lik \"x\""]))
            #expect(wrong["part"].text == "selection")
            #expect(wrong["column"].int == 6)
            #expect(wrong["length"].int == 3)
            let missing = try await Self.refusal(console, Self.path("differences", ["q": "count last 1h"]))
            #expect(missing["part"].text == "selection")
            let query = try await Self.refusal(console, Self.path("differences", ["q": "cuont", "selection": "a"]))
            #expect(query["part"].text == nil)
            #expect(query["column"].int == 1)
        }
    }

    @Test
    func `completion knows the fields and values that arrived`() async throws {
        try await ConsoleUnderTest.run { console in
            try await console.send(ShopVisit.purchase())
            let field = try await console.get(
                Self.path("complete", ["q": "count where a = \"🛒\" and app.sc by name", "cursor": "31"]))
            #expect(field["from"].int == 25)
            #expect(field["to"].int == 31)
            #expect(field["items"].elements.contains { $0["text"].text == "app.screen.name" })
            #expect(field["items"].elements.allSatisfy { $0["kind"].text == "field" })
            let value = try await console.get(Self.path("complete", ["q": "count where service.name = "]))
            #expect(value["items"].elements.contains { $0["text"].text == "\"astronomy-shop\"" })
            let session = try await console.get(Self.path("complete", ["q": "count where session.os.na"]))
            #expect(session["items"].elements.map { $0["text"].text } == ["session.os.name"])
            let root = try await console.get(Self.path("complete", ["q": "count by root.service.nam"]))
            #expect(root["items"].elements.map { $0["text"].text } == ["root.service.name"])
            let crashed = try await console.get(Self.path("complete", ["q": "count where session.crashed = "]))
            #expect(crashed["items"].elements.prefix(2).map { $0["text"].text } == ["true", "false"])
        }
    }

    @Test(arguments: [
        ("records", "q=count&limit=501", "limit"), ("records", "q=count&order=fastest", "order"), ("records", "", "q"),
        ("complete", "q=count&cursor=6", "cursor"),
    ])
    func `a parameter that is not valid is named`(endpoint: String, parameters: String, name: String) async throws {
        try await ConsoleUnderTest.run { console in
            let answer = try await Self.refusal(console, "/api/v1/query/\(endpoint)?\(parameters)")
            #expect(answer["error"].text?.hasPrefix("\(name): expected") == true)
        }
    }
}
