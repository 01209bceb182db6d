import AstrolabeTestSupport
import BrowserKit
import Foundation
import InMemoryLogging
import Logging
import Testing

@testable import TelemetryBoards
@testable import TelemetryConsole

/// The formats of hosted services, as a server gets them that records what is posted.
@Suite(.timeLimit(.minutes(2)))
struct WebhookFormatTests {
    private static let time: Int64 = 1_790_000_040_000_000_000
    private static let key = "R0UT1NGK3Y"
    private static let words = "A & B: 7 for <!channel>, above 1 in the last 5m"

    private static func sender(port: Int, fragment: String = "") -> WebhookSender {
        var sender = WebhookSender()
        sender.environment = { $0 == "HOOK" ? "http://127.0.0.1:\(port)/hook\(fragment)" : nil }
        return sender
    }

    /// A firing and its end.
    private static func changes(_ format: String) throws -> [AlertMonitor.Change] {
        let yaml = """
            title: Mine
            alerts:
              - {name: A & B, query: count by name, above: 1, window: 5m, webhook: $HOOK, format: \(format)}
            """
        let rule = try #require(try Board(yaml: yaml, file: "").alerts.first)
        let status = AlertMonitor.Status(board: "mine", boardTitle: "Mine", rule: rule)
        return [
            AlertState.Event(change: .fired, group: "<!channel>", value: 7, time: time),
            AlertState.Event(change: .recovered, group: "<!channel>", value: 0, time: time + 60_000_000_000),
        ].map { AlertMonitor.Change(status: status, event: $0) }
    }

    /// Posts a firing and its end. Returns the bodies.
    private static func posted(_ format: String, fragment: String = "") async throws -> [JSONResponse] {
        let receiver = try RawServer { _, connection in connection.answer(200, "ok", headers: "") }
        let sender = sender(port: receiver.port, fragment: fragment)
        let queue = NoticeQueue(sender: sender, address: "http://127.0.0.1:4318")
        try await queue.take(changes(format))
        await queue.send()
        #expect(receiver.requests.map(\.target) == ["/hook", "/hook"])
        return try receiver.requests.map { try JSONResponse($0.bytes) }
    }

    @Test func `Slack gets a text and blocks in which telemetry is neither a link nor a mention`() async throws {
        let bodies = try await Self.posted("slack")
        try #require(bodies.count == 2)
        let words = "A &amp; B: 7 for &lt;!channel&gt;, above 1 in the last 5m"
        #expect(bodies[0]["text"].text == words)
        #expect(bodies[0]["blocks"].elements.map { $0["type"].text } == ["section", "section", "context"])
        #expect(bodies[0]["blocks"][0]["text"]["type"].text == "mrkdwn")
        #expect(bodies[0]["blocks"][0]["text"]["text"].text == "*Firing*")
        #expect(bodies[0]["blocks"][1]["text"]["type"].text == "plain_text")
        #expect(bodies[0]["blocks"][1]["text"]["text"].text == words)
        #expect(bodies[0]["mrkdwn"].bool == false)
        let place = bodies[0]["blocks"][2]["elements"]
        #expect(place.elements.map { $0["type"].text } == ["plain_text", "mrkdwn"])
        let texts = ["Board mine", "<http://127.0.0.1:4318/alerts|Open the alerts>"]
        #expect(place.elements.map { $0["text"].text } == texts)
        #expect(bodies[1]["text"].text == "A &amp; B: recovered, 0 for &lt;!channel&gt;")
        #expect(bodies[1]["blocks"][0]["text"]["text"].text == "*Recovered*")
    }

    @Test func `Teams gets an Adaptive Card in the envelope of a workflow`() async throws {
        let bodies = try await Self.posted("teams")
        try #require(bodies.count == 2)
        for (body, color) in zip(bodies, ["Attention", "Good"]) {
            #expect(body["type"].text == "message")
            let attachment = body["attachments"][0]
            #expect(attachment["contentType"].text == "application/vnd.microsoft.card.adaptive")
            let card = attachment["content"]
            #expect(card["type"].text == "AdaptiveCard")
            #expect(card["version"].text == "1.4")
            #expect(card["$schema"].text == "http://adaptivecards.io/schemas/adaptive-card.json")
            #expect(card["body"].elements.allSatisfy { $0["type"].text == "RichTextBlock" })
            #expect(card["body"][0]["inlines"][0]["color"].text == color)
            #expect(card["actions"][0]["type"].text == "Action.OpenUrl")
            #expect(card["actions"][0]["url"].text == "http://127.0.0.1:4318/alerts")
        }
        let card = bodies[0]["attachments"][0]["content"]
        #expect(card["body"].elements.map { $0["inlines"][0]["text"].text } == ["Firing", Self.words, "Board mine"])
        #expect(card["fallbackText"].text == "Firing: \(Self.words)")
    }

    @Test func `PagerDuty gets a trigger and a resolve of one key`() async throws {
        let bodies = try await Self.posted("pagerduty", fragment: "#\(Self.key)")
        try #require(bodies.count == 2)
        #expect(bodies.map { $0["routing_key"].text } == [Self.key, Self.key])
        #expect(bodies.map { $0["event_action"].text } == ["trigger", "resolve"])
        #expect(bodies[0]["dedup_key"].text?.count == 16)
        #expect(bodies[0]["dedup_key"].text == bodies[1]["dedup_key"].text)
        let payload = bodies[0]["payload"]
        #expect(payload["summary"].text == Self.words)
        #expect(payload["severity"].text == "critical")
        #expect(payload["source"].text == "astrolabe/mine")
        #expect(payload["timestamp"].text == "2026-09-21T14:14:00Z")
        #expect(payload["group"].text == "<!channel>")
        #expect(payload["custom_details"]["value"].int == 7)
        #expect(bodies[0]["client_url"].text == "http://127.0.0.1:4318/alerts")
        #expect(bodies[1]["payload"].isMissing)
    }

    @Test func `the console's own format stays as it is`() async throws {
        let bodies = try await Self.posted("json")
        #expect(bodies.map { $0["state"].text } == ["fired", "recovered"])
        #expect(bodies[0]["text"].text == "\(Self.words)\nhttp://127.0.0.1:4318/alerts")
    }

    /// Slack takes 3,000 characters in a section, PagerDuty 1,024 in a summary, and Teams 28 KB.
    @Test func `no message is longer than its service takes`() throws {
        let text = String(repeating: "&", count: 50_000)
        let notice = """
            {"alert": "A", "board": "mine", "incident": "1", "sinceUs": 0, "state": "unknown", "text": "\(text)"}
            """
        func body(_ format: Webhook.Format) throws -> JSONResponse {
            try JSONResponse(Array(AlertMessage.body(of: notice, as: format, routingKey: Self.key).utf8))
        }
        let section = try #require(try body(.slack)["blocks"][1]["text"]["text"].text)
        #expect(section.count < 3_000 && section.hasSuffix("&amp;…"), "no escape is cut")
        #expect(AlertMessage.body(of: notice, as: .teams, routingKey: "").utf8.count < 28_000)
        let payload = try body(.pagerduty)["payload"]
        #expect(payload["summary"].text?.count == 1_024)
        #expect(payload["severity"].text == "warning")
    }

    @Test func `the routing key of PagerDuty is in no file, no log and no path`() async throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("notices.json").path
        let log = InMemoryLogHandler()
        var logger = Logger(label: "test") { _ in log }
        logger.logLevel = .trace
        let receiver = try RawServer { _, connection in connection.answer(400, "bad key \(Self.key)") }
        let sender = Self.sender(port: receiver.port, fragment: "#\(Self.key)")
        let queue = NoticeQueue(path: path, sender: sender, logger: logger, now: { Self.time })
        try await queue.take(Self.changes("pagerduty"))
        await queue.send()
        let request = try #require(receiver.requests.first)
        #expect(request.body.contains(Self.key))
        #expect(!request.head.contains(Self.key))
        #expect(try !String(contentsOfFile: path, encoding: .utf8).contains(Self.key))
        #expect(!log.entries.isEmpty)
        for entry in log.entries { #expect(!"\(entry.message) \(entry.metadata)".contains(Self.key)) }
    }

    @Test func `an address of PagerDuty without a key is not asked`() async throws {
        let receiver = try RawServer { _, connection in connection.answer(200, "ok", headers: "") }
        let sender = Self.sender(port: receiver.port)
        #expect(await sender.post("{}", to: Webhook(.variable("HOOK"), format: .pagerduty)) == .keyless)
        #expect(receiver.requests.isEmpty)
    }
}
