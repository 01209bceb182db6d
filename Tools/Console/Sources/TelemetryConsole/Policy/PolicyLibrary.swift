import ConsoleModel
import Foundation
import Logging

/// The policies that were pushed, and the agents that ask for them, in two files next to the database.
///
///     try await policies.push(policy)
///     let offer = await policies.offer(to: report)
///
/// A document is stored before a push returns. The agents are stored by ``storeAgents()``, about once a minute: what a
/// kill loses, they report again.
actor PolicyLibrary {
    /// The response to a report.
    struct Offer: Hashable, Sendable {
        /// The document to send; `nil` if the agent has what is for it.
        var policy: StoredPolicy?
        var isFullStateNeeded: Bool
    }

    private let bookFile: StateFile<PolicyBook>
    private let agentsFile: StateFile<PolicyAgents>
    /// The seconds for which an agent is remembered after its last request.
    private let lifetime: Int64
    private let logger: Logger
    /// Returns the seconds since 1970.
    private let now: @Sendable () -> Int64
    private(set) var book: PolicyBook
    private(set) var table: PolicyAgents
    private var isUnsaved = false

    /// Reads what the run before stored.
    ///
    /// - Parameter lifetime: The time for which an agent is remembered after its last request.
    init(
        path: String, agentsPath: String, lifetime: Duration, logger: Logger, now: @escaping @Sendable () -> Int64,
    ) {
        bookFile = StateFile(path: path)
        agentsFile = StateFile(path: agentsPath)
        book = Self.read(bookFile, "policies", logger)
        table = Self.read(agentsFile, "agents", logger)
        self.lifetime = lifetime.components.seconds
        self.logger = logger
        self.now = now
    }

    private static func read<Content: StateContent>(
        _ file: StateFile<Content>, _ what: String, _ logger: Logger,
    ) -> Content {
        do {
            return try file.read()
        } catch {
            let place = file.setAside().map { "was moved to \($0)" } ?? "will be replaced"
            logger.error("the file of the \(what) cannot be read, and \(place): \(error)")
            return Content()
        }
    }

    /// The time in seconds since 1970.
    nonisolated var time: Int64 { now() }

    /// Returns the app of an agent; `nil` if it is unknown.
    func app(ofAgent id: String) -> String? { table.agents[id]?.device.app }

    /// Takes a report, and returns what to send to the agent.
    func offer(to report: PolicyReport) -> Offer {
        let time = now()
        let (agent, isFullStateNeeded) = table.take(report, at: time)
        isUnsaved = true
        guard let agent, !report.isLast else { return Offer(isFullStateNeeded: isFullStateNeeded) }
        return Offer(policy: policy(for: agent, at: time), isFullStateNeeded: isFullStateNeeded)
    }

    /// Returns the newest document that is for an agent, unless it has received it or follows a newer one. A device
    /// refuses a document that is not newer than its own.
    private func policy(for agent: PolicyAgent, at time: Int64) -> StoredPolicy? {
        guard let policy = book.policy(for: agent.device, at: time), policy.offerHash != agent.received else {
            return nil
        }
        let applied = book.policy(reported: agent.applied, app: agent.device.app)?.version ?? 0
        return policy.version > applied ? policy : nil
    }

    func push(_ policy: StoredPolicy) throws(RolloutRefusal) {
        try store { book throws(RolloutRefusal) in try book.add(policy) }
    }

    func change(
        _ app: String, _ version: Int, percentage: Double?, target: PolicyTarget?,
    ) throws(RolloutRefusal) -> StoredPolicy {
        try store { book throws(RolloutRefusal) in
            try book.change(app, version, percentage: percentage, target: target)
        }
    }

    func withdraw(_ app: String, _ version: Int) throws(RolloutRefusal) -> StoredPolicy {
        let time = now()
        return try store { book throws(RolloutRefusal) in try book.withdraw(app, version, at: time) }
    }

    /// Changes the book, which stays as it is if the change cannot be stored.
    private func store<Value>(
        _ change: (inout PolicyBook) throws(RolloutRefusal) -> Value
    ) throws(RolloutRefusal) -> Value {
        var changed = book
        let value = try change(&changed)
        do {
            try bookFile.write(changed)
        } catch {
            logger.error("the policies cannot be written: \(error)")
            throw .unwritable
        }
        book = changed
        return value
    }

    /// Forgets the agents that have not asked for long, and stores the others if there is something new.
    func storeAgents() async {
        if table.forget(before: now().clampedDifference(lifetime)) { isUnsaved = true }
        guard isUnsaved else { return }
        isUnsaved = false
        guard await Self.write(table, to: agentsFile, logger) else {
            isUnsaved = true
            return
        }
    }

    /// Writes the agents while others are answered. Returns whether they are stored.
    private static func write(
        _ table: PolicyAgents, to file: StateFile<PolicyAgents>, _ logger: Logger,
    ) async -> Bool {
        do {
            try file.write(table)
            return true
        } catch {
            logger.warning("the agents of the policies are not stored: \(error)")
            return false
        }
    }
}
