/// A report of an agent: of one request of OpAMP, what the console uses.
struct PolicyReport: Hashable, Sendable {
    /// The fate of the offer that an agent received last.
    struct State: Hashable, Sendable {
        var hash: String
        var status: PolicyAgent.Status
        var message = ""
    }

    /// The instance uid, in hexadecimal digits.
    let id: String
    var sequence: UInt64
    /// `nil` if it is as in the report before.
    var device: PolicyDevice?
    /// `nil` if it is as in the report before, or, beside a `device`, if it has received none.
    var state: State?
    /// True if the agent sends nothing more.
    var isLast = false
}

/// An agent that has asked for its policy, as it reported itself.
struct PolicyAgent: Codable, Hashable, Sendable {
    enum Status: String, Codable, Hashable, Sendable {
        /// It has received no document.
        case unset
        case applying
        case applied
        case failed
    }

    /// The instance uid, in hexadecimal digits.
    let id: String
    var device: PolicyDevice
    var sequence: UInt64
    /// The hash of the offer that it received last; empty without one.
    var received = ""
    var status = Status.unset
    /// The reason for which it refused that document.
    var message = ""
    /// The hash of the offer that it follows; empty without one.
    var applied = ""
    /// The time of its last request, in seconds since 1970.
    var polled: Int64
    /// True if its last request said that it ends.
    var isDisconnected = false
}

/// The agents that asked for a policy. If there are too many, those that asked last are kept.
struct PolicyAgents: StateContent {
    static let currentVersion = 1
    /// The most agents. If there are more, the tenth that has asked the longest time ago is forgotten: an agent that
    /// asks again reports itself in full.
    static let defaultLimit = 20_000
    /// The most bytes of a message: a character may have any number of them.
    private static let longestMessage = 500

    private(set) var version = Self.currentVersion
    private(set) var agents: [String: PolicyAgent] = [:]
    /// The number of agents that were forgotten, ever.
    private(set) var forgotten = 0
    /// Not stored.
    var limit = Self.defaultLimit

    private enum CodingKeys: String, CodingKey {
        case version, agents, forgotten
    }

    /// Takes a report.
    ///
    /// - Parameter time: In seconds since 1970.
    /// - Returns: The agent; `nil` if nothing is known of it, or it names no app, for which no document can be. Also
    ///   true if it must report itself in full, because a report before this one was lost.
    mutating func take(_ report: PolicyReport, at time: Int64) -> (agent: PolicyAgent?, isFullStateNeeded: Bool) {
        let known = agents[report.id]
        let follows = known.map { report.sequence == $0.sequence || report.sequence == $0.sequence &+ 1 } ?? false
        let isFullStateNeeded = !follows && report.device == nil && !report.isLast
        guard let device = report.device ?? known?.device, !device.app.isEmpty else { return (nil, isFullStateNeeded) }
        var agent = known ?? PolicyAgent(id: report.id, device: device, sequence: report.sequence, polled: time)
        agent.device = device
        agent.sequence = report.sequence
        agent.polled = time
        agent.isDisconnected = report.isLast
        if let state = report.state {
            agent.received = state.hash
            agent.status = state.status
            agent.message = String(decoding: state.message.utf8.prefix(Self.longestMessage), as: UTF8.self)
            if state.status == .applied { agent.applied = state.hash }
        } else if report.device != nil {
            // It has nothing any more: its app was deleted, or its user has withdrawn consent.
            (agent.received, agent.status, agent.message, agent.applied) = ("", .unset, "", "")
        }
        agents[report.id] = agent
        forgetOldest()
        return (agent, isFullStateNeeded)
    }

    /// Forgets the agents that asked for the last time before a time, in seconds since 1970.
    ///
    /// - Returns: True if there were such.
    mutating func forget(before time: Int64) -> Bool {
        let old = agents.values.filter { $0.polled < time }
        for agent in old { agents[agent.id] = nil }
        forgotten += old.count
        return !old.isEmpty
    }

    private mutating func forgetOldest() {
        guard agents.count > limit else { return }
        let oldest = agents.values.sorted { ($0.polled, $0.id) < ($1.polled, $1.id) }
            .prefix(agents.count - limit + limit / 10)
        for agent in oldest { agents[agent.id] = nil }
        forgotten += oldest.count
    }
}
