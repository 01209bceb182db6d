import AstrolabeOpAMP
import AstrolabePolicyDocument
import ConsoleAccess
import ConsoleModel
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// Answers devices that ask for their policy, by OpAMP over plain HTTP.
///
///     POST /v1/opamp    AgentToServer in protobuf, and ServerToAgent in return
///
/// A request that cannot be read gets a `ServerErrorResponse`, with the status 400, 413 or 415. One that the key does
/// not admit gets the console's JSON.
struct OpAMPHandler: Sendable {
    private let policies: PolicyLibrary
    private let access: AccessHandler

    /// The most bytes of a message, also when it is decompressed: 64 KiB.
    static let longestMessage = 65_536

    init(_ policies: PolicyLibrary, access: AccessHandler) {
        self.policies = policies
        self.access = access
    }

    func respond(to call: RouteCall) async throws -> Response {
        let message: AgentToServer
        do throws(OpAMPFailure) {
            message = try Self.message(try await Self.body(of: call.request))
        } catch {
            return error.response
        }
        var response = ServerToAgent(instanceUID: message.instanceUID)
        response.capabilities = [.acceptsStatus, .offersRemoteConfig]
        if message.flags.contains(.requestInstanceUID) { response.newInstanceUID = Self.makeUID() }
        let uid = response.newInstanceUID.isEmpty ? message.instanceUID : response.newInstanceUID
        let report = PolicyReport(message, id: uid.hex)
        if let app = await knownApp(of: report) {
            try access.check(app, permittedBy: call.key, from: call.client)
        }
        let offer = await policies.offer(to: report)
        if offer.isFullStateNeeded { response.flags = .reportFullState }
        response.remoteConfig = offer.policy?.offer.configuration
        return Self.response(response)
    }

    private func knownApp(of report: PolicyReport) async -> String? {
        if let device = report.device { return device.app }
        return await policies.app(ofAgent: report.id)
    }

    fileprivate static func response(_ message: ServerToAgent, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: OpAMP.contentType, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: message.bytes)))
    }

    private static func makeUID() -> [UInt8] {
        withUnsafeBytes(of: UUID().uuid) { Array($0) }
    }

    private static func message(_ body: [UInt8]) throws(OpAMPFailure) -> AgentToServer {
        let message: AgentToServer
        do throws(OpAMPError) {
            message = try AgentToServer(decoding: body)
        } catch {
            throw OpAMPFailure(.badRequest, error.description)
        }
        guard message.instanceUID.count == 16 else {
            throw OpAMPFailure(.badRequest, "expected an instance_uid of 16 bytes, found none")
        }
        return message
    }

    /// Reads a body, and no more of it than the limit.
    private static func body(of request: Request) async throws(OpAMPFailure) -> [UInt8] {
        let type = request.headers[.contentType]
        guard OTLPEncoding(contentType: type) == .protobuf else {
            let found = type?.prefix(40).debugDescription ?? "none"
            throw OpAMPFailure(
                .unsupportedMediaType, "expected the content type \(OpAMP.contentType), found \(found)")
        }
        let packed: Data
        do {
            packed = try await request.bytes(atMost: longestMessage, of: "a message")
        } catch let failure as APIFailure {
            throw OpAMPFailure(failure.status, failure.message)
        } catch {
            throw OpAMPFailure(.badRequest, "the request ended before its body was complete")
        }
        return try decompressed(Array(packed), request.headers[.contentEncoding])
    }

    private static func decompressed(_ packed: [UInt8], _ encoding: String?) throws(OpAMPFailure) -> [UInt8] {
        guard let compression = BodyCompression(encoding) else {
            throw OpAMPFailure(
                .unsupportedMediaType, "expected the content encoding \(BodyCompression.names) or none")
        }
        do {
            guard let inflation = try compression.inflation(limit: longestMessage) else { return packed }
            var plain: [UInt8] = []
            try packed.withUnsafeBytes { bytes in try inflation.add(bytes) { plain += $0 } }
            try inflation.end()
            return plain
        } catch let error as any InflationError {
            throw OpAMPFailure(error.isOverLimit ? .contentTooLarge : .badRequest, error.description)
        } catch {
            throw OpAMPFailure(.badRequest, "\(error)")
        }
    }
}

/// The reason not to read a message.
private struct OpAMPFailure: Error {
    let status: HTTPResponse.Status
    let message: String

    init(_ status: HTTPResponse.Status, _ message: String) {
        self.status = status
        self.message = message
    }

    var response: Response {
        var response = ServerToAgent(instanceUID: [])
        response.errorResponse = ServerErrorResponse(.badRequest, message: message)
        return OpAMPHandler.response(response, status: status)
    }
}

extension PolicyReport {
    /// - Parameter id: The instance uid by which the agent reports itself from now on.
    fileprivate init(_ message: AgentToServer, id: String) {
        self.init(
            id: id, sequence: message.sequenceNumber,
            device: message.description.map { PolicyDevice($0, instance: id) },
            state: message.remoteConfigStatus.map { State($0) }, isLast: message.isDisconnecting)
    }
}

extension PolicyReport.State {
    fileprivate init(_ status: RemoteConfigStatus) {
        let state: PolicyAgent.Status =
            switch status.state {
            case .unset: .unset
            case .applying: .applying
            case .applied: .applied
            case .failed: .failed
            }
        self.init(hash: Array(status.lastHash.prefix(64)).hex, status: state, message: status.errorMessage)
    }
}

extension PolicyDevice {
    /// The most bytes of a fact, as of a text in a document. A character may have any number of them.
    private static let longestFact = 256

    fileprivate init(_ description: AgentDescription, instance: String) {
        let sources = [DeviceFacts(description.identifying), DeviceFacts(description.others)]
        func text(_ fact: (DeviceFacts) -> String) -> String {
            let found = sources.map(fact).first { !$0.isEmpty } ?? ""
            return String(decoding: found.utf8.prefix(Self.longestFact), as: UTF8.self)
        }
        let installation = text(\.installation)
        self.init(
            app: text(\.service), appVersion: text(\.appVersion),
            system: [text(\.systemName), text(\.systemVersion)].filter { !$0.isEmpty }.joined(separator: " "),
            model: text(\.modelIdentifier), installation: installation.isEmpty ? instance : installation)
    }
}

extension StoredPolicy {
    fileprivate var offer: PolicyOffer { PolicyOffer(document: Array(document), signature: Array(signature)) }
}
