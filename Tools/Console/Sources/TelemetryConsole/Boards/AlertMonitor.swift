import Foundation
import Logging
import TelemetryBoards
import TelemetryQuery

/// Evaluates the alerts of all boards, and remembers their states.
///
/// After a restart, and after a change of its rule, an alert has the state of which receivers of its notices know.
actor AlertMonitor {
    struct Status: Sendable {
        var board: String
        var boardTitle: String
        var rule: AlertRule
        var state = AlertState()
        /// The state of the notices to the webhook; `nil` if there were none.
        var delivery: NoticeBook.Delivery?

        var id: AlertName { AlertName(board: board, alert: rule.name) }
    }

    struct Change: Sendable {
        var status: Status
        var event: AlertState.Event

        var change: AlertState.Change { event.change }
    }

    /// The files of a moment.
    private struct Files {
        var webhooks: [AlertName: WebhookAddress] = [:]
        var unreadable: Set<String> = []
    }

    /// The largest number of alerts that are evaluated.
    static let limit = 100

    private let boards: BoardLibrary
    private let queries: QuerySource
    private let notices: NoticeQueue
    private let logger: Logger
    private var statuses: [Status] = []

    /// - Parameter notices: Those of the changes. The default are notices in memory, which are not sent.
    init(boards: BoardLibrary, queries: QuerySource, notices: NoticeQueue = NoticeQueue(), logger: Logger) {
        self.boards = boards
        self.queries = queries
        self.notices = notices
        self.logger = logger
    }

    /// The alerts in the order of the boards.
    func snapshot() async -> [Status] {
        _ = await reload()
        var snapshot = statuses
        let deliveries = await notices.deliveries(of: snapshot.map(\.id))
        for (index, delivery) in zip(snapshot.indices, deliveries) { snapshot[index].delivery = delivery }
        return snapshot
    }

    /// Evaluates the alerts that are due, one after another, and stores the notices of what changed.
    ///
    /// - Parameter now: Nanoseconds since 1970.
    /// - Returns: The groups that fired or recovered, and the alerts that became unknown or known.
    func evaluate(at now: Int64) async -> [Change] {
        let files = await reload()
        await notices.end(exceptOf: files.webhooks, unreadable: files.unreadable, at: now)
        var changes: [Change] = []
        for status in statuses where status.state.isDue(status.rule, at: now) {
            if Task.isCancelled { break }
            let new = await evaluate(status, at: now)
            if !new.isEmpty { await notices.take(new) }
            changes += new
        }
        return changes
    }

    private func evaluate(_ status: Status, at now: Int64) async -> [Change] {
        let outcome: Result<[ResultRow], any Error>
        do {
            let answer = try await queries.answer(status.rule.question)
            guard answer.omissions.isEmpty else {
                throw QueryError(answer.omissions.joined(separator: " "), isIncomplete: true)
            }
            outcome = .success(answer.result.rows)
        } catch {
            outcome = .failure(error)
        }
        // The alert may have been changed while the query ran.
        guard let index = index(of: status) else { return [] }
        let events: [AlertState.Event]
        switch outcome {
        case .success(let rows):
            events = statuses[index].state.take(
                rows.compactMap(AlertReading.init), areAll: !rows.contains(where: \.isOther), of: status.rule, at: now,
            )
        // It is asked again in the next pass.
        case .failure(is QueryRefusal), .failure(is CancellationError): return []
        case .failure(let error): events = statuses[index].state.fail("\(error)", at: now)
        }
        let changed = statuses[index]
        return events.map { event in
            logger.notice(
                "alert \(event.change)", metadata: ["alert": "\(status.rule.name)", "board": "\(status.board)"], )
            return Change(status: changed, event: event)
        }
    }

    private func index(of status: Status) -> Int? {
        statuses.firstIndex { $0.board == status.board && $0.rule == status.rule }
    }

    /// Takes the alerts from the boards. One that is as before keeps its state.
    private func reload() async -> Files {
        let entries = await boards.entries()
        let incidents = await notices.book.incidents
        var files = Files()
        var fresh: [Status] = []
        for entry in entries {
            guard case .success(let board) = entry.board else {
                files.unreadable.insert(entry.id)
                continue
            }
            for rule in board.alerts {
                var status = Status(board: entry.id, boardTitle: board.title, rule: rule)
                files.webhooks[status.id] = rule.webhook
                guard fresh.count < Self.limit else { continue }
                if let known = index(of: status) {
                    status.state = statuses[known].state
                } else {
                    let id = status.id
                    status.state = AlertState(
                        incidents.filter { $0.subject.alert == id && $0.webhook == rule.webhook })
                }
                fresh.append(status)
            }
        }
        statuses = fresh
        return files
    }
}

extension AlertState {
    /// The state of an alert whose incidents receivers know.
    fileprivate init(_ incidents: [NoticeBook.Incident]) {
        var firing: [String: Int64] = [:]
        for incident in incidents where !incident.subject.isUnknown { firing[incident.subject.group] = incident.since }
        self.init(firing: firing, unknownSince: incidents.first { $0.subject.isUnknown }?.since)
    }
}

extension AlertReading {
    /// Groups that are equal so far are one, with the value that is the nearest to crossing.
    private static let longestGroup = 300

    /// The first calculation of a row; `nil` if there was nothing to compute from, or if the row is the rest.
    fileprivate init?(_ row: ResultRow) {
        guard !row.isOther, let value = row.values.totals.first?.number else { return nil }
        let group = row.key.map { $0.text ?? "(missing)" }.joined(separator: ", ")
        self.init(value: value, group: String(group.prefix(Self.longestGroup)))
    }
}
