import BrowserKit
import ConsoleAccess
import ConsoleTransports
import Foundation
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import ServerSupport
@testable import TelemetryConsole

/// Tests of `Expect: 100-continue` (RFC 9110, section 10.1.1), over a real socket and with the guard alone.
@Suite(.timeLimit(.minutes(5))) struct `A sender that waits for 100 Continue` {
    /// - Parameter fields: Further fields of the head.
    private static func head(_ path: String, _ fields: [String] = [], length: Int) -> String {
        let all = ["Host: localhost", "Expect: 100-continue", "Content-Type: application/json"] + fields
        return "POST \(path) HTTP/1.1\r\n" + all.joined(separator: "\r\n") + "\r\nContent-Length: \(length)\r\n\r\n"
    }

    /// Reads the head of a response.
    private static func head(_ lines: inout AsyncStream<String>.AsyncIterator) async -> [String] {
        var head: [String] = []
        while let line = await lines.next(), !line.isEmpty { head.append(line) }
        return head
    }

    @Test(arguments: ["/v1/logs", "/v1/traces", "/api/v1/symbols?name=shop"])
    func `gets it when the body will be read, and then the response`(path: String) async throws {
        try await ConsoleUnderTest.run { console in
            let isOTLP = path.hasPrefix("/v1/")
            // The file is no symbols.
            let expected = isOTLP ? "HTTP/1.1 200 OK" : "HTTP/1.1 400 Bad Request"
            let socket = try LineSocket.request(port: console.port, Self.head(path, length: 2))
            var lines = socket.lines.makeAsyncIterator()
            let invitation = await Self.head(&lines)
            #expect(invitation == ["HTTP/1.1 100 Continue"])
            try socket.send("{}")
            let response = await Self.head(&lines)
            #expect(response.first == expected)
            #expect(!response.contains("Connection: close"))
            guard isOTLP else { return }
            // The body has no end of line. Then the connection is ready for another request.
            try socket.send(Self.head(path, length: 2))
            let next = await Self.head(&lines)
            #expect(next == ["{}HTTP/1.1 100 Continue"])
            try socket.send("{}")
            let last = await Self.head(&lines)
            #expect(last.first == expected)
        }
    }

    @Test(arguments: [
        ("/v1/logs", "X-Tenant: 1", 8_388_609, 413), ("/v1/logs", "Content-Encoding: br", 2, 415),
        ("/v1/logs", "Origin: https://evil.example", 2, 403), ("/v1/nothing", "X-Tenant: 1", 2, 404),
        ("/api/v1/symbols", "X-Tenant: 1", 2, 400), ("/api/v1/symbols?name=shop", "X-Tenant: 1", 1 << 40, 413),
    ])
    func `gets the error at once if the body will not be read`(
        path: String, field: String, length: Int, status: Int,
    ) async throws {
        try await ConsoleUnderTest.run { console in
            let socket = try LineSocket.request(port: console.port, Self.head(path, [field], length: length))
            var lines = socket.lines.makeAsyncIterator()
            let response = await Self.head(&lines)
            #expect(response.first?.hasPrefix("HTTP/1.1 \(status) ") == true, "\(response)")
            #expect(response.contains { $0.lowercased() == "connection: close" }, "\(response)")
        }
    }

    @Test
    func `without a key gets 401 at once`() async throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = KeyFile(path: folder.appendingPathComponent("keys.json").path, digest: .sha256)
        _ = try file.create("any", use: .ingest)
        try await ConsoleUnderTest.run {
            $0.keysPath = file.path
        } _: { console in
            for path in ["/v1/logs", "/api/v1/symbols?name=shop"] {
                let socket = try LineSocket.request(port: console.port, Self.head(path, length: 2))
                var lines = socket.lines.makeAsyncIterator()
                let response = await Self.head(&lines)
                #expect(response.first == "HTTP/1.1 401 Unauthorized")
            }
        }
    }

    /// The messages that the guard of a connection sends.
    private static func statuses(_ steps: (EmbeddedChannel) throws -> Void) throws -> [Int] {
        let channel = EmbeddedChannel(handler: ConnectionGuard(ConnectionTable(ConnectionLimits(total: 4))))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        let request = HTTPRequest(
            method: .post, scheme: "http", authority: "localhost", path: "/",
            headerFields: [.expect: "100-Continue"])
        try channel.writeInbound(HTTPRequestPart.head(request))
        try steps(channel)
        var statuses: [Int] = []
        while let part = try channel.readOutbound(as: HTTPResponsePart.self) {
            if case .head(let head) = part { statuses.append(head.status.code) }
        }
        return statuses
    }

    @Test
    func `gets it once, before the response, and not if it has not waited`() throws {
        let response = HTTPResponsePart.head(HTTPResponse(status: .ok))
        let twice = try Self.statuses { channel in
            channel.triggerUserOutboundEvent(BodyWanted(), promise: nil)
            channel.triggerUserOutboundEvent(BodyWanted(), promise: nil)
            try channel.writeOutbound(response)
        }
        #expect(twice == [100, 200])
        let late = try Self.statuses { channel in
            try channel.writeOutbound(response)
            channel.triggerUserOutboundEvent(BodyWanted(), promise: nil)
        }
        #expect(late == [200])
        let sent = try Self.statuses { channel in
            try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(string: "{")))
            channel.triggerUserOutboundEvent(BodyWanted(), promise: nil)
        }
        #expect(sent == [])
    }
}
