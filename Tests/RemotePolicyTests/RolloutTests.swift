import Astrolabe
import AstrolabeDelivery
import AstrolabeOpAMP
import AstrolabePlatform
import AstrolabePolicy
import AstrolabePolicyDocument
import AstrolabeTestSupport
import Foundation
import Testing

@testable import AstrolabeRemotePolicy

/// A server for many phones, without sockets.
private final class RolloutServer: OTLPTransport {
    private let state: Locked<(offer: AgentRemoteConfig, requests: Int)>

    init(_ offer: AgentRemoteConfig) {
        state = Locked((offer, 0))
    }

    var requests: Int { state.withLock { $0.requests } }

    func offer(_ offer: AgentRemoteConfig) { state.withLock { $0.offer = offer } }

    func send(_ request: OTLPRequest) async -> SendResult {
        guard let message = try? AgentToServer(decoding: request.body) else {
            return .response(status: 400, retryAfter: nil, body: [])
        }
        var response = ServerToAgent(instanceUID: message.instanceUID)
        state.withLock { state in
            state.requests += 1
            if state.offer.hash != message.remoteConfigStatus?.lastHash { response.remoteConfig = state.offer }
        }
        return .response(status: 200, retryAfter: nil, body: response.bytes)
    }
}

@Suite struct `A document that is rolled out` {
    @Test func `reaches all phones within the longest interval, with two requests for each`() async throws {
        let server = RolloutServer(PolicyOffer.of(version: 7).configuration)
        let url = try #require(URL(string: "http://policy.invalid/v1/opamp"))
        let count = Thoroughness.count(30, thorough: 1_000)
        let phones = try (0..<count).map { number in
            try PolicyPhone(url, random: Double(number) / Double(count), transport: server)
        }
        for phone in phones { await phone.flush(after: 1) }
        #expect(phones.allSatisfy { $0.client.policy?.version == 7 })
        #expect(server.requests == 2 * count)
        server.offer(PolicyOffer.of(version: 8).configuration)
        // 4 hours, a fifth, and the ten minutes between two deliveries.
        for _ in 0..<30 {
            for phone in phones { await phone.flush(after: 600) }
        }
        #expect(phones.allSatisfy { $0.client.policy?.version == 8 })
        #expect(server.requests == 4 * count)
        #expect(phones.allSatisfy { $0.client.report.requests == 4 })
    }
}
