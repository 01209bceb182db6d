import AstrolabePlatform
import AstrolabeTestSupport
import BrowserKit
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
                "GET", "\(console.address)/api/v1/query\(endpoint)?selection=a&q=\(q)", )
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

    /// Runs as many queries as may be answered at the same time, and calls `body` when `count` of them have begun.
    private static func withQueries<Value>(
        _ count: Int = QueryLine.Limits().running, in console: ConsoleUnderTest,
        _ wait: @escaping @Sendable () async -> Void,
        _ body: () async throws -> Value,
    ) async throws -> Value {
        let source = console.console.responder.api.queries
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let queries = (0..<QueryLine.Limits().running).map { _ in
            Task {
                // The console has queries of its own, which may take the last place for a moment.
                while true {
                    do {
                        return try await source.withColumns(of: []) { _ in
                            start.yield()
                            await wait()
                        }
                    } catch is QuerySource.Busy {
                        await Task.yield()
                    }
                }
            }
        }
        for await _ in started.prefix(count) {}
        let value = try await body()
        for query in queries { try await query.value }
        return value
    }

    @Test
    func `queries too many wait for their turn, and are answered`() async throws {
        try await ConsoleUnderTest.run({ $0.limits.queries.patience = .seconds(3_600) }) { console in
            let address = console.address + "/api/v1/query?q=count"
            let (ends, end) = AsyncStream.makeStream(of: Void.self)
            let statuses = try await Self.withQueries(in: console, { for await _ in ends {} }) {
                let waiting = (0..<6).map { _ in Task { try await HTTP.request("GET", address).status } }
                try await eventually("six queries wait") {
                    await console.console.responder.api.queries.turns.waitingCount >= 6
                }
                end.finish()
                return waiting
            }
            for status in statuses {
                let status = try await status.value
                #expect(status == 200)
            }
        }
    }

    @Test(arguments: ["query?q=count", "query/records?q=count", "journeys/funnel", "map"])
    func `a query for which there is no place is asked to come again, and is answered then`(path: String) async throws {
        try await ConsoleUnderTest.run({ $0.limits.queries.waiting = 0 }) { console in
            let address = console.address + "/api/v1/" + path
            let (ends, end) = AsyncStream.makeStream(of: Void.self)
            try await Self.withQueries(in: console, { for await _ in ends {} }) {
                let refused = try await HTTP.request("GET", address)
                #expect(refused.status == 503)
                #expect(refused[header: "Retry-After"] == "1")
                #expect(try JSONResponse(refused.body)["error"].text?.hasPrefix("too many queries") == true)
                end.finish()
            }
            #expect(try await HTTP.request("GET", address).status == 200)
        }
    }

    @Test
    func `telemetry is received while as many queries as there may be take all of their threads' time`() async throws {
        try await ConsoleUnderTest.run { console in
            let isReceived = Locked(false)
            let hasGivenUp = Locked(false)
            // Without yielding, they would block the threads of all tasks. They end so that a failure does not hang.
            let spin: @Sendable () async -> Void = {
                // About a minute of a processor.
                for _ in 0..<300_000_000 where isReceived.withLock({ $0 }) { return }
                hasGivenUp.withLock { $0 = true }
            }
            // Each processor runs one of them.
            let running = min(QueryLine.Limits().running, ProcessInfo.processInfo.activeProcessorCount)
            try await Self.withQueries(running, in: console, spin) {
                try await console.send(ShopVisit.purchase())
                isReceived.withLock { $0 = true }
            }
            #expect(!hasGivenUp.withLock { $0 })
            #expect(try await console.get("/api/v1/sessions")["sessions"].elements.count == 1)
        }
    }
}
