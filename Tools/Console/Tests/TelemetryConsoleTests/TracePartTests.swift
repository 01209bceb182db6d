import BrowserKit
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import TelemetryConsole

/// Tools of assistants whose answers are longer than one result: each is read by page, within the limit.
@Suite(.timeLimit(.minutes(10)))
struct TracePartTests {
    private static let start: UInt64 = 1_790_000_000_000_000_000
    private static let trace = "00000000000000a50000000000000001"

    private static func span(_ number: Int, parent: Int, _ name: String, error: String? = nil) -> OTLPBody.Span {
        OTLPBody.Span(
            trace: trace, id: id(number), parent: parent > 0 ? id(parent) : "", name: name,
            start: start + UInt64(number) * 1_000, end: start + UInt64(number) * 1_000 + 500,
            attributes: [("http.route", .string("/api/products/\(number)")), ("retry", .integer(number))],
            error: error)
    }

    private static func id(_ number: Int) -> String { String(format: "%016x", number) }

    /// Sends a root with ten branches, each with its part of the spans below it in a chain of two.
    private static func send(_ count: Int, to console: ConsoleInProcess) async throws {
        var spans = [span(1, parent: 0, "checkout")]
        spans += (2...11).map { span($0, parent: 1, "branch") }
        spans += (12...count).map { number in
            span(number, parent: number % 10 + 2, "leaf", error: number == 12 ? "no stock" : nil)
        }
        for first in stride(from: 0, to: spans.count, by: 1_000) {
            let part = Array(spans[first..<min(first + 1_000, spans.count)])
            try await console.send(OTLPBody.traces([("service.name", "shop")], part), to: .traces)
        }
        let events = [1, 12, count + 1].map { number in
            OTLPBody.Event(name: "note", time: start, body: "note \(number)", trace: trace, span: id(number))
        }
        try await console.send(OTLPBody.logs([("service.name", "shop")], events), to: .logs)
    }

    /// Calls a tool, and requires an answer within the limit.
    private static func call(
        _ tool: String, _ arguments: [String: Any], at console: ConsoleInProcess,
    ) async throws -> JSONResponse {
        let params: [String: Any] = ["name": tool, "arguments": arguments]
        let message: [String: Any] = ["jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params]
        let response = try await console.client.executeRequest(
            uri: "/mcp", method: .post, headers: [.contentType: "application/json"],
            body: ByteBuffer(bytes: try JSONSerialization.data(withJSONObject: message)))
        let result = try JSONResponse(Array(buffer: response.body))["result"]
        let text = try #require(result["content"][0]["text"].text)
        #expect(result["isError"].bool == false, "\(text.prefix(500))")
        #expect(text.utf8.count <= MCPHandler.longestResult)
        return try JSONResponse(Array(text.utf8))
    }

    @Test
    func `a large trace begins with its summary, and has each span and event once`() async throws {
        try await ConsoleInProcess.run { console in
            let count = 3_000
            try await Self.send(count, to: console)
            let first = try await Self.call("trace", ["trace": Self.trace], at: console)
            let summary = first["summary"]
            #expect(summary["spans"].int == count)
            #expect(summary["failures"].int == 1)
            #expect(summary["services"][0]["service"].text == "shop")
            #expect(summary["services"][0]["spans"].int == count)
            #expect(summary["roots"].elements.map { $0["descendants"].int } == [count - 1])
            #expect(summary["failed"].elements.map { $0["spanId"].text } == [Self.id(12)])
            #expect(Set(summary["names"].elements.compactMap { $0["name"].text }) == ["checkout", "branch", "leaf"])
            #expect(first["count"].int == count + 3)

            var spans: [String] = []
            var events: [String] = []
            var offset: Int? = 0
            while let from = offset {
                let page = try await Self.call(
                    "trace", ["trace": Self.trace, "offset": from, "limit": 1_000], at: console)
                spans += page["items"].elements.compactMap { $0["span"]["spanId"].text }
                events += page["items"].elements.compactMap { $0["event"]["body"].text }
                offset = page["next"].int
            }
            #expect(spans.sorted() == (1...count).map(Self.id))
            #expect(events == ["note 1", "note 12", "note \(count + 1)"])
        }
    }

    @Test
    func `a subtree is read by the span on top of it`() async throws {
        try await ConsoleInProcess.run { console in
            try await Self.send(100, to: console)
            let part = try await Self.call("trace", ["trace": Self.trace, "span": Self.id(4)], at: console)
            #expect(part["summary"].isMissing)
            let spans = part["items"].elements.compactMap { $0["span"]["spanId"].text }
            #expect(spans.first == Self.id(4))
            #expect(Set(spans.dropFirst()) == Set((12...100).filter { $0 % 10 + 2 == 4 }.map(Self.id)))
            do {
                _ = try await console.get("/api/v1/traces/\(Self.trace)/parts?span=ffffffffffffffff")
                Issue.record("found a span that was not sent")
            } catch let error as UnexpectedStatus {
                #expect(error.response.status == .notFound)
            }
        }
    }

    @Test
    func `metrics of many series are read by page`() async throws {
        try await ConsoleInProcess.run { console in
            let names = (0..<150).map { "shop.metric.\(1_000 + $0)" }
            for name in names {
                let points: [([(String, JSON)], UInt64, Double)] = (0..<4).map { series in
                    ([("kind", .string(String(repeating: "long \(series) ", count: 60)))], 1, Double(series))
                }
                try await console.send(
                    OTLPBody.metric(
                        [("service.name", "shop")], name: name, unit: "1", isCounter: false, start: Self.start,
                        points: points), to: .metrics)
            }
            var found: [String] = []
            var cursor: String? = ""
            while let from = cursor {
                let page = try await Self.call("metrics", ["cursor": from], at: console)
                found += page["metrics"].elements.compactMap { $0["name"].text }
                cursor = page["next"].text
            }
            #expect(found == names)
        }
    }

    @Test
    func `a page of long records has fewer of them, and one that is too long for a page is read by its parts`()
        async throws
    {
        try await ConsoleInProcess.run { console in
            let long = String(repeating: "x", count: 400_000)
            let bodies = (0..<30).map { "\($0) " + String(repeating: "y", count: 20_000) } + [long]
            let logs = bodies.enumerated().map { index, body in
                OTLPBody.Event(
                    name: "", time: Self.start + UInt64(index), attributes: [("session.id", "s-1")], body: body)
            }
            try await console.send(OTLPBody.logs([("service.name", "shop")], logs), to: .logs)

            let first = try await Self.call("logs", [:], at: console)
            #expect(first["members"]["logs"]["count"].int == 1)
            let record = try await Self.call("logs", ["part": "/logs/0/body@0"], at: console)
            #expect(record["count"].int == long.count)
            #expect(record["next"].text == "/logs/0/body@\(record["text"].text?.count ?? 0)")

            var found: [String] = []
            var cursor: String? = first["members"]["next"].text
            while let from = cursor {
                let page = try await Self.call("logs", ["cursor": from], at: console)
                found += page["logs"].elements.compactMap { $0["body"].text }
                cursor = page["next"].text
            }
            #expect(found == bodies.dropLast().reversed())

            let session = try await Self.call("session", ["session": "s-1"], at: console)
            #expect(session["session"]["events"].int == 31)
            #expect(session["items"].elements.first?["body"].text == bodies[0])
            #expect(session["next"].text != nil)
        }
    }
}
