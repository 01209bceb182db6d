import Foundation
import Logging
import TelemetryBoards
import TelemetryQuery

/// Evaluates the alerts of all boards, and remembers their states. A restart forgets them.
actor AlertMonitor {
    struct Status: Sendable {
        var board: String
        var boardTitle: String
        var rule: AlertRule
        var state = AlertState()
        /// How the last post to the webhook went: `delivered` or `failed`.
        var webhookResult: String?
    }

    struct Change: Sendable {
        var status: Status
        var change: AlertState.Change
    }

    /// The largest number of alerts that are evaluated.
    static let limit = 100

    private let boards: BoardLibrary
    private let queries: QuerySource
    private let logger: Logger
    private var statuses: [Status] = []

    init(boards: BoardLibrary, queries: QuerySource, logger: Logger) {
        self.boards = boards
        self.queries = queries
        self.logger = logger
    }

    /// The alerts in the order of the boards.
    func snapshot() async -> [Status] {
        await reload()
        return statuses
    }

    /// Evaluates the alerts that are due, one after another.
    ///
    /// - Parameter now: Nanoseconds since 1970.
    /// - Returns: The alerts that fired, recovered or became unknown.
    func evaluate(at now: Int64) async -> [Change] {
        await reload()
        var changes: [Change] = []
        for status in statuses where status.state.isDue(status.rule, at: now) {
            if Task.isCancelled { break }
            if let change = await evaluate(status, at: now) { changes.append(change) }
        }
        return changes
    }

    func note(_ result: String, ofWebhookOf status: Status) {
        guard let index = index(of: status) else { return }
        statuses[index].webhookResult = result
    }

    private func evaluate(_ status: Status, at now: Int64) async -> Change? {
        let outcome: Result<AlertReading?, any Error>
        do {
            let answer = try await queries.answer(status.rule.question)
            guard answer.omissions.isEmpty else {
                throw QueryError(answer.omissions.joined(separator: " "), isIncomplete: true)
            }
            outcome = .success(status.rule.reading(of: answer.result.rows.compactMap(AlertReading.init)))
        } catch {
            outcome = .failure(error)
        }
        // The alert may have been changed while the query ran.
        guard let index = index(of: status) else { return nil }
        let change: AlertState.Change?
        switch outcome {
        case .success(let reading): change = statuses[index].state.take(reading, of: status.rule, at: now)
        // It is asked again in the next pass.
        case .failure(is QueryRefusal), .failure(is CancellationError): change = nil
        case .failure(let error): change = statuses[index].state.fail("\(error)", at: now)
        }
        guard let change else { return nil }
        logger.notice(
            "alert \(change)", metadata: ["alert": "\(status.rule.name)", "board": "\(status.board)"], )
        return Change(status: statuses[index], change: change)
    }

    private func index(of status: Status) -> Int? {
        statuses.firstIndex { $0.board == status.board && $0.rule == status.rule }
    }

    /// Takes the alerts from the boards. One that is as before keeps its state.
    private func reload() async {
        var fresh: [Status] = []
        for entry in await boards.entries() {
            guard case .success(let board) = entry.board else { continue }
            for rule in board.alerts where fresh.count < Self.limit {
                fresh.append(Status(board: entry.id, boardTitle: board.title, rule: rule))
            }
        }
        for index in fresh.indices {
            guard let known = self.index(of: fresh[index]) else { continue }
            fresh[index].state = statuses[known].state
            fresh[index].webhookResult = statuses[known].webhookResult
        }
        statuses = fresh
    }
}

extension AlertReading {
    /// The first calculation of a row; `nil` if there was nothing to compute from, or if the row is the rest.
    fileprivate init?(_ row: ResultRow) {
        guard !row.isOther, let value = row.values.totals.first?.number else { return nil }
        self.init(value: value, group: row.key.map { $0.text ?? "(missing)" }.joined(separator: ", "))
    }
}
