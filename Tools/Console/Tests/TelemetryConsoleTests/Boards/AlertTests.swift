import AstrolabeDelivery
import AstrolabeTestSupport
import BrowserKit
import ConsoleTransports
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Symbolication
import Testing

@testable import TelemetryBoards
@testable import TelemetryConsole

/// Tests of alerts over real records, a real folder and a real receiver of webhooks.
@Suite(.timeLimit(.minutes(2)))
struct ConsoleAlertTests {
    private static func write(_ text: String, to console: ConsoleUnderTest) throws {
        let folder = console.console.configuration.boardsFolder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: folder.appendingPathComponent("mine.yaml"), options: .atomic)
    }

    /// An event of this moment, or of some hours ago.
    private static func crash(version: String, hoursAgo: Double = 0) -> JSON {
        let time = UInt64((Date().timeIntervalSince1970 - hoursAgo * 3_600) * 1e9)
        return OTLPBody.logs(
            [("service.name", "shop"), ("service.version", .string(version))],
            [OTLPBody.Event(name: "app.crash", time: time, severity: 21)])
    }

    @Test
    func `an alert fires for the group that crosses, is posted once, and recovers`() async throws {
        try await Receiver.run { receiver in
            try await ConsoleUnderTest.run {
                $0.alertInterval = .milliseconds(20)
                $0.webhookHosts = ["127.0.0.1:\(receiver.port)"]
            } _: { console in
                try await console.send(Self.crash(version: "2.1.0"), to: .logs)
                let alert = """
                    title: Mine
                    alerts:
                      - name: Crashes
                        query: count of events by service.version where name = "app.crash"
                        above: %@
                        window: 1h
                        every: 10s
                        webhook: http://127.0.0.1:\(receiver.port)/hook

                    """
                try Self.write(alert.replacingOccurrences(of: "%@", with: "0"), to: console)
                let message = try await receiver.next()
                #expect(message["alert"].text == "Crashes")
                #expect(message["state"].text == "fired")
                #expect(message["group"].text == "2.1.0")
                #expect(message["value"].int == 1)
                #expect(message["board"].text == "mine")
                let link = "\(console.address)/alerts"
                #expect(message["text"].text == "Crashes: 1 for 2.1.0, above 0 in the last 1h\n\(link)")
                #expect(message["link"].text == link)
                #expect(message["incident"].text?.count == 16)
                let alerts = try await console.get("/api/v1/alerts")
                #expect(
                    alerts["firing"].int == 1
                        + alerts["alerts"].elements.count { $0["state"].text == "firing" && $0["board"].text != "mine" }
                )
                let mine = try #require(alerts["alerts"].elements.first { $0["board"].text == "mine" })
                #expect(mine["state"].text == "firing")
                #expect(mine["group"].text == "2.1.0")
                try Self.write(alert.replacingOccurrences(of: "%@", with: "1"), to: console)
                let end = try await receiver.next()
                #expect(end["state"].text == "recovered")
                #expect(end["incident"].text == message["incident"].text)
            }
        }
    }

    /// A phone reports a crash at its next launch.
    @Test
    func `a crash of hours ago that arrives now fires the alert that ships`() async throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try await ConsoleUnderTest.run { console in
            try await console.send(Self.crash(version: "2.1.0", hoursAgo: 3), to: .logs)
            let store = console.console.store
            let symbols = SymbolStore(folder: console.console.configuration.symbolsFolder)
            let health = IssueIndexer(store: store, symbols: symbols, logger: Logger(label: "test"))
            let monitor = AlertMonitor(
                boards: BoardLibrary(folder: folder),
                queries: QuerySource(store, indexIssues: { try await health.update() }),
                logger: Logger(label: "test"))
            let changes = await monitor.evaluate(at: 60_000_000_000)
            #expect(changes.map(\.status.rule.name) == ["The app crashes"])
            #expect(changes.map(\.change) == [.fired])
        }
    }

    @Test(arguments: [
        ("ratio(where status = error)", "above: 0.07", "above 7 %"),
        ("ratio(where status = error)", "below: 0.9995", "below 99.95 %"),
        ("p95(duration)", "above: 500ms", "above 500ms"), ("p95(duration)", "above: 250000000", "above 250.0 ms"),
        ("max(astrolabe.hang.duration) of events", "above: 2.5", "above 2.5 s"),
        ("count of events", "above: 1000000", "above 1000000"),
        ("count_distinct(duration)", "above: 3", "above 3"),
    ])
    func `a threshold has the unit of its value`(query: String, threshold: String, words: String) throws {
        let yaml = "title: A\nalerts:\n  - {name: B, query: \"\(query)\", window: 1h, \(threshold)}"
        let rule = try #require(try Board(yaml: yaml, file: "").alerts.first)
        #expect(rule.thresholdDescription == words + " in the last 1h")
    }

    @Test
    func `the states follow the evaluations, and a rule that changed begins anew`() async throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try await ConsoleUnderTest.run { console in
            let file = folder.appendingPathComponent("mine.yaml")
            let text = "title: A\nalerts:\n  - {name: B, query: count of events, above: 0, window: 1h, for: 2}\n"
            try Data(text.utf8).write(to: file)
            let boards = BoardLibrary(folder: folder)
            let monitor = AlertMonitor(
                boards: boards, queries: QuerySource(console.console.store), logger: Logger(label: "test"))
            func phase() async -> AlertState.Phase? {
                await monitor.snapshot().first { $0.board == "mine" }?.state.phase
            }
            let minute: Int64 = 60_000_000_000
            #expect(await phase() == .waiting)
            #expect(await monitor.evaluate(at: minute).isEmpty)
            #expect(await phase() == .ok)
            try await console.send(Self.crash(version: "1"), to: .logs)
            #expect(await monitor.evaluate(at: minute + 1).isEmpty)
            #expect(await phase() == .ok, "not due")
            _ = await monitor.evaluate(at: 2 * minute)
            #expect(await phase() == .pending)
            let changes = await monitor.evaluate(at: 3 * minute).filter { $0.status.board == "mine" }
            #expect(changes.map(\.change) == [.fired])
            try Data(text.replacingOccurrences(of: "above: 0", with: "above: 5").utf8).write(to: file)
            #expect(await phase() == .waiting)
            try Data(text.replacingOccurrences(of: "count of events", with: "count of issues").utf8).write(to: file)
            _ = await monitor.evaluate(at: 4 * minute)
            let status = await monitor.snapshot().first { $0.board == "mine" }
            #expect(status?.state.phase == .waiting || status?.state.failure == nil)
        }
    }

    @Test
    func `an alert is muted and acknowledged over the API`() async throws {
        try await ConsoleUnderTest.run { console in
            let text = "title: A\nalerts:\n  - {name: 'All of it', query: count of events, above: -1, window: 1h}\n"
            try Self.write(text, to: console)
            func patch(_ body: String, to path: String = "mine/All%20of%20it") async throws -> HTTP.Response {
                try await HTTP.request(
                    "PATCH", "\(console.address)/api/v1/alerts/\(path)",
                    headers: ["Content-Type": "application/json"], body: Array(body.utf8))
            }
            let muted = try JSONResponse(try await patch(#"{"muteSeconds":60}"#).body)
            #expect(muted["name"].text == "All of it")
            #expect(muted["mutedUntilUs"].int != nil)
            #expect(muted["history"].elements.isEmpty)
            for body in [#"{"muteSeconds":-1}"#, #"{"muted":true}"#, "[]", #"{"muteSeconds":99999999}"#] {
                #expect(try await patch(body).status == 400, "\(body)")
            }
            #expect(try await patch("{}", to: "mine/other").status == 404)
        }
    }

    @Test
    func `an alert that changes or goes ends what it began, and one that cannot be read does not`() async throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try await ConsoleUnderTest.run { console in
            let file = folder.appendingPathComponent("mine.yaml")
            func write(_ text: String) throws { try Data(text.utf8).write(to: file) }
            let alert =
                "title: A\nalerts:\n  - {name: B, query: count of events, above: %@, window: 1h, webhook: $HOOK}\n"
            let notices = NoticeQueue()
            let monitor = AlertMonitor(
                boards: BoardLibrary(folder: folder), queries: QuerySource(console.console.store), notices: notices,
                logger: Logger(label: "test"))
            let minute: Int64 = 60_000_000_000
            func ends(after minutes: Int64) async -> [Bool] {
                _ = await monitor.evaluate(at: minutes * minute)
                return await notices.book.notices.map(\.isEnd)
            }
            try write(alert.replacingOccurrences(of: "%@", with: "-1"))
            #expect(await ends(after: 1) == [false])
            try write("title: [")
            #expect(await ends(after: 2) == [false])
            try write(alert.replacingOccurrences(of: "%@", with: "-2"))
            #expect(await ends(after: 3) == [false], "it still fires")
            try write(alert.replacingOccurrences(of: "%@", with: "5"))
            #expect(await ends(after: 4) == [false, true])
            try write(alert.replacingOccurrences(of: "%@", with: "-1"))
            #expect(await ends(after: 5) == [false, true, false])
            let other = alert.replacingOccurrences(of: "$HOOK", with: "$OTHER")
            try write(other.replacingOccurrences(of: "%@", with: "-1"))
            #expect(await ends(after: 6) == [false, true, false, true, false])
            #expect(await notices.book.notices.map(\.webhook.text).suffix(2) == ["$HOOK", "$OTHER"])
            try FileManager.default.removeItem(at: file)
            #expect(await ends(after: 7) == [false, true, false, true, false, true])
            let last = try #require(await notices.book.notices.last)
            let message = try JSONResponse(Array(last.body.utf8))
            #expect(message["state"].text == "recovered")
            #expect(message["text"].text == "B: ended, because the alert was removed or has another webhook")
            #expect(message["incident"].text == last.incident)
        }
    }

    private static let transports: [any OTLPTransport] = [
        URLSessionTransport(), ConsoleCapabilities.all.makeTransport(),
    ]

    @Test func `a post has our name and a limit of time, and follows no redirection`() async throws {
        let receiver = try RawServer { request, connection in
            switch request.target {
            case "/moved": connection.answer(302, "", headers: "Location: http://127.0.0.1:9/elsewhere\r\n")
            case "/later": connection.answer(429, "", headers: "Retry-After: 7\r\n")
            case "/silent": connection.waitUntilClosed()
            default: connection.answer(200, "ok", headers: "")
            }
        }
        for transport in Self.transports {
            var sender = WebhookSender()
            sender.hosts = ["127.0.0.1:\(receiver.port)"]
            sender.transport = transport
            func post(_ path: String, timeout: Duration = .seconds(60)) async -> WebhookSender.Outcome {
                sender.timeout = timeout
                return await sender.post("{}", to: .loopback("http://127.0.0.1:\(receiver.port)/\(path)"))
            }
            #expect(await post("hook") == .delivered)
            #expect(await post("moved") == .redirected(status: 302))
            #expect(await post("later") == .status(429, retryAfter: .seconds(7)))
            #expect(await post("silent", timeout: .milliseconds(200)) == .timedOut)
        }
        let heard = receiver.requests.filter { $0.target != "/silent" }
        #expect(heard.map(\.target) == ["/hook", "/moved", "/later", "/hook", "/moved", "/later"])
        for request in heard {
            #expect(request.header("User-Agent")?.hasPrefix("astrolabe-console/") == true)
            #expect(request.header("Content-Type") == "application/json")
            #expect(request.body == "{}")
        }
    }

    @Test func `no outcome of a post names an address`() async throws {
        var sender = WebhookSender()
        sender.hosts = ["127.0.0.1:9"]
        #expect(await sender.post("{}", to: .loopback("http://127.0.0.1:9/secret")) == .unreachable)
        sender.hosts = []
        sender.environment = { $0 == "HOOK" ? "http://elsewhere.example/secret" : nil }
        #expect(await sender.post("{}", to: .variable("NONE")) == .unconfigured(variable: "NONE"))
        let insecure = await sender.post("{}", to: .variable("HOOK"))
        #expect(insecure == .unconfigured(variable: "HOOK"))
        for outcome in [
            insecure, .status(404), .redirected(status: 302), .unreachable, .timedOut, .forbidden,
        ] as [WebhookSender.Outcome] {
            #expect(!outcome.reason.contains("secret"))
        }
    }

    @Test
    func `a webhook is posted to permitted hosts alone, and by default to none that a board names`() async throws {
        let (connections, connection) = AsyncStream.makeStream(of: Void.self)
        let receiver = try RawServer { _, accepted in
            connection.yield()
            accepted.answer(200, "ok", headers: "")
        }
        let port = receiver.port
        let address = Webhook.loopback("http://127.0.0.1:\(port)/hook")
        var sender = WebhookSender()
        sender.environment = { _ in "http://127.0.0.1:\(port)/hook" }
        for hosts in [[], ["127.0.0.1"], ["127.0.0.1:\(port + 1)"], ["localhost:\(port)"]] as [Set<String>] {
            sender.hosts = hosts
            #expect(await sender.post("{}", to: address) == .forbidden)
            let expected: WebhookSender.Outcome = hosts.isEmpty ? .delivered : .forbidden
            #expect(await sender.post("{}", to: .variable("HOOK")) == expected)
        }
        sender.hosts = ["hooks.example.com", "127.0.0.1:\(port)"]
        #expect(await sender.post("{}", to: address) == .delivered)
        connection.finish()
        // That of the variable without hosts, and that of the permitted address.
        let count = await connections.reduce(0) { count, _ in count + 1 }
        #expect(count == 2)
    }

    @Test(arguments: ServerFault.all)
    func `a receiver that misbehaves does not end the console`(_ fault: ServerFault) async throws {
        let receiver = try RawServer { _, connection in fault.act(connection) }
        for transport in Self.transports {
            var sender = WebhookSender()
            sender.transport = transport
            sender.timeout = fault.timeout
            sender.hosts = ["127.0.0.1:\(receiver.port)"]
            let outcome = await sender.post("{}", to: .loopback("http://127.0.0.1:\(receiver.port)/hook"))
            if case .status(200) = fault.expectation { #expect(outcome == .delivered) }
        }
    }

    @Test func `a receiver may respond with a page`() async throws {
        let receiver = try RawServer { _, connection in
            connection.answer(200, "ok", headers: "Content-Type: text/html\r\n")
        }
        var sender = WebhookSender()
        sender.hosts = ["127.0.0.1:\(receiver.port)"]
        let outcome = await sender.post("{}", to: .loopback("http://127.0.0.1:\(receiver.port)/hook"))
        #expect(outcome == .delivered)
    }
}

/// A server that notes what is posted to it.
private struct Receiver {
    let port: Int
    private let bodies: AsyncStream<[UInt8]>

    /// Returns the next body that arrives.
    func next() async throws -> JSONResponse {
        for await body in bodies { return try JSONResponse(body) }
        throw CancellationError()
    }

    static func run(_ body: @escaping @Sendable (Receiver) async throws -> Void) async throws {
        let (bodies, received) = AsyncStream.makeStream(of: [UInt8].self)
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let router = Router()
        router.post("/**") { request, _ in
            let body = try await request.body.collect(upTo: 100_000)
            received.yield(Array(buffer: body))
            return HTTPResponse.Status.ok
        }
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { port.yield($0.localAddress?.port ?? 0) },
            logger: Logger(label: "receiver") { _ in
                SwiftLogNoOpLogHandler()
            })
        let running = Task { try await application.run() }
        guard let bound = await ports.first(where: { _ in true }) else { throw CancellationError() }
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(Receiver(port: bound, bodies: bodies)))
        } catch {
            result = .failure(error)
        }
        running.cancel()
        try? await running.value
        try result.get()
    }
}
