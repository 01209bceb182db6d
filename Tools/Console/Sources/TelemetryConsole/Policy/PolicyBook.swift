import Foundation

/// A document as it was pushed, with its signature and its roll-out. Times are in seconds since 1970.
struct StoredPolicy: Codable, Hashable, Sendable {
    let app: String
    let version: Int
    /// The bytes that were signed.
    let document: Data
    let signature: Data
    /// The name of the document, as in `astrolabe.policy.version`.
    let hash: String
    /// The hash of the document and its signature in hexadecimal digits, by which agents report it.
    let offerHash: String
    let expires: Int64
    let pushed: Int64
    var rollout: PolicyRollout
    /// The time since which no device gets it; `nil` if it was not withdrawn.
    var withdrawn: Int64?

    /// Returns whether devices may get the document.
    func isActive(at time: Int64) -> Bool { withdrawn == nil && time < expires }
}

/// The policies of all apps: the present ones and those before them.
struct PolicyBook: StateContent {
    static let currentVersion = 1

    struct Limits: Hashable, Sendable {
        /// The most apps. The default is 100.
        var apps = 100
        /// The most documents of an app. The default is 20.
        var documents = 20
    }

    private(set) var version = Self.currentVersion
    /// The documents of each app, newest first.
    private(set) var policies: [String: [StoredPolicy]] = [:]
    /// Not stored.
    var limits = Limits()

    private enum CodingKeys: String, CodingKey {
        case version, policies
    }

    /// Returns the newest document that is for a device, whatever the device has.
    ///
    /// - Parameter time: In seconds since 1970.
    func policy(for device: PolicyDevice, at time: Int64) -> StoredPolicy? {
        policies[device.app]?.first { $0.isActive(at: time) && $0.rollout.includes(device) }
    }

    /// Returns the document by the hash that agents report; `nil` if it is unknown.
    func policy(reported offerHash: String, app: String) -> StoredPolicy? {
        policies[app]?.first { $0.offerHash == offerHash }
    }

    /// Adds a document that is newer than those of its app.
    mutating func add(_ policy: StoredPolicy) throws(RolloutRefusal) {
        if let fault = policy.rollout.fault { throw .invalid([fault]) }
        var documents = policies[policy.app, default: []]
        if let newest = documents.first, newest.version >= policy.version {
            throw .notNewer(app: policy.app, newest: newest.version, found: policy.version)
        }
        guard !documents.isEmpty || policies.count < limits.apps else { throw .tooManyApps(limit: limits.apps) }
        documents.insert(policy, at: 0)
        if documents.count > limits.documents { documents.remove(at: Self.leastUseful(of: documents)) }
        policies[policy.app] = documents
    }

    /// Returns the place of the oldest document that no device gets any more, or that is for single installations. If
    /// there is none, the oldest of all.
    private static func leastUseful(of documents: [StoredPolicy]) -> Int {
        let now = documents.first?.pushed ?? 0
        let index = documents.dropFirst().lastIndex { policy in
            !policy.isActive(at: now) || !policy.rollout.target.installations.isEmpty
        }
        return index ?? documents.count - 1
    }

    /// Changes who gets a document. What is `nil` stays.
    mutating func change(
        _ app: String, _ version: Int, percentage: Double?, target: PolicyTarget?,
    ) throws(RolloutRefusal) -> StoredPolicy {
        var policy = try policy(app, version)
        guard policy.withdrawn == nil else { throw .withdrawn(app: app, version: version) }
        policy.rollout.percentage = percentage ?? policy.rollout.percentage
        policy.rollout.target = target ?? policy.rollout.target
        if let fault = policy.rollout.fault { throw .invalid([fault]) }
        replace(policy)
        return policy
    }

    /// Sends a document to no device from now on.
    mutating func withdraw(_ app: String, _ version: Int, at time: Int64) throws(RolloutRefusal) -> StoredPolicy {
        var policy = try policy(app, version)
        policy.withdrawn = policy.withdrawn ?? time
        replace(policy)
        return policy
    }

    private func policy(_ app: String, _ version: Int) throws(RolloutRefusal) -> StoredPolicy {
        guard let policy = policies[app]?.first(where: { $0.version == version }) else {
            throw .notFound(app: app, version: version)
        }
        return policy
    }

    private mutating func replace(_ policy: StoredPolicy) {
        policies[policy.app] = policies[policy.app]?.map { $0.version == policy.version ? policy : $0 }
    }
}

/// The reasons not to take a document or a change of its roll-out.
enum RolloutRefusal: Error, Hashable, CustomStringConvertible {
    /// The faults of the document, or of the request.
    case invalid([String])
    case notNewer(app: String, newest: Int, found: Int)
    case tooManyApps(limit: Int)
    case notFound(app: String, version: Int)
    case withdrawn(app: String, version: Int)
    /// The file cannot be written.
    case unwritable

    var description: String {
        switch self {
        case .invalid(let faults): faults.joined(separator: "\n")
        case .notNewer(let app, let newest, let found):
            """
            expected a version above \(newest), which is the newest of \(app.prefix(100)), found \(found); devices \
            refuse a version that is not newer than theirs
            """
        case .tooManyApps(let limit): "there are policies of \(limit) apps, and no more are stored"
        case .notFound(let app, let version): "no policy of \(app.prefix(100)) has the version \(version)"
        case .withdrawn(let app, let version):
            "version \(version) of \(app.prefix(100)) was withdrawn; push a newer version"
        case .unwritable: "the policies cannot be written; the disk may be full, or they are too large"
        }
    }
}
