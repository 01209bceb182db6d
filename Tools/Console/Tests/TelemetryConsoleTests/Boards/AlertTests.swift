import AstrolabeDelivery
import AstrolabeTestSupport
import BrowserKit
import ConsoleTransports
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
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
            [OTLPBody.Event(name: "app.crash", time: time, severity: 21)], )
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
                #expect(message["text"].text == "Crashes: 1 for 2.1.0, above 0 in the last 1h")
                let alerts = try await console.get("/api/v1/alerts")
                #expect(
                    alerts["firing"].int == 1
                        + alerts["alerts"].elements.count { $0["state"].text == "firing" && $0["board"].text != "mine" }
                )
                let mine = try #require(alerts["alerts"].elements.first { $0["board"].text == "mine" })
                #expect(mine["state"].text == "firing")
                #expect(mine["group"].text == "2.1.0")
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
            let monitor = AlertMonitor(
                boards: BoardLibrary(folder: folder), queries: QuerySource(console.console.store),
                logger: Logger(label: "test"), )
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
                boards: boards, queries: QuerySource(console.console.store), logger: Logger(label: "test"), )
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
    func `a webhook is tried again after a failure, a refusal is not, and no address is shown`() async throws {
        try await Receiver.run(statuses: [500, 503, 200, 404]) { receiver in
            var sender = WebhookSender()
            sender.pauses = [.milliseconds(1), .milliseconds(1)]
            let address = "http://127.0.0.1:\(receiver.port)/hook/secret"
            sender.environment = { $0 == "HOOK" ? address : nil }
            let message = try Self.message()
            #expect(await sender.post(message, to: .variable("HOOK")) == .delivered)
            for _ in 1...3 { _ = try await receiver.next() }
            let refused = await sender.post(message, to: .variable("HOOK"))
            #expect(refused == .status(404))
            sender.hosts = ["127.0.0.1:9"]
            #expect(await sender.post(message, to: .loopback("http://127.0.0.1:9/secret")) == .unreachable)
            sender.hosts = []
            #expect(await sender.post(message, to: .variable("NONE")) == .unconfigured(variable: "NONE"))
            sender.environment = { _ in "http://elsewhere.example/secret" }
            let insecure = await sender.post(message, to: .variable("HOOK"))
            #expect(insecure == .unconfigured(variable: "HOOK"))
            for outcome in [refused, insecure, .unreachable, .forbidden] {
                #expect(!outcome.reason.contains("secret"))
                #expect(outcome.shown == "failed")
            }
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
        let message = try Self.message()
        let address = WebhookAddress.loopback("http://127.0.0.1:\(port)/hook")
        var sender = WebhookSender()
        sender.pauses = []
        sender.environment = { _ in "http://127.0.0.1:\(port)/hook" }
        for hosts in [[], ["127.0.0.1"], ["127.0.0.1:\(port + 1)"], ["localhost:\(port)"]] as [Set<String>] {
            sender.hosts = hosts
            #expect(await sender.post(message, to: address) == .forbidden)
            let expected: WebhookSender.Outcome = hosts.isEmpty ? .delivered : .forbidden
            #expect(await sender.post(message, to: .variable("HOOK")) == expected)
        }
        sender.hosts = ["hooks.example.com", "127.0.0.1:\(port)"]
        #expect(await sender.post(message, to: address) == .delivered)
        connection.finish()
        // That of the variable without hosts, and that of the permitted address.
        let count = await connections.reduce(0) { count, _ in count + 1 }
        #expect(count == 2)
    }

    @Test(arguments: ServerFault.all)
    func `a receiver that misbehaves does not end the console`(_ fault: ServerFault) async throws {
        let receiver = try RawServer { _, connection in fault.act(connection) }
        for transport in [URLSessionTransport(), ConsoleCapabilities.all.makeTransport()] as [any OTLPTransport] {
            var sender = WebhookSender()
            sender.pauses = []
            sender.transport = transport
            sender.timeout = fault.timeout
            sender.hosts = ["127.0.0.1:\(receiver.port)"]
            let outcome = await sender.post(
                try Self.message(), to: .loopback("http://127.0.0.1:\(receiver.port)/hook"), )
            if case .status(200) = fault.expectation { #expect(outcome == .delivered) }
        }
    }

    @Test func `a receiver may respond with a page`() async throws {
        let receiver = try RawServer { _, connection in
            connection.answer(200, "ok", headers: "Content-Type: text/html\r\n")
        }
        var sender = WebhookSender()
        sender.hosts = ["127.0.0.1:\(receiver.port)"]
        let outcome = await sender.post(
            try Self.message(), to: .loopback("http://127.0.0.1:\(receiver.port)/hook"), )
        #expect(outcome == .delivered)
    }

    private static func message() throws -> AlertMessage {
        let yaml = "title: A\nalerts:\n  - {name: B, query: count, above: 0, window: 1h}\n"
        let rule = try #require(try Board(yaml: yaml, file: "").alerts.first)
        return AlertMessage(
            AlertMonitor.Change(
                status: AlertMonitor.Status(board: "a", boardTitle: "A", rule: rule), change: .fired, ))
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

    /// - Parameter statuses: The statuses of the first responses. The last one repeats.
    static func run(
        statuses: [Int] = [200], _ body: @escaping @Sendable (Receiver) async throws -> Void,
    ) async throws {
        let (bodies, received) = AsyncStream.makeStream(of: [UInt8].self)
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let counter = Counter(statuses)
        let router = Router()
        router.post("/**") { request, _ in
            let body = try await request.body.collect(upTo: 100_000)
            received.yield(Array(buffer: body))
            return await counter.next()
        }
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { port.yield($0.localAddress?.port ?? 0) },
            logger: Logger(label: "receiver") { _ in
                SwiftLogNoOpLogHandler()
            }, )
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

    private actor Counter {
        private var statuses: [Int]

        init(_ statuses: [Int]) {
            self.statuses = statuses
        }

        func next() -> HTTPResponse.Status {
            HTTPResponse.Status(code: statuses.count > 1 ? statuses.removeFirst() : statuses[0])
        }
    }
}
