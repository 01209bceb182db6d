import AstrolabeTestSupport
import BrowserKit
import ConsoleModel
import Foundation
import Testing

@testable import TelemetryConsole

/// Tests of server-sent events over a real socket.
@Suite(.timeLimit(.minutes(5)))
struct LiveTests {
    private func follow(_ console: ConsoleUnderTest, _ query: String = "") throws -> LineSocket {
        try LineSocket.request(
            port: console.port,
            "GET /api/v1/live\(query) HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n",
        )
    }

    /// Reads lines up to the data of the next event with that name.
    private func data(of event: String, _ lines: inout AsyncStream<String>.Iterator) async throws -> JSONResponse {
        while let line = await lines.next() {
            guard line == "event: \(event)" else { continue }
            while let next = await lines.next() {
                if next.hasPrefix("data: ") { return try JSONResponse(Array(next.utf8.dropFirst(6))) }
            }
        }
        throw UnexpectedEnd()
    }

    private struct UnexpectedEnd: Error {}

    @Test
    func `a page receives the current cursor and then changes`() async throws {
        try await ConsoleUnderTest.run { console in
            let socket = try follow(console)
            var lines = socket.lines.makeAsyncIterator()
            #expect(await lines.next() == "HTTP/1.1 200 OK")
            #expect(try await data(of: "hello", &lines)["cursor"].int == 0)
            try await console.send(ShopVisit.purchase())
            let change = try await data(of: "change", &lines)
            #expect((change["cursor"].int ?? 0) > 0)
            #expect(change["sessions"].int == 1)
        }
    }

    @Test
    func `a page that subscribes to one session receives no other changes`() async throws {
        try await ConsoleUnderTest.run { console in
            let mine = ShopVisit.purchase(number: 1)
            let other = ShopVisit.purchase(number: 2)
            try await console.send(mine.phoneTraceBody, to: .traces)
            let socket = try follow(console, "?session=\(mine.session)")
            var lines = socket.lines.makeAsyncIterator()
            _ = try await data(of: "hello", &lines)
            try await console.send(other.phoneTraceBody, to: .traces)
            let between = try await console.console.store.statistics().cursor
            try await console.send(mine.phoneLogBody, to: .logs)
            let change = try await data(of: "change", &lines)
            #expect((change["cursor"].int ?? 0) > Int(between), "the first change heard is the session's own")
        }
    }

    @Test
    func `a heartbeat is sent if nothing changes`() async throws {
        try await ConsoleUnderTest.run {
            $0.limits.heartbeat = .milliseconds(20)
        } _: { console in
            let socket = try follow(console)
            let beat = await socket.lines.first { $0.hasPrefix(": ") }
            #expect(beat == ": heartbeat")
        }
    }

    @Test
    func `readers beyond the limit get 503, and a closed connection frees a slot`() async throws {
        try await ConsoleUnderTest.run {
            $0.limits.liveReaders = 1
            $0.limits.heartbeat = .milliseconds(10)
        } _: { console in
            let first = try follow(console)
            #expect(await first.lines.first { _ in true } == "HTTP/1.1 200 OK")
            let second = try follow(console)
            #expect(await second.lines.first { _ in true } == "HTTP/1.1 503 Service Unavailable")
            first.hangUp()
            try await eventually("a reader is admitted") {
                await (try follow(console)).lines.first { _ in true } == "HTTP/1.1 200 OK"
            }
        }
    }

    @Test
    func `clients that disconnect before the response free their slots`() async throws {
        try await ConsoleUnderTest.run {
            $0.limits.liveReaders = 1
            $0.limits.heartbeat = .milliseconds(10)
        } _: { console in
            for _ in 0..<20 { try follow(console).hangUp() }
            try await eventually("a reader is admitted") {
                await (try follow(console)).lines.first { _ in true } == "HTTP/1.1 200 OK"
            }
        }
    }

    @Test
    func `a console that stops closes its live connections`() async throws {
        let socket = try await ConsoleUnderTest.run { console in
            let socket = try follow(console)
            var lines = socket.lines.makeAsyncIterator()
            _ = try await data(of: "hello", &lines)
            return socket
        }
        var rest = 0
        for await _ in socket.lines { rest += 1 }
        #expect(rest < 100, "the stream has ended")
    }
}
