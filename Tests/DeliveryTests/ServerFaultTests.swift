import AstrolabePlatform
import AstrolabeTestSupport
import Foundation
import Testing

@testable import AstrolabeDelivery

/// The default transport and servers that misbehave, on real sockets.
@Suite(.timeLimit(.minutes(5))) struct `The default transport` {
    private static func request(to server: RawServer, timeout: Duration = .seconds(60)) throws -> OTLPRequest {
        OTLPRequest(
            url: try server.baseURL.appendingPathComponent("v1/traces"),
            headers: ["Content-Type": "application/x-protobuf", "x-empty": ""], body: [0x0A, 0], timeout: timeout)
    }

    @Test(arguments: ServerFault.all)
    func `survives a server that misbehaves`(_ fault: ServerFault) async throws {
        let server = try RawServer { _, connection in fault.act(connection) }
        let request = try Self.request(to: server, timeout: fault.timeout)
        let result = await URLSessionTransport().send(request)
        let outcome: ServerFault.Outcome =
            switch result {
            case .response(let status, _, _): .status(status)
            case .timedOut: .timedOut
            case .unreachable: .unreachable
            }
        #if canImport(FoundationNetworking)
        #expect(fault.accepts(outcome), "\(result)")
        #else
        #expect(fault.accepts(outcome, isStrict: true), "\(result)")
        #endif
        if case .response(_, _, let body) = result { #expect(body.count <= ResponseHead.maximumBodyBytes) }
        #expect(fault.requests.contains(server.requests.count))
    }

    #if canImport(FoundationNetworking)
    @Test func `sends no field of its own but those of HTTP`() async throws {
        let server = try RawServer { _, connection in connection.answer(200, "") }
        _ = await URLSessionTransport().send(try Self.request(to: server))
        let head = try #require(server.requests.first?.head)
        let names = head.split(separator: "\r\n").dropFirst().map { $0.prefix { $0 != ":" }.lowercased() }
        #expect(Set(names) == ["host", "accept", "content-type", "user-agent", "x-empty", "content-length"])
    }

    @Test func `sends no field that would begin another`() async throws {
        let server = try RawServer { _, connection in connection.answer(200, "") }
        var request = try Self.request(to: server)
        request.headers["x-key"] = "a\r\nx-other: b"
        #expect(await URLSessionTransport().send(request) == .unreachable("a header field has a line break"))
        #expect(server.requests.isEmpty)
    }

    @Test func `reads a file by no address`() async {
        let request = OTLPRequest(
            url: URL(fileURLWithPath: "/etc/hostname"), headers: [:], body: [], timeout: .seconds(60))
        guard case .unreachable = await URLSessionTransport().send(request) else {
            Issue.record("expected no response")
            return
        }
    }
    #endif

    @Test func `takes a page for a response only if the request says so`() async throws {
        let server = try RawServer { _, connection in
            connection.answer(200, "ok", headers: "Content-Type: text/html\r\n")
        }
        var request = try Self.request(to: server)
        guard case .unreachable = await URLSessionTransport().send(request) else {
            Issue.record("expected no response")
            return
        }
        request.acceptsPages = true
        #expect(
            await URLSessionTransport().send(request)
                == .response(status: 200, retryAfter: nil, body: Array("ok".utf8)))
    }
}
