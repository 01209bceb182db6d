import Astrolabe
import AstrolabeDelivery
import AstrolabePlatform
import AstrolabeTestSupport
import AstrolabeTesting
import Foundation
import Testing

@testable import AstrolabeServer

@Suite(.timeLimit(.minutes(5))) struct `The transport of a server` {
    private static func request(to url: URL, timeout: Duration = .seconds(60)) -> OTLPRequest {
        OTLPRequest(
            url: url.appendingPathComponent("v1/traces"), headers: ["Content-Type": "application/x-protobuf"],
            body: [0x0A, 0], timeout: timeout)
    }

    @Test func `is a good one`() async throws {
        let transport = ServerTransport(environment: [:])
        let violations = try await TransportConformance.check(transport) { behaviour in
            let received = Locked<[(headers: [String: String], body: [UInt8])]>([])
            let server = try LoopbackServer { request in
                received.withLock { $0.append((request.head.headers, request.body)) }
                switch behaviour {
                case .answers(let status, let headers, let body): return .status(status, headers: headers, body: body)
                case .resets: return .nothing
                case .staysSilent: return .silence
                }
            }
            return TransportConformance.Server(
                url: try #require(URL(string: "http://127.0.0.1:\(server.port)")),
                requests: { received.withLock { $0 } }, stop: { server.kill() },
            )
        }
        #expect(violations == [])
    }

    @Test(arguments: ServerFault.all)
    func `survives a server that misbehaves`(_ fault: ServerFault) async throws {
        let server = try RawServer { _, connection in fault.act(connection) }
        let transport = ServerTransport(environment: [:])
        let result = await transport.send(Self.request(to: try server.baseURL, timeout: fault.timeout))
        let outcome: ServerFault.Outcome =
            switch result {
            case .response(let status, _, _): .status(status)
            case .timedOut: .timedOut
            case .unreachable: .unreachable
            }
        #expect(fault.accepts(outcome, isStrict: true), "\(result)")
        if case .response(_, _, let body) = result { #expect(body.count <= ResponseHead.maximumBodyBytes) }
        #expect(fault.requests.contains(server.requests.count))
    }

    #if os(Linux)
    @Test(.enabled(if: Thoroughness.isThorough, "runs with ./astrolabe test --thorough"), .timeLimit(.minutes(5)))
    func `costs a server less than 64 MB and 2 % of a processor, whatever the other one does`() async throws {
        for cost in try await FaultCost.all(for: "ServerFixture", { [$0, "\($1)"] }) {
            print(cost)
            #expect(cost.isLow, "\(cost)")
        }
    }
    #endif

    @Test func `goes through the proxy of the environment, except for the hosts of no_proxy`() async throws {
        // With a proxy, AsyncHTTPClient asks for a tunnel.
        let proxy = try RawServer { _, connection in connection.answer(403, "") }
        let environment = ["http_proxy": "http://127.0.0.1:\(proxy.port)", "no_proxy": "127.0.0.1"]
        let transport = ServerTransport(environment: environment)
        let url = try #require(URL(string: "http://collector.example:4318"))
        guard case .unreachable = await transport.send(Self.request(to: url)) else {
            Issue.record("expected no response")
            return
        }
        #expect(proxy.requests.map(\.target) == ["collector.example:4318"])

        let server = try RawServer { _, connection in connection.answer(200, "") }
        guard case .response(200, nil, _) = await transport.send(Self.request(to: try server.baseURL)) else {
            Issue.record("expected a response")
            return
        }
        #expect(proxy.requests.count == 1)
    }

    @Test(arguments: ServerFault.all)
    func `survives a proxy that misbehaves`(_ fault: ServerFault) async throws {
        let proxy = try RawServer { _, connection in fault.act(connection) }
        let transport = ServerTransport(environment: ["https_proxy": "http://127.0.0.1:\(proxy.port)"])
        let url = try #require(URL(string: "https://collector.example"))
        let result = await transport.send(Self.request(to: url, timeout: .milliseconds(500)))
        if case .response = result { Issue.record("\(fault): \(result)") }
    }

    @Test func `names the variable of a proxy that it cannot use`() async throws {
        let transport = ServerTransport(environment: ["HTTPS_PROXY": "https://proxy.example"])
        let url = try #require(URL(string: "https://collector.example"))
        #expect(
            await transport.send(Self.request(to: url))
                == .unreachable("the proxy of HTTPS_PROXY is not supported: expected http:// or socks5://"))
    }
}
