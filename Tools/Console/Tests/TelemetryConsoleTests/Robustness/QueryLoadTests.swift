import AstrolabePlatform
import AstrolabeTestSupport
import BrowserKit
import ConsoleModel
import Dispatch
import Foundation
import Testing

@testable import TelemetryConsole
@testable import TelemetryQuery

/// Queries that are many or heavy do not hurt the console.
@Suite(.timeLimit(.minutes(5)))
struct QueryLoadTests {
    private static func refusal(
        of endpoint: String, _ query: String, _ adjust: (inout QueryEngine.Limits) -> Void,
    ) async throws -> String {
        var limits = QueryEngine.Limits()
        adjust(&limits)
        return try await ConsoleUnderTest.run { [limits] in
            $0.limits.query = limits
        } _: { console in
            try await console.send(ShopVisit.purchase())
            let q = query.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let response = try await HTTP.request(
                "GET",
                "\(console.address)/api/v1/query\(endpoint)?q=\(q)\(endpoint == "/differences" ? "&selection=a" : "")")
            #expect(response.status == 400)
            return try JSONResponse(response.body)["error"].text ?? ""
        }
    }

    @Test(arguments: ["", "/records", "/differences"])
    func `a query that takes too long ends with the ways to narrow it`(endpoint: String) async throws {
        let error = try await Self.refusal(of: endpoint, "count last 3650d") { $0.time = .zero }
        #expect(error.contains("took longer than") && error.contains("Ask for a shorter time, group by fewer fields"))
    }

    @Test(arguments: [
        ("", "p99(duration), heatmap(duration) by name last 3650d"), ("/differences", "count last 3650d"),
        ("", "count by parent.name, any.name last 3650d"),
    ])
    func `a query that needs too much memory ends with an error`(endpoint: String, query: String) async throws {
        let error = try await Self.refusal(of: endpoint, query) { $0.bytes = 1_000 }
        #expect(error.contains("more than 0 MB of memory") && error.contains("Ask for"))
    }

    private static let address = "192.0.2.1"
    /// A query of an assistant.
    private static let call =
        #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":"#
        + #"{"name":"query","arguments":{"q":"count"}}}"#

    /// Sends a request as the proxy of a viewer with this address does.
    private static func get(
        _ path: String, from address: String = "192.0.2.2", at console: ConsoleUnderTest,
    ) async throws -> HTTP.Response {
        try await HTTP.request("GET", console.address + path, headers: ["X-Forwarded-For": address])
    }

    /// Lets no work pass until it is opened.
    private final class Gate: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)

        func pass() {
            semaphore.wait()
            semaphore.signal()
        }

        func open() { semaphore.signal() }
    }

    /// Runs queries of a viewer that do `work` in a turn, and calls `body` when as many as may have begun it.
    private static func withQueries<Value: Sendable>(
        _ count: Int, of viewer: String, in console: ConsoleUnderTest, _ work: @escaping @Sendable () -> Void,
        _ body: () async throws -> Value,
    ) async throws -> Value {
        let source = console.console.responder.services.api.queries
        let store = try #require(console.console.store.arrivals)
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let queries: [Task<Void, any Error>] = (0..<count).map { _ in
            Task {
                try await QueryAsker.$current.withValue(QueryAsker(viewer: viewer)) {
                    try await source.withColumns(of: [], from: store) { columns in
                        try await columns.turns.take { _ in
                            start.yield()
                            work()
                        }
                    }
                }
            }
        }
        let limits = console.console.configuration.limits.queries
        for await _ in started.prefix(min(count, limits.running, limits.runningOfViewer)) {}
        let value = try await body()
        for query in queries { try await query.value }
        return value
    }

    /// Runs queries of a viewer that are blocked in a turn while `body` runs.
    private static func withBlockedQueries<Value: Sendable>(
        _ count: Int, of viewer: String, in console: ConsoleUnderTest,
        _ body: () async throws -> Value,
    ) async throws -> Value {
        let gate = Gate()
        return try await withQueries(count, of: viewer, in: console, { gate.pass() }) {
            defer { gate.open() }
            return try await body()
        }
    }

    @Test(arguments: [1, 4])
    func `a viewer's query is answered while another's are blocked`(count: Int) async throws {
        try await ConsoleUnderTest.run({
            $0.limits.queries.running = 3
            $0.limits.queries.runningOfViewer = 2
        }) { console in
            try await console.send(ShopVisit.purchase())
            try await Self.withBlockedQueries(count, of: Self.address, in: console) { () async throws in
                for path in ["query?q=count%20by%20name", "query/records?q=count", "journeys/funnel", "map"] {
                    #expect(try await Self.get("/api/v1/" + path, at: console).status == 200, "\(path)")
                }
            }
        }
    }

    @Test
    func `queries too many wait for their turn, and are answered`() async throws {
        try await ConsoleUnderTest.run({
            $0.limits.queries.running = 1
            $0.limits.queries.runningOfViewer = 1
        }) { console in
            let scheduler = console.console.responder.services.api.queries.scheduler
            let statuses = try await Self.withBlockedQueries(1, of: Self.address, in: console) {
                let waiting = (0..<6).map { _ in
                    Task { try await Self.get("/api/v1/query?q=count", at: console).status }
                }
                try await eventually("six queries wait") { scheduler.queryCount(of: "192.0.2.2") == 6 }
                return waiting
            }
            for status in statuses {
                let status = try await status.value
                #expect(status == 200)
            }
        }
    }

    @Test
    func `a query ends when its connection closes`() async throws {
        try await ConsoleUnderTest.run({
            $0.limits.queries.running = 1
            $0.limits.queries.runningOfViewer = 1
        }) { console in
            let scheduler = console.console.responder.services.api.queries.scheduler
            try await Self.withBlockedQueries(1, of: Self.address, in: console) {
                let requests = [
                    "GET /api/v1/query?q=count HTTP/1.1\r\nHost: localhost\r\n\r\n",
                    "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        + "Content-Length: \(Self.call.utf8.count)\r\n\r\n\(Self.call)",
                ]
                for request in requests {
                    let socket = try LineSocket.request(port: console.port, request)
                    try await eventually("the query has begun") { scheduler.queryCount(of: "127.0.0.1") == 1 }
                    socket.hangUp()
                    try await eventually("the query has ended") { scheduler.queryCount(of: "127.0.0.1") == 0 }
                }
            }
            #expect(try await Self.get("/api/v1/query?q=count", at: console).status == 200)
        }
    }

    @Test(arguments: ["query?q=count", "query/records?q=count", "journeys/funnel", "map"])
    func `a viewer with too many queries is asked to wait, and others are answered`(path: String) async throws {
        try await ConsoleUnderTest.run({
            $0.limits.queries.queriesOfViewer = 1
            $0.limits.queries.running = 3
            $0.limits.queries.runningOfViewer = 2
        }) { console in
            let path = "/api/v1/" + path
            try await Self.withBlockedQueries(1, of: Self.address, in: console) {
                let refused = try await Self.get(path, from: Self.address, at: console)
                #expect(refused.status == 429)
                #expect(refused[header: "Retry-After"] == "1")
                let message = "1 of your queries run or wait already"
                #expect(try JSONResponse(refused.body)["error"].text?.hasPrefix(message) == true)
                let call = try await HTTP.request(
                    "POST", console.address + "/mcp",
                    headers: ["Content-Type": "application/json", "X-Forwarded-For": Self.address],
                    body: Array(Self.call.utf8))
                let result = try JSONResponse(call.body)["result"]
                #expect(result["isError"].bool == true)
                #expect(result["content"][0]["text"].text?.hasPrefix(message) == true)
                #expect(try await Self.get(path, at: console).status == 200)
            }
            #expect(try await Self.get(path, from: Self.address, at: console).status == 200)
        }
    }

    @Test
    func `a request says the class of its queries`() async throws {
        try await ConsoleUnderTest.run { console in
            for name in QueryClass.allCases.map(\.rawValue) {
                #expect(try await Self.get("/api/v1/query?q=count&class=\(name)", at: console).status == 200)
            }
            let response = try await Self.get("/api/v1/query?q=count&class=fast", at: console)
            #expect(response.status == 400)
            #expect(
                try JSONResponse(response.body)["error"].text
                    == "class: expected one of interactive, board, export, found fast")
        }
    }

    @Test
    func `telemetry is received while as many queries as there may be take all of their threads' time`() async throws {
        try await ConsoleUnderTest.run { console in
            let isReceived = Locked(false)
            let hasGivenUp = Locked(false)
            // They end so that a failure does not hang.
            let spin: @Sendable () -> Void = {
                // About a minute of a processor.
                for _ in 0..<300_000_000 where isReceived.withLock({ $0 }) { return }
                hasGivenUp.withLock { $0 = true }
            }
            let running = console.console.configuration.limits.queries.runningOfViewer
            try await Self.withQueries(running, of: Self.address, in: console, spin) {
                try await console.send(ShopVisit.purchase())
                isReceived.withLock { $0 = true }
            }
            #expect(!hasGivenUp.withLock { $0 })
            #expect(try await console.get("/api/v1/sessions")["sessions"].elements.count == 1)
        }
    }
}
