import ConsoleModel
import Foundation
import Logging
import TelemetryBoards
import TelemetryQuery

/// Evaluates the alerts of all boards, and remembers their states.
///
/// After a restart, an alert has the state that it had. After a change of its rule, it has the state of which receivers
/// of its notices know.
actor AlertMonitor {
    struct Status: Sendable {
        var board: String
        var boardTitle: String
        var rule: AlertRule
        var state = AlertState()
        var care = AlertCare()
        /// The state of the notices to the webhook; `nil` if there were none.
        var delivery: NoticeBook.Delivery?
        /// The minute in which the last record of all arrived, if nothing arrived in the window; in nanoseconds since
        /// 1970, and 0 if nothing ever did.
        var silentSince: Int64?

        var id: AlertName { AlertName(board: board, alert: rule.name) }
    }

    struct Change: Sendable {
        var status: Status
        var event: AlertState.Event

        var change: AlertState.Change { event.change }
    }

    /// The files of a moment.
    private struct Files {
        var webhooks: [AlertName: Webhook] = [:]
        var unreadable: Set<String> = []
    }

    /// The largest number of alerts that are evaluated.
    static let limit = 100

    private let boards: BoardLibrary
    private let queries: QuerySource
    private let notices: NoticeQueue
    private let logger: Logger
    private var statuses: [Status] = []
    /// `nil` keeps the states in memory.
    private let file: StateFile<AlertBook>?
    /// The states of the run before, until the boards are read.
    private var saved: AlertBook
    /// True if the log has a line about a file that cannot be written.
    private var isUnwritable = false

    /// Reads the states of the run before.
    ///
    /// - Parameters:
    ///   - path: The file of the states; `nil` for none.
    ///   - notices: Those of the changes. The default are notices in memory, which are not sent.
    init(
        boards: BoardLibrary, queries: QuerySource, path: String? = nil, notices: NoticeQueue = NoticeQueue(),
        logger: Logger,
    ) {
        self.boards = boards
        self.queries = queries
        self.notices = notices
        self.logger = logger
        let file = path.map { StateFile<AlertBook>(path: $0) }
        do {
            saved = try file?.read() ?? AlertBook()
        } catch {
            saved = AlertBook()
            let place = file?.setAside().map { "was moved to \($0)" } ?? "will be replaced"
            logger.error("the file of the alerts' states cannot be read, and \(place): \(error)")
        }
        self.file = file
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
        await endMutes(at: now)
        var changes: [Change] = []
        let due = statuses.filter { $0.state.isDue($0.rule, at: now) }
        for status in due {
            if Task.isCancelled { break }
            let new = await evaluate(status, at: now)
            // A mute alert begins no notice. What it began ends.
            let noticed = new.filter { !$0.status.care.isMuted(at: now) || $0.event.change.isEnd }
            if !noticed.isEmpty { await notices.take(noticed) }
            changes += new
        }
        // After the notices, so that what has none yet is found again.
        if !due.isEmpty { save() }
        return changes
    }

    /// The groups of an evaluation.
    private struct Outcome {
        var readings: [AlertReading]
        var areAll: Bool
        var late: [AlertReading] = []
        var asked: Int64
        var silentSince: Int64?
    }

    /// - Throws: `QueryError` if not all records could be read.
    private func completeRows(_ question: Query) async throws -> [ResultRow] {
        let answer = try await queries.answer(question, isExplained: false)
        guard answer.omissions.isEmpty else {
            throw QueryError(answer.omissions.joined(separator: " "), isIncomplete: true)
        }
        return answer.result.rows
    }

    private func outcome(of status: Status) async throws -> Outcome {
        let (rule, asked) = (status.rule, queries.now)
        let present = try await completeRows(rule.presentQuestion)
        var outcome = Outcome(
            readings: rule.readings(of: present.compactMap { AlertRow($0) }),
            areAll: !present.contains(where: \.isOther), asked: asked)
        if let question = rule.confirmingQuestion {
            let shorter = try await completeRows(question)
            outcome.readings = rule.confirmed(
                outcome.readings, by: rule.readings(of: shorter.compactMap { AlertRow($0) }))
        }
        guard let arrivals = queries.store.arrivals else { return outcome }
        outcome.late = try await rule.news(since: status.state.heard, at: asked) { try await pastRows($0) }
        let last = try await arrivals.lastArrival() ?? 0
        if last + Self.minute <= asked - rule.window { outcome.silentSince = last }
        return outcome
    }

    /// Returns what is known of the past. What is left out arrived first, so none of it is late.
    private func pastRows(_ question: Query) async throws -> [AlertRow] {
        do {
            return try await queries.answer(question, isExplained: false).result.rows.compactMap { AlertRow($0) }
        } catch let error as QueryError where error.isIncomplete {
            return []
        }
    }

    private static let minute: Int64 = 60_000_000_000

    private func evaluate(_ status: Status, at now: Int64) async -> [Change] {
        let outcome: Result<Outcome, any Error>
        do {
            outcome = .success(try await self.outcome(of: status))
        } catch {
            outcome = .failure(error)
        }
        // The alert may have been changed while the query ran.
        guard let index = index(of: status) else { return [] }
        let events: [AlertState.Event]
        switch outcome {
        case .success(let found):
            events = statuses[index].state.take(
                found.readings, areAll: found.areAll, late: found.late, of: status.rule, at: now, asked: found.asked)
            statuses[index].silentSince = found.silentSince
        // It is asked again in the next pass.
        case .failure(is QueryRefusal), .failure(is CancellationError): return []
        case .failure(let error): events = statuses[index].state.fail("\(error)", at: now)
        }
        statuses[index].care.take(events, phase: statuses[index].state.phase)
        let changed = statuses[index]
        return events.map { event in
            logger.notice(
                "alert \(event.change)", metadata: ["alert": "\(status.rule.name)", "board": "\(status.board)"])
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
            for rule in board.rules {
                var status = Status(board: entry.id, boardTitle: board.title, rule: rule)
                let before = statuses.first { $0.id == status.id }
                status.care = before?.care ?? saved.care(of: status.id) ?? AlertCare()
                files.webhooks[status.id] = rule.webhook
                guard fresh.count < Self.limit else { continue }
                if let known = index(of: status) {
                    status = statuses[known]
                    status.boardTitle = board.title
                } else {
                    let known = AlertState(of: status, knownBy: incidents)
                    let state = saved.state(of: rule, named: status.id)
                    // A group of which no receiver knows fires again, so that its notice is not lost.
                    status.state = state?.resumed(knowing: rule.webhook == nil ? nil : known) ?? known
                }
                fresh.append(status)
            }
        }
        statuses = fresh
        // A rule that is changed begins again, also if it is changed back.
        if files.unreadable.isEmpty { saved = AlertBook() }
        return files
    }

    /// Mutes an alert, and notes that someone knows what fires. What is `nil` stays.
    ///
    /// - Parameter muteSeconds: The time from now on; 0 ends it.
    /// - Returns: The alert; `nil` if there is none of this name.
    func change(_ id: AlertName, muteSeconds: Int64?, isAcknowledged: Bool?) async -> Status? {
        _ = await reload()
        guard let index = statuses.firstIndex(where: { $0.id == id }) else { return nil }
        if let muteSeconds { statuses[index].care.mutedUntil = queries.now + muteSeconds * 1_000_000_000 }
        if let isAcknowledged {
            let fires = statuses[index].state.phase == .firing
            statuses[index].care.acknowledged = isAcknowledged && fires ? queries.now : nil
        }
        save()
        return statuses[index]
    }

    /// Lets what fires since an alert was muted fire again, so that it has a notice.
    private func endMutes(at now: Int64) async {
        let incidents = await notices.book.incidents
        for index in statuses.indices where statuses[index].care.mutedUntil.map({ $0 <= now }) == true {
            statuses[index].care.mutedUntil = nil
            guard statuses[index].rule.webhook != nil else { continue }
            let known = AlertState(of: statuses[index], knownBy: incidents)
            statuses[index].state = statuses[index].state.resumed(knowing: known)
        }
    }

    /// Writes the states. What cannot be written is written after the next pass.
    private func save() {
        guard let file else { return }
        do {
            try file.write(AlertBook(statuses, saved))
            isUnwritable = false
        } catch {
            if !isUnwritable {
                logger.error("the states of alerts cannot be written, and a restart would lose them: \(error)")
            }
            isUnwritable = true
        }
    }
}

extension AlertState.Change {
    /// True for the end of another change.
    var isEnd: Bool { self == .recovered || self == .known }
    /// True for a change of whether the alert can be evaluated.
    var isUnknown: Bool { self == .unknown || self == .known }
}

extension AlertState {
    /// The state of an alert of which receivers know, by all open incidents.
    fileprivate init(of status: AlertMonitor.Status, knownBy all: [NoticeBook.Incident]) {
        let incidents = all.filter { $0.subject.alert == status.id && $0.webhook == status.rule.webhook }
        var firing: [String: Int64] = [:]
        for incident in incidents where !incident.subject.isUnknown { firing[incident.subject.group] = incident.since }
        self.init(firing: firing, unknownSince: incidents.first { $0.subject.isUnknown }?.since)
    }
}

extension AlertRow {
    /// Groups that are equal so far are one, with the value that is the nearest to crossing.
    private static let longestGroup = 300

    /// - Returns: `nil` if the row is the rest.
    fileprivate init?(_ row: ResultRow) {
        guard !row.isOther else { return nil }
        let group = row.key.map { $0.text ?? "(missing)" }.joined(separator: ", ")
        self.init(
            group: String(group.prefix(Self.longestGroup)), firstKey: row.key.first?.number,
            values: row.values.totals.map(\.number))
    }
}
