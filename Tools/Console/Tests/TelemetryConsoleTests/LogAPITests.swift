import BrowserKit
import Testing

@testable import TelemetryConsole

/// The list of log records.
@Suite
struct LogAPITests {
    private static let start: UInt64 = 1_790_000_000_000_000_000

    /// A record without trace and session.
    private static func log(_ body: String, after seconds: UInt64, severity: Int = 9) -> OTLPBody.Event {
        OTLPBody.Event(
            name: "", time: start + seconds * 1_000_000_000, severity: severity, attributes: [("host.name", "db-1")],
            body: body)
    }

    private static func send(_ service: String, _ logs: [OTLPBody.Event], to console: ConsoleInProcess) async throws {
        try await console.send(OTLPBody.logs([("service.name", .string(service))], logs), to: .logs)
    }

    private static func bodies(_ console: ConsoleInProcess, _ query: String = "") async throws -> [String] {
        try await console.get("/api/v1/logs\(query)")["logs"].elements.compactMap { $0["body"].text }
    }

    @Test
    func `a record without trace and session is listed with all that was sent`() async throws {
        try await ConsoleInProcess.run { console in
            try await Self.send("cron", [Self.log("disk full", after: 1, severity: 17)], to: console)
            let page = try await console.get("/api/v1/logs")
            let log = page["logs"][0]
            #expect(log["body"].text == "disk full")
            #expect(log["severity"].int == 17)
            #expect(log["attributes"]["host.name"].text == "db-1")
            #expect(log["timeUs"].int == Int(Self.start / 1_000) + 1_000_000)
            #expect(page["origins"][0]["service"].text == "cron")
            #expect(page["scopes"][0]["name"].text == "test")
        }
    }

    @Test
    func `records are filtered by service, severity and text`() async throws {
        try await ConsoleInProcess.run { console in
            try await Self.send(
                "cron", [Self.log("start", after: 1), Self.log("disk full", after: 4, severity: 17)], to: console)
            try await Self.send(
                "mail", [Self.log("queue full", after: 2, severity: 13), Self.log("sent", after: 3)], to: console)
            #expect(try await Self.bodies(console) == ["disk full", "sent", "queue full", "start"])
            #expect(try await Self.bodies(console, "?service=cron") == ["disk full", "start"])
            #expect(try await Self.bodies(console, "?severity=13") == ["disk full", "queue full"])
            #expect(try await Self.bodies(console, "?severity=5&service=mail") == ["sent", "queue full"])
            #expect(try await Self.bodies(console, "?q=full") == ["disk full", "queue full"])
            #expect(try await Self.bodies(console, "?q=host.name%3Ddb-1&service=mail&severity=13") == ["queue full"])
            #expect(try await Self.bodies(console, "?q=nothing").isEmpty)
            #expect(try await Self.bodies(console, "?service=nobody").isEmpty)
        }
    }

    @Test(arguments: ["", "&service=cron", "&severity=9", "&q=step", "&q=step&service=cron&severity=9"])
    func `pages have every record exactly once, newest first`(filter: String) async throws {
        try await ConsoleInProcess.run { console in
            // Ten records of each second, so that pages end within a second.
            let logs = (0..<95).map { Self.log("step \($0)", after: UInt64($0 / 10)) }
            try await Self.send("cron", logs, to: console)
            var bodies: [String] = []
            var cursor = ""
            repeat {
                let page = try await console.get("/api/v1/logs?limit=20\(filter)&cursor=\(cursor)")
                #expect(page["logs"].elements.count <= 20)
                bodies += page["logs"].elements.compactMap { $0["body"].text }
                cursor = page["next"].text ?? ""
            } while !cursor.isEmpty
            #expect(bodies == (0..<95).reversed().map { "step \($0)" })
        }
    }

    @Test(arguments: ["severity=0", "severity=25", "severity=error", "limit=0"])
    func `an invalid filter is rejected`(query: String) async throws {
        try await ConsoleInProcess.run { console in
            do {
                _ = try await console.get("/api/v1/logs?\(query)")
                Issue.record("took \(query)")
            } catch let error as UnexpectedStatus {
                #expect(error.description.contains("expected"))
            }
        }
    }

    @Test(arguments: [
        ("duration%3E1s", "duration>1s"), ("status%21%3D500", "status!=500"), ("size%3C%3D5", "size<=5"),
        ("%3Dx", "=x"), ("%22open", "\"open"), ("a%20b%20c%20d%20e%20f%20g%20h%20i", "9 terms"),
    ])
    func `a term that a search does not support is rejected with what is expected`(text: String, named: String)
        async throws
    {
        try await ConsoleInProcess.run { console in
            for list in ["sessions", "traces", "logs", "devices"] {
                do {
                    _ = try await console.get("/api/v1/\(list)?q=\(text)")
                    Issue.record("\(list) took \(named)")
                } catch let error as UnexpectedStatus {
                    #expect(error.description.contains(": 400 "))
                    #expect(error.description.contains(named.replacing("\"", with: "\\\"")))
                    #expect(error.description.contains("xpected"))
                }
            }
        }
    }

    @Test(arguments: ["%22a%3E1%22", "http%3A%2F%2Fx%2F%3Fa%3D1%26b", "%3E", "a-%3Eb", "x%3D%3C5", "100%25"])
    func `text that only looks like a comparison is searched for`(text: String) async throws {
        try await ConsoleInProcess.run { console in
            let page = try await console.get("/api/v1/sessions?q=\(text)")
            #expect(page["complete"].bool == true)
        }
    }

    @Test(arguments: TestedStore.all)
    func `similar records fold into patterns`(store: TestedStore) async throws {
        try await ConsoleInProcess.run(on: store) { console in
            let texts = ["order 17 confirmed", "order 18 confirmed", "charge of \"ada\" failed"]
            let events = texts.enumerated().map { index, text in
                OTLPBody.Event(
                    name: "", time: 1_790_000_000_000_000_000 + UInt64(index), severity: index == 2 ? 17 : 9,
                    body: text)
            }
            try await console.send(OTLPBody.logs([("service.name", "shop")], events), to: .logs)
            let answer = try await console.get("/api/v1/logs/patterns?q=count%20of%20events%20last%203650d")
            let patterns = answer["patterns"].elements
            #expect(patterns.map { $0["text"].text } == ["order # confirmed", "charge of \"…\" failed"])
            #expect(patterns.map { $0["count"].int } == [2, 1])
            #expect(patterns.map { $0["severity"].int } == [9, 17])
            #expect(
                patterns[0]["examples"].elements.map { $0["text"].text } == [
                    "order 18 confirmed", "order 17 confirmed",
                ])
            #expect(answer["matchedRecords"].int == 3)
        }
    }
}
