import Astrolabe
import AstrolabeDelivery
import AstrolabePlatform
import AstrolabeTestSupport
import BrowserKit
import Foundation
import InMemoryLogging
import Logging
import Testing

@testable import TelemetryConsole

/// Secrets that an app or the configuration of the console has are in no answer, on no page and in no log.
@Suite(.timeLimit(.minutes(10)))
struct ConsoleSecrecyTests {
    /// In the forms in which a text could have them, without separators.
    private static let secrets = [
        "4432801561520454", "canary.mailbox", "canary-password", "canary-token", "canary-item",
    ]

    private static func found(in text: String) -> [String] {
        let digits = text.filter { !" -".contains($0) }
        return secrets.filter { text.contains($0) || digits.contains($0) }
    }

    private struct CheckoutFailure: Error, CustomStringConvertible {
        let description = "cannot charge 4432801561520454 of canary.mailbox@example.com"
    }

    /// Records what a careless app records, through the real SDK.
    private static func record(to console: ConsoleUnderTest) async throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = TelemetryConfiguration(serviceName: "careless-app")
        configuration.storageDirectory = folder
        configuration.endpoint = OTLPEndpoint(url: try #require(URL(string: console.address)))
        configuration.sampling = .everything
        configuration.resourceAttributes["app.owner"] = "canary.mailbox@example.com"
        let telemetry = Telemetry.start(configuration)
        telemetry.addBreadcrumb("typed 4432-8015-6152-0454", attributes: ["password": "canary-password"])
        telemetry.logger("app").emit(
            "card 4432-8015-6152-0454", severity: .error,
            body: "paid with 4432 8015 6152 0454 by canary.mailbox@example.com",
            attributes: [
                "password": "canary-password", "note": "Authorization: Bearer canary-token",
                "app.screen.name": "Card 4432801561520454", "number": 4_432_801_561_520_454,
            ])
        for name in ["list of canary.mailbox@example.com", "purchase by canary.mailbox@example.com"] {
            try? telemetry.tracer("app").withSpan(name) { span in
                span.setAttribute("url.full", "https://shop.example.com/pay?item=canary-item&card=4432801561520454")
                throw CheckoutFailure()
            }
        }
        telemetry.meter("app").counter("payments").add(1, attributes: ["card": "4432-8015-6152-0454"])
        let report = await telemetry.shutdown(timeout: .seconds(60))
        #expect(report.ledger.delivered > 4)
        #expect(report.ledger.droppedTotal == 0)
    }

    private static let board = """
        title: Careless
        panels:
          - {title: Notes, query: "count of events by body, note, name", as: table}
          - title: Way
            funnel:
              by: session
              steps: [{name: List, where: name starts-with list}, {name: Order, where: name starts-with purchase}]
          - {title: Names, flow: {field: name, by: session}}
        alerts:
          - {name: Cards, query: count of events by body where body exists, above: 0, window: 1h, every: 10s}

        """

    private static func addBoard(_ text: String, named name: String, to console: ConsoleUnderTest) throws {
        let folder = console.console.configuration.boardsFolder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: folder.appendingPathComponent("\(name).yaml"), options: .atomic)
    }

    @Test
    func `what the SDK redacts is in no answer of the API`() async throws {
        let log = InMemoryLogHandler()
        try await ConsoleUnderTest.run({
            $0.alertInterval = .milliseconds(20)
            $0.logger = Logger(label: "console") { _ in log }
            $0.logger.logLevel = .trace
        }) { console in
            try await Self.record(to: console)
            try Self.addBoard(Self.board, named: "careless", to: console)
            try await eventually("the alert fires") {
                try await console.get("/api/v1/alerts")["alerts"].elements
                    .contains { $0["board"].text == "careless" && $0["state"].text == "firing" }
            }
            let answers = Locked<[String: String]>([:])
            let crawler = APICrawler { path in
                let response = try await HTTP.request("GET", console.address + path)
                guard response.status == 200 else { throw UnexpectedResponse(response: response) }
                answers.withLock { $0[path] = String(decoding: response.body, as: UTF8.self) }
                return try JSONResponse(response.body)
            }
            try await crawler.readEverything()
            _ = try await crawler.read(
                "/api/v1/query/differences?q=count%20of%20events&selection=severity%20%3E%3D%2017")
            let texts = answers.withLock { $0 }
            for (path, text) in texts { #expect(Self.found(in: text) == [], "\(path)") }
            // What was searched has the records.
            for path in [
                "query?", "query/records", "query/differences", "query/complete", "logs/patterns", "journeys/flow",
                "alerts", "logs", "traces/", "sessions/", "metrics",
            ] {
                #expect(
                    texts.contains { $0.key.hasPrefix("/api/v1/\(path)") && $0.value.contains("REDACTED") },
                    "\(path) has none of the records")
            }
            #expect(texts.keys.contains("/api/v1/boards/careless") && texts.keys.contains { $0.contains("funnel?q") })
            for entry in log.entries { #expect(Self.found(in: "\(entry.message) \(entry.metadata)") == []) }
        }
    }

    /// The pages show what the API answers, so the test of the API is enough by default.
    @Test(
        .enabled(if: WebDriver.isAvailable, "needs chromium and chromedriver"),
        .enabled(if: Thoroughness.isThorough, "runs with ./astrolabe test --thorough"))
    func `what the SDK redacts is on no page`() async throws {
        try await ConsoleUnderTest.run({ $0.alertInterval = .milliseconds(20) }) { console in
            try await Self.record(to: console)
            try Self.addBoard(Self.board, named: "careless", to: console)
            try await WebDriver.run { browser in
                for (page, ready) in [
                    ("explore?q=count%20of%20events%20by%20body%2C%20note", ".results tbody tr"),
                    ("explore?q=count%20of%20events&tab=records", ".records .log-record"),
                    ("explore?q=count%20by%20name&tab=traces", ".results a"),
                    ("boards/careless", ".results tbody tr"), ("journeys?field=name", ".flow-frame, .flow"),
                    ("logs", ".log-record"), ("logs?view=patterns", ".log-pattern"), ("alerts", ".alerts tr.firing"),
                    ("traces", ".entry"), ("sessions", ".entry"), ("metrics", ".main a"),
                ] {
                    try await browser.open("\(console.address)/\(page)")
                    try await browser.wait(until: "document.querySelector('\(ready)')")
                    try await browser.run("for (const it of document.querySelectorAll('details summary')) it.click()")
                    let shown = try await browser.run("return document.documentElement.outerHTML").text ?? ""
                    #expect(Self.found(in: shown) == [], "\(page)")
                    if page.hasPrefix("logs") { #expect(shown.contains("REDACTED"), "\(page)") }
                }
                try await browser.requireNoErrors()
            }
        }
    }

    /// An address that is a secret is only in the environment. A file that has one nevertheless is not shown as it is.
    @Test
    func `the address of a webhook is in no log and no answer, and neither is what is in a URL`() async throws {
        let log = InMemoryLogHandler()
        let variable = "ASTROLABE_CANARY_WEBHOOK"
        try await ConsoleUnderTest.run({
            $0.alertInterval = .milliseconds(20)
            // No server listens on the discard port.
            $0.webhooks.environment = { name in
                let address = "https://canary-token:canary-password@127.0.0.1:9/services/canary-token"
                return name == variable ? address : nil
            }
            $0.logger = Logger(label: "console") { _ in log }
            $0.logger.logLevel = .trace
        }) { console in
            let rule = "title: A\nalerts:\n  - {name: B, query: count of events, above: -1, window: 1h, webhook: "
            try Self.addBoard(rule + "$\(variable)}\n", named: "hook", to: console)
            let refused = [
                "https://hooks.example/services/canary-token", "http://127.0.0.1:9@hooks.example/canary-token",
                "http://127.0.0.1:9/v2/enqueue#canary-token",
            ]
            for (number, address) in refused.enumerated() {
                try Self.addBoard(rule + address + "}\n", named: "refused\(number)", to: console)
            }
            func result() async throws -> JSONResponse? {
                try await console.get("/api/v1/alerts")["alerts"].elements.first { $0["board"].text == "hook" }
            }
            try await eventually("the webhook has failed") { try await result()?["webhookResult"].text == "failed" }
            var answers: [String] = []
            for path in ["alerts", "boards", "boards/hook", "boards/refused0", "boards/refused1", "boards/refused2"] {
                let response = try await HTTP.request("GET", "\(console.address)/api/v1/\(path)")
                #expect(response.status == 200)
                answers.append(String(decoding: response.body, as: UTF8.self))
            }
            #expect(answers[0].contains("\"failed\""))
            #expect(answers[0].contains(variable))
            for answer in answers[3...5] { #expect(answer.contains("environment variable")) }
            for path in [
                "query?q=count&key=canary-token", "sessions?token=canary-token", "canary-token", "boards/canary-token",
            ] {
                let response = try await HTTP.request(
                    "GET", "\(console.address)/api/v1/\(path)", headers: ["Authorization": "Bearer canary-token"])
                if response.status == 200 { answers.append(String(decoding: response.body, as: UTF8.self)) }
            }
            for answer in answers { #expect(Self.found(in: answer) == []) }
            #expect(log.entries.contains { "\($0.message)".contains("alert not posted") })
            for entry in log.entries { #expect(Self.found(in: "\(entry.message) \(entry.metadata)") == []) }
        }
    }

    @Test
    func `the key of a server with a flight recorder is in no log and no answer`() async throws {
        let log = InMemoryLogHandler()
        try await ConsoleUnderTest.run({
            // No server listens on the discard port.
            let address = URL(string: "http://canary-token:canary-password@127.0.0.1:9")
            $0.recorderServer = RecorderServer(address: { address }, key: "canary-item-of-the-recorder")
            $0.recorderServer?.retry.maximumBackoffWithoutResponse = 0.001
            $0.logger = Logger(label: "console") { _ in log }
            $0.logger.logLevel = .trace
        }) { console in
            let span = OTLPBody.Span(
                trace: "4bf92f3577b34da6a3ce929d0e0e4736", id: "00f067aa0ba902b7", name: "POST", kind: 3,
                start: 1_790_000_000_000_000_000, end: 1_790_000_000_100_000_000,
                attributes: [("astrolabe.recorder.trigger", "error")])
            try await console.send(OTLPBody.traces([("service.name", "phone")], [span]), to: .traces)
            try await eventually("the trace is dropped") {
                try await console.get("/api/v1/recorder")["dropped"].int == 1
            }
            for path in ["recorder", "status"] {
                let answer = try await HTTP.request("GET", "\(console.address)/api/v1/\(path)").text
                #expect(Self.found(in: answer) == [], "\(path)")
            }
        }
        #expect(log.entries.contains { "\($0.message)".contains("was not asked") })
        for entry in log.entries { #expect(Self.found(in: "\(entry.message) \(entry.metadata)") == []) }
    }
}
