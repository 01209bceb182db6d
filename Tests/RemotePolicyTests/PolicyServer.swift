import AstrolabeOpAMP
import AstrolabePlatform
import AstrolabePolicyDocument
import AstrolabeTestSupport
import Foundation

/// An OpAMP server on a real socket, which also takes OTLP. It offers what a test sets to phones that have not got it.
final class PolicyServer: Sendable {
    private struct State {
        var offer: AgentRemoteConfig?
        var answer: LoopbackServer.Answer?
        var messages: [AgentToServer] = []
        var exports: [HTTPRequest] = []
    }

    private let state: Locked<State>
    private let server: LoopbackServer

    init() throws {
        let state = Locked(State())
        self.state = state
        server = try LoopbackServer { request in Self.answer(request, state) }
    }

    deinit { server.kill() }

    var url: URL {
        get throws {
            guard let url = URL(string: "http://127.0.0.1:\(server.port)") else { throw URLError(.badURL) }
            return url
        }
    }

    /// The address for messages of OpAMP.
    var endpoint: URL {
        get throws { try url.appendingPathComponent("v1/opamp") }
    }

    /// The messages of phones so far.
    var messages: [AgentToServer] { state.withLock { $0.messages } }

    /// The requests with telemetry so far.
    var exports: [HTTPRequest] { state.withLock { $0.exports } }

    func offer(_ configuration: AgentRemoteConfig?) { state.withLock { $0.offer = configuration } }

    /// Answers so from now on; `nil` answers as a server should.
    func answer(_ answer: LoopbackServer.Answer?) { state.withLock { $0.answer = answer } }

    private static func answer(_ request: HTTPRequest, _ state: Locked<State>) -> LoopbackServer.Answer {
        guard request.path == "/v1/opamp" else {
            state.withLock { $0.exports.append(request) }
            return .status(200)
        }
        guard let message = try? AgentToServer(decoding: request.body),
            request.head.headers["content-type"] == "application/x-protobuf"
        else { return .status(400) }
        return state.withLock { state in
            state.messages.append(message)
            if let answer = state.answer { return answer }
            var response = ServerToAgent(instanceUID: message.instanceUID)
            response.capabilities = [.acceptsStatus, .offersRemoteConfig]
            if let offer = state.offer, offer.hash != message.remoteConfigStatus?.lastHash {
                response.remoteConfig = offer
            }
            return .status(200, headers: ["Content-Type": "application/x-protobuf"], body: response.bytes)
        }
    }
}

/// A stand-in for Ed25519, which Linux has only in packages of others: the digest of a secret and the bytes, twice.
enum TestKey {
    static func signature(of document: [UInt8]) -> [UInt8] {
        let digest = SHA256.digest(Array("secret".utf8) + document)
        return digest + digest
    }

    static let isValid: @Sendable ([UInt8], [UInt8], [UInt8]) -> Bool = { signature, document, _ in
        signature == TestKey.signature(of: document)
    }
}

extension PolicyOffer {
    /// A signed document for the app `shop`.
    static func of(
        version: Int, _ rest: String = "", app: String = "shop", expires: String = "2026-12-31T00:00:00Z",
    ) -> PolicyOffer {
        let head = #""schema": 1, "app": "\#(app)", "version": \#(version), "expires": "\#(expires)""#
        return signed("{\(head)\(rest.isEmpty ? "" : ", " + rest)}")
    }

    static func signed(_ text: String) -> PolicyOffer {
        let document = Array(text.utf8)
        return PolicyOffer(document: document, signature: TestKey.signature(of: document))
    }

    /// The same document with another signature.
    func with(signature: [UInt8]) -> PolicyOffer { PolicyOffer(document: document, signature: signature) }
}
