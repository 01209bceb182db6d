import AstrolabeOpAMP
import AstrolabePolicyDocument
import ConsoleModel
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore

/// Lists policies, takes new ones, and changes who gets them.
///
///     GET /api/v1/policies                       {"apps":[{"app":"shop","version":7,"agents":312,"refused":0}],…}
///     POST /api/v1/policies                      {"document":"…","signature":"…","percentage":10}    in base64
///     GET /api/v1/policies/{app}                 the documents, newest first, and who has which
///     PATCH /api/v1/policies/{app}/{version}     {"percentage":50}    or "target", which replaces the one before
///     DELETE /api/v1/policies/{app}/{version}    sends the document to no device from now on
///
/// A document is signed by `astrolabe policy push`. The console has no key to sign one, and none to check it.
struct PolicyHandler: Sendable {
    let policies: PolicyLibrary

    /// Enough for a document of the maximum size in base64.
    private static let longestBody = 131_072
    /// The most apps without a policy that are listed, those with the most agents.
    private static let otherApps = 100
    private static let expectedPush = #"{"document": "…", "signature": "…", "percentage": 10} in base64"#
    private static let expectedChange = #"{"percentage": 10, "target": {"appVersions": ["2.*"], "systems": ["iOS*"]}}"#

    func list() async -> Response {
        let (book, table) = (await policies.book, await policies.table)
        let agents = Dictionary(grouping: table.agents.values, by: \.device.app)
        let others = agents.keys.filter { book.policies[$0] == nil }
            .sorted { (agents[$1]?.count ?? 0, $0) < (agents[$0]?.count ?? 0, $1) }
        let apps = (Array(book.policies.keys) + others.prefix(Self.otherApps)).sorted()
        var text = JSONText()
        text.object { text in
            text.member("apps") { text in
                text.array(apps) { text, app in
                    let use = PolicyUse(of: agents[app] ?? [], app: app, book: book)
                    text.object { text in
                        text.member("app", app)
                        if let newest = book.policies[app]?.first { text.member("version", newest.version) }
                        text.member("agents", use.agents)
                        text.member("refused", use.refused)
                    }
                }
            }
            text.member("agentLimit", table.limit)
            text.member("forgotten", table.forgotten)
        }
        return Response(json: text)
    }

    func app(_ call: RouteCall) async throws -> Response {
        let (book, table, time) = (await policies.book, await policies.table, policies.time)
        let agents = table.agents.values.filter { $0.device.app == call.id }
        let use = PolicyUse(of: agents, app: call.id, book: book)
        guard use.agents > 0 || book.policies[call.id] != nil else {
            throw APIFailure(.notFound, "no policy and no agent of \(call.id.prefix(100))")
        }
        var text = JSONText(capacity: 16_384)
        text.object { text in
            text.member("app", call.id)
            text.member("policies") { text in
                text.array(book.policies[call.id] ?? []) { $0.append($1, at: time, isWhole: true) }
            }
            text.member("use") { $0.append(use) }
        }
        return Response(json: text)
    }

    /// Stores a signed document.
    ///
    /// - Returns: The response, and what was pushed, for the audit log.
    func push(_ call: RouteCall) async throws -> (response: Response, detail: String) {
        let push = try await Self.read(PolicyPush.self, call.request, expected: Self.expectedPush)
        let time = policies.time
        let policy = try Self.policy(push, at: time)
        do throws(RolloutRefusal) {
            try await policies.push(policy)
        } catch {
            throw APIFailure(error)
        }
        var text = JSONText()
        text.append(policy, at: time, isWhole: false)
        return (Response(json: text, status: .created), policy.summary)
    }

    /// Changes the roll-out of a document.
    func change(_ call: RouteCall) async throws -> (response: Response, detail: String) {
        let change = try await Self.read(RolloutChange.self, call.request, expected: Self.expectedChange)
        return try await answering(call) { app, version async throws(RolloutRefusal) in
            try await policies.change(app, version, percentage: change.percentage, target: change.target)
        }
    }

    func withdraw(_ call: RouteCall) async throws -> (response: Response, detail: String) {
        try await answering(call) { app, version async throws(RolloutRefusal) in
            try await policies.withdraw(app, version)
        }
    }

    private func answering(
        _ call: RouteCall, _ body: (_ app: String, _ version: Int) async throws(RolloutRefusal) -> StoredPolicy,
    ) async throws(APIFailure) -> (response: Response, detail: String) {
        let number = call.values.last ?? ""
        guard let version = Int(number) else {
            throw APIFailure(.badRequest, "expected a version such as 7, found \(number.prefix(40).debugDescription)")
        }
        let policy: StoredPolicy
        do throws(RolloutRefusal) {
            policy = try await body(call.id, version)
        } catch {
            throw APIFailure(error)
        }
        var text = JSONText()
        text.append(policy, at: policies.time, isWhole: false)
        return (Response(json: text), policy.summary)
    }

    private static func policy(_ push: PolicyPush, at time: Int64) throws(APIFailure) -> StoredPolicy {
        let bytes = Array(push.document)
        let reading = PolicyDocument.read(bytes)
        guard let document = reading.document else {
            throw APIFailure(RolloutRefusal.invalid(reading.findings.map(\.description)))
        }
        guard document.expires > time else {
            throw APIFailure(RolloutRefusal.invalid(["$.expires: expected a time to come, found one that is over"]))
        }
        guard push.signature.count == PolicyOffer.signatureSize else {
            let expected = "expected \(PolicyOffer.signatureSize) bytes in base64, found \(push.signature.count)"
            throw APIFailure(RolloutRefusal.invalid(["signature: \(expected)"]))
        }
        let offer = PolicyOffer(document: bytes, signature: Array(push.signature))
        return StoredPolicy(
            app: document.app, version: document.version, document: push.document, signature: push.signature,
            hash: document.hash, offerHash: offer.configuration.hash.hex, expires: document.expires, pushed: time,
            rollout: push.rollout)
    }

    private static func read<Body: Decodable>(
        _ type: Body.Type, _ request: Request, expected: String,
    ) async throws -> Body {
        guard request.headers[.contentType]?.lowercased().hasPrefix("application/json") == true else {
            throw APIFailure(.unsupportedMediaType, "expected the content type application/json")
        }
        let body = try await request.bytes(atMost: longestBody, of: "a policy")
        do {
            return try JSONDecoder().decode(type, from: body)
        } catch DecodingError.dataCorrupted(let context) {
            throw APIFailure(.badRequest, "expected \(expected). \(context.debugDescription)")
        } catch {
            throw APIFailure(.badRequest, "expected \(expected)")
        }
    }
}

/// A signed document, and the first roll-out of it.
private struct PolicyPush: Decodable {
    let document: Data
    let signature: Data
    var rollout = PolicyRollout()

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case document, signature, percentage, target
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.members(CodingKeys.self)
        document = try members.decode(Data.self, forKey: .document)
        signature = try members.decode(Data.self, forKey: .signature)
        rollout.percentage = try members.decodeIfPresent(Double.self, forKey: .percentage) ?? rollout.percentage
        rollout.target = try members.decodeIfPresent(PolicyTarget.self, forKey: .target) ?? rollout.target
    }
}

/// A change of a roll-out. What is absent stays.
private struct RolloutChange: Decodable {
    let percentage: Double?
    let target: PolicyTarget?

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case percentage, target
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.members(CodingKeys.self)
        percentage = try members.decodeIfPresent(Double.self, forKey: .percentage)
        target = try members.decodeIfPresent(PolicyTarget.self, forKey: .target)
    }
}

extension StoredPolicy {
    /// The document, its share and the number of patterns in each list of its target, for the audit log.
    fileprivate var summary: String {
        let target = rollout.target
        let lists = [
            ("app versions", target.appVersions), ("systems", target.systems), ("models", target.models),
            ("installations", target.installations),
        ]
        let limits = lists.filter { !$0.1.isEmpty }.map { ", \($0.0): \($0.1.count)" }.joined()
        return "\(app) \(version), \(rollout.percentage) %\(limits)"
    }
}

extension APIFailure {
    fileprivate init(_ refusal: RolloutRefusal) {
        let status: HTTPResponse.Status =
            switch refusal {
            case .invalid: .badRequest
            case .notNewer, .tooManyApps, .withdrawn: .conflict
            case .notFound: .notFound
            case .unwritable: .unwritable
            }
        self.init(status, refusal.description)
    }
}
