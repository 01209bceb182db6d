/// The agents of an app by the document that they follow, and those that refused one.
struct PolicyUse: Hashable, Sendable {
    struct Version: Hashable, Sendable {
        /// The document; `nil` if it is not stored any more, or was pushed to another server.
        var policy: StoredPolicy?
        /// The hash that the agents report; empty for those without a document.
        var offerHash: String
        var agents: Int
    }

    struct Refusal: Hashable, Sendable {
        /// The number of the document; `nil` if it is not stored any more.
        var version: Int?
        /// The reason in the words of the agents.
        var message: String
        var agents: Int
    }

    /// The most unknown documents, and the most refusals, that are counted by themselves.
    private static let limit = 50

    let agents: Int
    /// The number of agents that refused the document that they received last.
    let refused: Int
    /// The time of the last request, in seconds since 1970; 0 without agents.
    let polled: Int64
    /// The most frequent first. Of the documents that the console does not know, the rarest are left out: an agent
    /// may report any hash.
    let versions: [Version]
    /// The most frequent first.
    let refusals: [Refusal]

    /// - Parameter agents: Those of the app.
    init(of agents: [PolicyAgent], app: String, book: PolicyBook) {
        self.agents = agents.count
        polled = agents.map(\.polled).max() ?? 0
        var unknown = 0
        versions = Dictionary(grouping: agents, by: \.applied)
            .map { hash, group in
                Version(policy: book.policy(reported: hash, app: app), offerHash: hash, agents: group.count)
            }
            .sorted { ($1.agents, $0.offerHash) < ($0.agents, $1.offerHash) }
            .filter { version in
                guard version.policy == nil, !version.offerHash.isEmpty else { return true }
                unknown += 1
                return unknown <= Self.limit
            }
        let failed = agents.filter { $0.status == .failed }
        refused = failed.count
        let refusals = Dictionary(grouping: failed) { [$0.received, $0.message] }
            .map { fault, group in
                Refusal(
                    version: book.policy(reported: fault[0], app: app)?.version, message: fault[1],
                    agents: group.count)
            }
            .sorted { ($1.agents, $0.message) < ($0.agents, $1.message) }
        self.refusals = Array(refusals.prefix(Self.limit))
    }
}
