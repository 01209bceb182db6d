import AstrolabeOpAMP
import AstrolabePolicyDocument
import AstrolabeTelemetryModel
import BrowserKit
import Foundation

@testable import TelemetryConsole

/// A device that asks the console for its policy, and follows each document that it gets.
struct SimulatedAgent: Sendable {
    let number: Int
    var app = "shop"
    var appVersion = "2.1.0"
    var installation: String
    /// Set to refuse each document for this reason.
    var refusal: String?
    private(set) var sequence: UInt64 = 0
    private(set) var documents: [String] = []
    private var status: RemoteConfigStatus?

    init(_ number: Int) {
        self.number = number
        installation = "installation-\(number)"
    }

    var uid: [UInt8] { (0..<16).map { $0 < 8 ? 0xA0 : UInt8(truncatingIfNeeded: number >> (8 * (15 - $0))) } }

    /// Returns the next message.
    ///
    /// - Parameter isFull: Whether it says who the agent is.
    mutating func message(isFull: Bool = true) -> AgentToServer {
        sequence += 1
        var message = AgentToServer(instanceUID: uid, sequenceNumber: sequence)
        message.capabilities = [.reportsStatus, .acceptsRemoteConfig, .reportsRemoteConfig]
        if isFull {
            message.description = AgentDescription(
                identifying: [
                    "service.name": app, "service.version": appVersion, "app.installation.id": installation,
                ],
                others: ["os.name": "iOS", "os.version": "18.1", "device.model.identifier": "iPhone17,1"])
        }
        message.remoteConfigStatus = status
        return message
    }

    /// Takes the console's response.
    mutating func take(_ response: ServerToAgent) {
        guard let configuration = response.remoteConfig, let offer = PolicyOffer(configuration) else { return }
        documents.append(String(decoding: offer.document, as: UTF8.self))
        status = RemoteConfigStatus(
            lastHash: configuration.hash, state: refusal == nil ? .applied : .failed, errorMessage: refusal ?? "")
    }

    /// Forgets a message, as if it had been lost on its way.
    mutating func loseMessage() { sequence += 1 }

    /// Asks over a socket, and takes the response.
    @discardableResult
    mutating func poll(
        _ console: ConsoleUnderTest, key: String? = nil, isFull: Bool = true,
    ) async throws -> ServerToAgent {
        let message = message(isFull: isFull)
        let response = try await Self.post(message.bytes, at: console, key: key)
        guard response.status == 200 else { throw UnexpectedResponse(response: response) }
        let decoded = try ServerToAgent(decoding: response.body)
        take(decoded)
        return decoded
    }

    static func post(
        _ body: [UInt8], at console: ConsoleUnderTest, key: String? = nil, headers: [String: String] = [:],
    ) async throws -> HTTP.Response {
        var fields = ["Content-Type": "application/x-protobuf"]
        if let key { fields["Authorization"] = "Bearer \(key)" }
        return try await HTTP.request(
            "POST", "\(console.address)/v1/opamp", headers: fields.merging(headers) { $1 }, body: body)
    }
}

/// Documents, and the requests of those who push them.
enum PushedPolicy {
    static func document(version: Int, app: String = "shop", _ rest: String = "") -> String {
        #"{"schema": 1, "app": "\#(app)", "version": \#(version), "expires": "2099-12-31T00:00:00Z"\#(rest)}"#
    }

    /// The body of a push, with a signature that the console takes for one.
    static func body(
        _ document: String, _ rollout: String = "", signature: [UInt8] = [UInt8](repeating: 7, count: 64),
    ) -> [UInt8] {
        let signature = Data(signature).base64EncodedString()
        let text = Data(document.utf8).base64EncodedString()
        return Array(#"{"document": "\#(text)", "signature": "\#(signature)"\#(rollout)}"#.utf8)
    }

    @discardableResult
    static func push(
        _ document: String, _ rollout: String = "", to console: ConsoleUnderTest, key: String? = nil,
    ) async throws -> HTTP.Response {
        try await request("POST", "policies", body(document, rollout), at: console, key: key)
    }

    static func request(
        _ method: String, _ path: String, _ body: [UInt8]? = nil, at console: ConsoleUnderTest, key: String? = nil,
    ) async throws -> HTTP.Response {
        var headers: [String: String] = [:]
        if body != nil { headers["Content-Type"] = "application/json" }
        if let key { headers["Authorization"] = "Bearer \(key)" }
        return try await HTTP.request(method, "\(console.address)/api/v1/\(path)", headers: headers, body: body)
    }
}
