import AstrolabeDelivery
import AstrolabeGzip
import AstrolabeTestSupport
import BrowserKit
import ConsoleModel
import Foundation
import Testing

@testable import TelemetryConsole

/// Tests of `Content-Encoding` over a real socket.
@Suite(.timeLimit(.minutes(5))) struct `A compressed body` {
    private static func post(
        _ body: [UInt8], _ encoding: String, at console: ConsoleUnderTest,
    ) async throws -> HTTP.Response {
        try await HTTP.request(
            "POST", "\(console.address)/v1/logs",
            headers: ["Content-Type": "application/json", "Content-Encoding": encoding], body: body)
    }

    @Test(arguments: BodyCompression.allCases)
    func `is stored as a plain one is`(compression: BodyCompression) async throws {
        try await ConsoleUnderTest.run { console in
            let visit = ShopVisit.purchase()
            let body = try Compressed.body(visit.phoneLogBody.bytes, compression)
            let response = try await Self.post(body, compression.rawValue.uppercased(), at: console)
            #expect(response.status == 200, "\(response.text)")
            #expect(try await console.console.store.session(visit.session)?.events == visit.events.count)
        }
    }

    @Test(arguments: BodyCompression.allCases.filter { $0 != .identity })
    func `is refused if it is damaged, is not complete, or becomes too large`(
        compression: BodyCompression
    ) async throws {
        try await ConsoleUnderTest.run {
            $0.limits.inflatedBytes = 1 << 20
            $0.limits.symbolBytes = 1 << 20
        } _: { console in
            let whole = try Compressed.body(ShopVisit.purchase().phoneLogBody.bytes, compression)
            let bomb = try Compressed.body([UInt8](repeating: 0x20, count: 2 << 20), compression)
            #expect(bomb.count < 10_000)
            let bodies: [([UInt8], Int)] = [
                (bomb, 413), (Array(whole.dropLast()), 400), (whole + [1], 400), (Array("plain".utf8), 400), ([], 400),
            ]
            for (body, status) in bodies {
                let response = try await Self.post(body, compression.rawValue, at: console)
                #expect(response.status == status, "\(response.text)")
                let upload = try await HTTP.request(
                    "POST", "\(console.address)/api/v1/symbols?name=shop",
                    headers: ["Content-Encoding": compression.rawValue], body: body)
                #expect(upload.status == status, "\(upload.text)")
            }
            #expect(try await console.console.store.statistics().received == 0)
        }
    }

    @Test(arguments: ["br", "gzip, gzip", "compress"])
    func `of another kind is refused with those that are known`(encoding: String) async throws {
        try await ConsoleUnderTest.run { console in
            let upload = try await HTTP.request(
                "POST", "\(console.address)/api/v1/symbols?name=shop", headers: ["Content-Encoding": encoding],
                body: [1])
            for response in [try await Self.post([1], encoding, at: console), upload] {
                #expect(response.status == 415)
                #expect(response[header: "Accept-Encoding"] == BodyCompression.names)
                #expect(response.text.contains("expected"))
            }
        }
    }

    /// OTLP names gzip and no other compression, so an upstream need not know the others.
    @Test(arguments: BodyCompression.allCases)
    func `is forwarded with gzip`(compression: BodyCompression) async throws {
        let (requests, arrival) = AsyncStream.makeStream(of: HTTPRequest.self)
        let upstream = try LoopbackServer { request in
            arrival.yield(request)
            return .status(200)
        }
        defer { upstream.kill() }
        let url = try #require(URL(string: "http://127.0.0.1:\(upstream.port)"))
        try await ConsoleUnderTest.run {
            let path = URL(fileURLWithPath: $0.store.path).deletingLastPathComponent().path
            $0.forwarding = ForwardingConfiguration(
                endpoint: OTLPEndpoint(url: url), queuePath: path + "/forward/queue.db")
        } _: { console in
            let plain = try ShopVisit.purchase().phoneLogBody.bytes
            let body = try Compressed.body(plain, compression)
            #expect(try await Self.post(body, compression.rawValue, at: console).status == 200)
            let first = await requests.first(where: { _ in true })
            let request = try #require(first)
            #expect(request.head.headers["user-agent"] == OTLPRequest.userAgent)
            let encoding = request.head.headers["content-encoding"]
            #expect(encoding == (compression == .identity ? nil : "gzip"))
            let received = try encoding == nil ? request.body : GzipCoder.decompress(request.body, limit: 1 << 24)
            #expect(received == plain)
        }
    }
}
