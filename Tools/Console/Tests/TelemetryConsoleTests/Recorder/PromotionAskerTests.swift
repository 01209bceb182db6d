import AstrolabeDelivery
import AstrolabePlatform
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import BrowserKit
import Foundation
import InMemoryLogging
import Logging
import Testing

@testable import TelemetryConsole

/// The console's requests to a server for its part of promoted traces.
@Suite(.timeLimit(.minutes(5))) struct `A console that asks a server for its part of traces` {
    private static let key = "key-of-the-recorder-7719"

    /// A server whose requests are awaited.
    private struct Server {
        let loopback: LoopbackServer
        let requests: AsyncStream<AstrolabeTestSupport.HTTPRequest>

        init(_ answer: @escaping @Sendable (AstrolabeTestSupport.HTTPRequest) -> LoopbackServer.Answer) throws {
            let (requests, arrival) = AsyncStream.makeStream(of: AstrolabeTestSupport.HTTPRequest.self)
            self.requests = requests
            loopback = try LoopbackServer { request in
                let answer = answer(request)
                arrival.yield(request)
                return answer
            }
        }

        var url: URL? { URL(string: "http://127.0.0.1:\(loopback.port)") }
    }

    private static func traces(in request: AstrolabeTestSupport.HTTPRequest) throws -> [String] {
        try JSONResponse(request.body)["traces"].elements.compactMap(\.text)
    }

    private static func accept(_ request: AstrolabeTestSupport.HTTPRequest) -> LoopbackServer.Answer {
        let count = (try? traces(in: request).count) ?? 0
        let body = #"{"service":"shop-backend","accepted":\#(count),"refused":0}"#
        return .status(200, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
    }

    private static func id(_ number: Int) -> String { "4bf92f3577b34da6a3ce929d0e0e473\(number)" }

    /// A span as a device sends it.
    private static func span(_ trace: Int, kind: Int = 3, trigger: String? = "error") -> OTLPBody.Span {
        var attributes: [(String, JSON)] = []
        if let trigger { attributes.append(("astrolabe.recorder.trigger", .string(trigger))) }
        return OTLPBody.Span(
            trace: id(trace), id: "00f067aa0ba902b\(kind)", name: "POST", kind: kind, start: 1_790_000_000_000_000_000,
            end: 1_790_000_000_100_000_000, attributes: attributes)
    }

    private static func send(_ spans: [OTLPBody.Span], of service: String = "phone", to console: ConsoleUnderTest)
        async throws
    {
        try await console.send(OTLPBody.traces([("service.name", .string(service))], spans), to: .traces)
    }

    private static func ask(_ url: URL?) -> RecorderServer {
        var server = RecorderServer(address: { url }, key: key)
        server.retry.initialBackoff = 0.001
        server.retry.maximumBackoff = 0.001
        server.retry.maximumBackoffWithoutResponse = 0.001
        return server
    }

    @Test func `asks once for each trace with a promoted request, unless spans of the server are there`() async throws {
        let server = try Server { Self.accept($0) }
        defer { server.loopback.kill() }
        try await ConsoleUnderTest.run({ $0.recorderServer = Self.ask(server.url) }) { console in
            try await Self.send([Self.span(2, kind: 2, trigger: nil)], of: "shop-backend", to: console)
            var requests = server.requests.makeAsyncIterator()
            // Neither is for the server: no promoted span, none of a request, and what a console has asked for.
            try await Self.send(
                [Self.span(3, trigger: nil), Self.span(4, kind: 1), Self.span(5, trigger: "remote")], to: console)
            try await Self.send([Self.span(1), Self.span(1), Self.span(2)], to: console)
            let first = try #require(await requests.next())
            #expect(first.head.method == "POST" && first.path == "/recorder/promote")
            #expect(first.head.headers["authorization"] == "Bearer \(Self.key)")
            // The server's name is not known yet.
            #expect(try Self.traces(in: first) == [])
            let second = try #require(await requests.next())
            #expect(try Self.traces(in: second) == [Self.id(1)])

            try await Self.send([Self.span(1), Self.span(6)], to: console)
            let third = try #require(await requests.next())
            #expect(try Self.traces(in: third) == [Self.id(6)])
            try await eventually("the answer is counted") {
                try await console.get("/api/v1/recorder")["accepted"].int == 2
            }
            let state = try await console.get("/api/v1/recorder")
            #expect(state["present"].int == 1 && state["dropped"].int == 0 && state["refused"].int == 0)
            #expect(state["server"].text == server.url?.absoluteString)
        }
    }

    @Test func `tries again if the server is not ready, and goes on`() async throws {
        let answers = Locked(0)
        let server = try Server { request in
            answers.withLock { $0 += 1 }
            return answers.withLock { $0 } <= 2 ? .status(503) : Self.accept(request)
        }
        defer { server.loopback.kill() }
        let log = InMemoryLogHandler()
        try await ConsoleUnderTest.run({
            $0.recorderServer = Self.ask(server.url)
            $0.logger = Logger(label: "console") { _ in log }
        }) { console in
            try await Self.send([Self.span(1)], to: console)
            try await eventually("the answer is counted") {
                try await console.get("/api/v1/recorder")["accepted"].int == 1
            }
            #expect(try await console.get("/api/v1/recorder")["failure"].isMissing)
        }
        #expect(answers.withLock { $0 } == 4)
        let lines = log.entries.map { "\($0.message)" }.filter { $0.contains("was not asked") }
        #expect(lines.count == 1 && lines[0].hasSuffix("HTTP 503") && !lines[0].contains(Self.key))
    }

    @Test(arguments: [(302, 5), (401, 5), (400, 1), (200, 1)])
    func `drops the traces if the server does not answer as one, and follows no redirect`(
        status: Int, attempts: Int,
    ) async throws {
        let followed = Locked(0)
        let other = try Server { request in
            followed.withLock { $0 += 1 }
            return Self.accept(request)
        }
        let place = try #require(other.url).absoluteString
        let count = Locked(0)
        let server = try Server { _ in
            count.withLock { $0 += 1 }
            return .status(status, headers: ["Location": place + "/recorder/promote"])
        }
        defer {
            server.loopback.kill()
            other.loopback.kill()
        }
        let log = InMemoryLogHandler()
        try await ConsoleUnderTest.run({
            $0.recorderServer = Self.ask(server.url)
            $0.logger = Logger(label: "console") { _ in log }
        }) { console in
            try await Self.send([Self.span(1), Self.span(2)], to: console)
            try await eventually("the traces are dropped") {
                try await console.get("/api/v1/recorder")["dropped"].int == 2
            }
            let text = try await HTTP.request("GET", "\(console.address)/api/v1/recorder").text
            #expect(text.contains("failure") && !text.contains(Self.key))
        }
        #expect(count.withLock { $0 } == attempts)
        for entry in log.entries { #expect(!"\(entry.message) \(entry.metadata)".contains(Self.key)) }
        #expect(followed.withLock { $0 } == 0)
    }

    @Test func `takes no answer with more traces than it asked for`() async throws {
        let server = try Server { _ in
            let body = #"{"service":"shop-backend","accepted":9223372036854775807,"refused":-1}"#
            return .status(200, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
        }
        defer { server.loopback.kill() }
        try await ConsoleUnderTest.run({ $0.recorderServer = Self.ask(server.url) }) { console in
            try await Self.send([Self.span(1), Self.span(2)], to: console)
            try await eventually("the traces are dropped") {
                try await console.get("/api/v1/recorder")["dropped"].int == 2
            }
            let state = try await console.get("/api/v1/recorder")
            #expect(state["accepted"].int == 0 && state["refused"].int == 0)
            #expect(state["failure"].text == "expected the answer of a flight recorder, found another")
        }
    }

    @Test func `says that it asks no server`() async throws {
        try await ConsoleUnderTest.run { console in
            let text = try await HTTP.request("GET", "\(console.address)/api/v1/recorder").text
            #expect(text == "{}")
        }
    }
}

@Suite struct `Traces that a server is to be asked for` {
    private static func traces(_ range: Range<UInt64>) -> [TraceID] { range.map { TraceID(high: 1, low: $0) } }

    @Test func `wait once each, and leave in the order of their arrival`() {
        var queue = PromotionQueue()
        let added = [queue.add(Self.traces(0..<300)), queue.add(Self.traces(0..<300))]
        let batches = [queue.next(), queue.next(), queue.next()]
        let again = queue.add(Self.traces(0..<1))
        #expect(added == [true, false] && !again)
        #expect(batches == [Self.traces(0..<256), Self.traces(256..<300), []])
        #expect(queue.counts == PromotionQueue.Counts())
    }

    @Test func `are bounded, and the oldest are dropped and counted`() {
        var queue = PromotionQueue()
        let count = UInt64(PromotionQueue.waitingLimit)
        _ = queue.add(Self.traces(0..<count + 5))
        #expect(queue.waiting.count == PromotionQueue.waitingLimit)
        #expect(queue.waiting.first == TraceID(high: 1, low: 5))
        #expect(queue.counts.dropped == 5)
    }

    @Test func `are forgotten after many others`() {
        var queue = PromotionQueue()
        let limit = UInt64(PromotionQueue.knownLimit)
        let added = [0..<1, 1..<limit + 1, 0..<1, limit + 1..<2 * limit + 1, 0..<1].map { queue.add(Self.traces($0)) }
        #expect(added == [true, true, false, true, true])
    }
}
