import AstrolabeGzip
import AstrolabeTestSupport
import BrowserKit
import ConsoleModel
import Foundation
import HTTPTypes
import HummingbirdCore
import HummingbirdTesting
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import ServerSupport
@testable import TelemetryConsole

/// Clients that are slow, many or large do not keep others out.
@Suite
struct LoadTests {
    private static let head = """
        POST /v1/logs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 200000\r\n\r\n{
        """

    @Test
    func `bodies that do not arrive take no place of those that do`() async throws {
        try await ConsoleUnderTest.run {
            $0.limits.requestsAtOnce = 2
        } _: { console in
            let slow = try (0..<8).map { _ in try LineSocket.request(port: console.port, Self.head) }
            for _ in 0..<4 { try await console.send(ShopVisit.purchase()) }
            withExtendedLifetime(slow) {}
        }
    }

    @Test
    func `a request that would need more memory than is left gets 503 and is taken later`() async throws {
        try await ConsoleUnderTest.run {
            $0.limits.memoryBytes = 100_000
            $0.limits.connections.bodyWindow = .hours(1)
        } _: { console in
            let body = try OTLPBody.logs([], [.init(name: "e", time: 1)]).bytes
            func send() async throws -> HTTP.Response {
                try await HTTP.request(
                    "POST", "\(console.address)/v1/logs", headers: ["Content-Type": "application/json"],
                    body: body + Array(repeating: UInt8(ascii: " "), count: 4_000),
                )
            }
            let receiver = console.console.receiver
            let large = try LineSocket.request(
                port: console.port, Self.head + String(repeating: " ", count: 90_000),
            )
            try await eventually("the console has read the beginning of a large body") { receiver.memoryInUse > 90_000 }
            let response = try await send()
            #expect(response.status == 503)
            #expect(response[header: "Retry-After"] == "2")
            large.hangUp()
            try await eventually("the memory is free") { receiver.memoryInUse == 0 }
            #expect(try await send().status == 200)
        }
    }

    @Test
    func `a compressed body counts with what it becomes`() async throws {
        try await ConsoleInProcess.run {
            $0.limits.memoryBytes = 4 << 20
        } _: { console in
            let blank = try GzipCoder.compress(Array("{".utf8) + [UInt8](repeating: 0x20, count: 1 << 20))
            // Alone, it may exceed the allowance: it is decoded, and is not valid JSON.
            for _ in 0..<2 {
                let response = try await console.client.executeRequest(
                    uri: "/v1/logs", method: .post,
                    headers: [.contentType: "application/json", .contentEncoding: "gzip"],
                    body: ByteBuffer(bytes: blank),
                )
                #expect(response.status == .badRequest)
            }
        }
        let allowance = MemoryAllowance(bytes: 100)
        let first = allowance.hold()
        #expect(first.grow(by: 1_000))
        #expect(first.grow(by: 1))
        #expect(!allowance.hold().grow(by: 1))
        withExtendedLifetime(first) {}
    }

    @Test
    func `memory that a request held is free when it ends`() {
        let allowance = MemoryAllowance(bytes: 100)
        do {
            let hold = allowance.hold()
            #expect(hold.grow(by: 60))
            let other = allowance.hold()
            #expect(other.grow(by: 40))
            #expect(!other.grow(by: 1))
            #expect(!hold.grow(by: .max))
            withExtendedLifetime((hold, other)) {}
        }
        #expect(allowance.hold().grow(by: 100))
    }

    @Test
    func `several members of gzip, of which the last is the smallest, are decompressed`() async throws {
        try await ConsoleInProcess.run { console in
            let body = try OTLPBody.logs([], [.init(name: "e", time: 1)]).bytes
            let parts = try GzipCoder.compress(Array(body.dropLast())) + GzipCoder.compress(Array(body.suffix(1)))
            let response = try await console.client.executeRequest(
                uri: "/v1/logs", method: .post, headers: [.contentType: "application/json", .contentEncoding: "gzip"],
                body: ByteBuffer(bytes: parts),
            )
            #expect(response.status == .ok)
        }
    }

    /// Python's urllib sends `Connection: close` and reads nothing before it has sent all.
    @Test
    func `a sender of too large a body gets 413 although it closes and does not read early`() async throws {
        try await ConsoleUnderTest.run {
            $0.limits.bodyBytes = 1_000
        } _: { console in
            let size = 24 << 20
            let head = """
                POST /v1/logs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r
                Content-Length: \(size)\r\n\r\n
                """
            let socket = try await Task.detached {
                try LineSocket.request(port: console.port, head + String(repeating: " ", count: size))
            }.value
            var lines: [String] = []
            for await line in socket.lines { lines.append(line) }
            #expect(lines.first?.contains("413") == true)
        }
    }

    @Test(arguments: ["", "Host: localhost\r\nHost: evil.example\r\n"])
    func `a request without exactly one host is 400`(hosts: String) async throws {
        try await ConsoleUnderTest.run { console in
            let socket = try LineSocket.request(
                port: console.port, "GET /api/v1/status HTTP/1.1\r\n\(hosts)Connection: close\r\n\r\n")
            var lines = socket.lines.makeAsyncIterator()
            let status = await lines.next()
            #expect(status?.contains("400") == true)
        }
    }

    @Test(arguments: ["[::1].evil.com", "localhost:80@evil.com", "localhost:", "evil.example", "127.0.0.1.evil.com"])
    func `a name that only looks like this machine is refused`(host: String) throws {
        let gate = RequestOrigin(listeningOn: "127.0.0.1")
        let request = HTTPTypes.HTTPRequest(method: .get, scheme: "http", authority: host, path: "/")
        #expect(throws: RequestOrigin.Refusal.foreignHost) { try gate.check(request) }
    }
}

/// The guard of a connection, with a clock that the test sets.
@Suite
struct ConnectionGuardTests {
    private let limits: ConnectionLimits
    private let table: ConnectionTable

    init() {
        var limits = ConnectionLimits(total: 4)
        limits.perPeer = 4
        limits.drainBytes = 1_000
        self.limits = limits
        table = ConnectionTable(limits)
    }

    private func connect() throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: ConnectionGuard(table))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }

    private func head(_ headers: HTTPFields = [:]) -> HTTPRequestPart {
        let request = HTTPTypes.HTTPRequest(
            method: .post, scheme: "http", authority: "localhost", path: "/", headerFields: headers)
        return .head(request)
    }

    private func body(_ count: Int) -> HTTPRequestPart { .body(ByteBuffer(repeating: 0, count: count)) }

    private func respond(_ channel: EmbeddedChannel) throws {
        try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
        try channel.writeOutbound(HTTPResponsePart.end(nil))
    }

    @Test
    func `a connection without a request is closed after its time`() throws {
        let channel = try connect()
        channel.embeddedEventLoop.advanceTime(by: limits.firstRequestTime - .nanoseconds(1))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .nanoseconds(1))
        #expect(!channel.isActive)
    }

    @Test
    func `a body that advances by less than the least amount gets 408`() throws {
        let channel = try connect()
        try channel.writeInbound(head())
        try channel.writeInbound(body(limits.bodyWindowBytes))
        channel.embeddedEventLoop.advanceTime(by: limits.bodyWindow)
        #expect(channel.isActive)
        try channel.writeInbound(body(limits.bodyWindowBytes - 1))
        channel.embeddedEventLoop.advanceTime(by: limits.bodyWindow)
        #expect(!channel.isActive)
        guard case .head(let head)? = try channel.readOutbound(as: HTTPResponsePart.self) else {
            Issue.record("expected a response")
            return
        }
        #expect(head.status == .requestTimeout)
    }

    @Test
    func `a body that always advances is closed at the end of its time`() throws {
        let channel = try connect()
        try channel.writeInbound(head())
        let windows = limits.bodyTime.nanoseconds / limits.bodyWindow.nanoseconds
        for _ in 1..<windows {
            try channel.writeInbound(body(limits.bodyWindowBytes))
            channel.embeddedEventLoop.advanceTime(by: limits.bodyWindow)
        }
        #expect(channel.isActive)
        try channel.writeInbound(body(limits.bodyWindowBytes))
        channel.embeddedEventLoop.advanceTime(by: limits.bodyWindow)
        #expect(!channel.isActive)
    }

    @Test
    func `a response may take any time`() throws {
        let channel = try connect()
        try channel.writeInbound(head())
        try channel.writeInbound(HTTPRequestPart.end(nil))
        channel.embeddedEventLoop.advanceTime(by: .hours(1))
        #expect(channel.isActive)
        try respond(channel)
        channel.embeddedEventLoop.advanceTime(by: .hours(1))
        #expect(channel.isActive)
    }

    @Test
    func `a client that leaves before its response has its connection closed`() throws {
        let channel = try connect()
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(channel.isActive, "without a request, the server closes")
        try channel.writeInbound(head())
        try channel.writeInbound(HTTPRequestPart.end(nil))
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(!channel.isActive)
    }

    @Test
    func `the rest of a refused request is discarded, and the connection closed at its end`() throws {
        let channel = try connect()
        try channel.writeInbound(head([.connection: "close"]))
        try respond(channel)
        let seen = try channel.readInbound(as: HTTPRequestPart.self)
        try channel.writeInbound(body(500))
        #expect(seen != nil)
        #expect(try channel.readInbound(as: HTTPRequestPart.self) == nil)
        #expect(channel.isActive)
        try channel.writeInbound(HTTPRequestPart.end(nil))
        #expect(!channel.isActive)
    }

    @Test
    func `no more than the limit is discarded`() throws {
        let channel = try connect()
        try channel.writeInbound(head([.connection: "close"]))
        try respond(channel)
        try channel.writeInbound(body(limits.drainBytes))
        #expect(channel.isActive)
        try channel.writeInbound(body(1))
        #expect(!channel.isActive)
    }

    @Test
    func `of too many connections, the idle are closed first, the newest stay`() {
        var roster = ConnectionRoster(limits)
        let start = NIODeadline.uptimeNanoseconds(0)
        let ids = (0..<4).map { roster.open(from: "a", now: start + .milliseconds(Int64($0))) }
        roster.change(ids[0], to: .responding, now: start)
        roster.change(ids[1], to: .receiving, now: start)
        #expect(!roster.isOverLimit)
        let later = start + .seconds(5)
        _ = roster.open(from: "a", now: later)
        #expect(roster.isOverLimit)
        #expect(roster.trim(now: later) == [ids[2]])
        _ = roster.open(from: "a", now: later)
        #expect(roster.trim(now: later) == [ids[3]])
        _ = roster.open(from: "a", now: later)
        #expect(roster.trim(now: later) == [ids[1]])
        _ = roster.open(from: "a", now: later)
        #expect(roster.trim(now: later) == [])
        #expect(roster.trim(now: later + ConnectionLimits.shortestStay).count == 1)
    }

    @Test
    func `an address loses its own connections when it has too many`() {
        var limits = limits
        limits.perPeer = 1
        var roster = ConnectionRoster(limits)
        let start = NIODeadline.uptimeNanoseconds(0)
        _ = roster.open(from: "quiet", now: start)
        let first = roster.open(from: "greedy", now: start + .seconds(1))
        _ = roster.open(from: "greedy", now: start + .seconds(2))
        #expect(roster.trim(now: start + .seconds(2)) == [first])
    }
}
