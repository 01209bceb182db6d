import BrowserKit
import Foundation
import Testing

@testable import TelemetryConsole

/// Tests of the replay API over a real socket.
@Suite(.timeLimit(.minutes(5)))
struct ReplayAPITests {
    @Test(arguments: TestedStore.all)
    func `a replay is read in two steps: the list of frames and their content`(store: TestedStore) async throws {
        try await ConsoleUnderTest.run(on: store) { console in
            let replay = try ReplayVisit.crash()
            try await console.send(replay.visit)
            let path = "/api/v1/sessions/\(replay.visit.session)"
            #expect(try await console.get(path)["replay"].bool == false)
            let records = try await console.get("\(path)/timeline")["items"].elements.count
            try await console.send(replay.body, to: .logs)
            #expect(try await console.get(path)["replay"].bool == true)
            #expect(try await console.get("\(path)/timeline")["items"].elements.count == records)

            let course = try await console.get("\(path)/replay")
            let recording = course["recordings"][0]
            let id = try #require(recording["id"].text)
            #expect(recording["frames"].elements.count == replay.frames.count)
            #expect(recording["frames"][0].elements.map(\.int) == [0, Int(replay.frames[0].time / 1_000), 1])
            #expect(recording["frames"][1].elements.count == 2)

            let part = try await console.get("\(path)/replay/\(id)?from=2&limit=3")
            #expect(part["frames"].elements.map { $0["sequence"].int } == [2, 3, 4])
            #expect(part["next"].int == 5)
            let first = try await console.get("\(path)/replay/\(id)?limit=1")["frames"][0]
            #expect(first["key"].bool == true)
            #expect(first["screen"].text == "ProductList")
            #expect(first["size"].elements.map(\.int) == [393, 852])
            #expect(first["nodes"].elements.contains { $0["name"].text == "product.OLJCESPC7Z" })
            #expect(first["faults"].isMissing)
            #expect(try await console.get("\(path)/replay/other")["frames"].elements.isEmpty)
        }
    }

    @Test(arguments: ["limit=0", "limit=20001", "since=x"])
    func `an invalid query is rejected`(query: String) async throws {
        try await ConsoleUnderTest.run { console in
            try await console.send(try ReplayVisit.crash().body, to: .logs)
            let id = try ReplayVisit.crash().visit.session
            let response = try await HTTP.request("GET", "\(console.address)/api/v1/sessions/\(id)/replay?\(query)")
            #expect(response.status == 400)
            let unknown = try await HTTP.request("GET", "\(console.address)/api/v1/sessions/nobody/replay/r-1")
            #expect(unknown.status == 404)
        }
    }

    @Test
    func `an invalid frame is rejected with a reason, and the rest is stored`() async throws {
        try await ConsoleUnderTest.run { console in
            var events = try ReplayVisit.crash().frames
            events[1].attributes.removeAll { $0.0 == "astrolabe.replay.sequence" }
            let body = OTLPBody.logs(ShopVisit.purchase().phone, events)
            let response = try await HTTP.request(
                "POST", "\(console.address)/v1/logs", headers: ["Content-Type": "application/json"], body: body.bytes)
            #expect(response.status == 200)
            let partial = try JSONResponse(response.body)["partialSuccess"]
            #expect(partial["rejectedLogRecords"].text == "1" || partial["rejectedLogRecords"].int == 1)
            #expect(partial["errorMessage"].text?.contains("astrolabe.replay.sequence") == true)
        }
    }
}
