import Astrolabe
import AstrolabeDelivery
import AstrolabePlatform
import AstrolabeTestSupport
import AstrolabeTesting
import Foundation
import Testing

struct TransportConformanceTests {
    @Test func `the SDK's own transport is a good one`() async throws {
        let violations = try await TransportConformance.check(URLSessionTransport(), serving: serve)
        #expect(violations == [])
    }

    @Test func `one that sends twice, loses the Retry-After and takes a reset for an answer is found out`() async throws
    {
        struct Eager: OTLPTransport {
            func send(_ request: OTLPRequest) async -> SendResult {
                _ = await URLSessionTransport().send(request)
                switch await URLSessionTransport().send(request) {
                case .response(let status, _, let body): return .response(status: status, retryAfter: nil, body: body)
                case .unreachable, .timedOut: return .response(status: 200, retryAfter: nil, body: [])
                }
            }
        }
        let violations = try await TransportConformance.check(Eager(), serving: serve)
        #expect(
            Set(violations.map(\.rule)) == [
                "a request is sent once", "the response is reported with status, Retry-After and body",
                "a missing response is reported within the timeout",
                "a page in the place of an OTLP answer is no answer",
            ])
    }

    private func serve(_ behaviour: TransportConformance.Behaviour) throws -> TransportConformance.Server {
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
            url: try #require(URL(string: "http://127.0.0.1:\(server.port)")), requests: { received.withLock { $0 } },
            stop: { server.kill() },
        )
    }
}
