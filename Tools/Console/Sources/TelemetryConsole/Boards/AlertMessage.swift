import Foundation
import TelemetryBoards
import TelemetryQuery

/// The message that a webhook gets, in the console's own format.
struct AlertMessage: Codable, Sendable {
    /// The change in words and the link, under the name that chat services show.
    let text: String
    let alert: String
    let board: String
    /// `fired`, `recovered`, `unknown` or `known`.
    let state: String
    /// The same in the notices of a beginning and of its end, and in no other.
    let incident: String
    var value: Double?
    var group: String?
    var threshold: String?
    /// `critical` or `warning`; `nil` for the end of an alert that was removed.
    var severity: String?
    var query: String?
    /// The time of the newest record of what fired, in microseconds since 1970; `nil` if it is not known.
    var happenedUs: Int64?
    /// When the state began, which is when the console learned of it, in microseconds since 1970.
    let sinceUs: Int64
    /// The minute in which the last record of all arrived, if none arrived in the alert's window.
    var silentSinceUs: Int64?
    /// The page of the alerts; `nil` if the console does not know its address.
    let link: String?

    init(_ change: AlertMonitor.Change, incident: String, link: String?) {
        let (rule, event) = (change.status.rule, change.event)
        let value = event.value.map { rule.quantity($0) ?? String(format: "%g", $0) } ?? "no value"
        let subject = event.group.isEmpty ? "" : " for \(event.group)"
        let words =
            switch event.change {
            case .fired:
                "\(rule.name): \(value)\(subject), \(rule.thresholdDescription)"
                    + Self.times(of: event, silentSince: change.status.silentSince)
            case .recovered: "\(rule.name): recovered, \(value)\(subject)"
            case .unknown: "\(rule.name): unknown. \((event.failure ?? "").prefix(1_000))"
            case .known: "\(rule.name): evaluated again"
            }
        text = Self.text(words, link)
        alert = rule.name
        board = change.status.board
        state = event.change.rawValue
        self.incident = incident
        self.value = event.value.flatMap { $0.isFinite ? $0 : nil }
        group = event.group.isEmpty ? nil : event.group
        threshold = rule.thresholdDescription
        severity = (event.change.isUnknown ? AlertRule.Severity.warning : rule.severity).rawValue
        query = rule.question.description
        happenedUs = event.happened.map { $0 / 1_000 }
        sinceUs = event.time / 1_000
        silentSinceUs = change.status.silentSince.map { $0 / 1_000 }
        self.link = link
    }

    /// Says when it happened, if that is a minute or more before the console learned of it, and if nothing arrives.
    private static func times(of event: AlertState.Event, silentSince: Int64?) -> String {
        func text(_ time: Int64) -> String { Timestamp.text(time / 1_000_000_000 * 1_000_000_000) }
        var words = ""
        if let happened = event.happened, event.time - happened >= 60_000_000_000 {
            words += ". Happened \(text(happened)), learned \(text(event.time))"
        }
        if let silentSince {
            words += ". Nothing arrived \(silentSince > 0 ? "since \(text(silentSince))" : "yet")"
        }
        return words
    }

    /// The end of an incident whose alert is in no board any more, or has another webhook.
    init(removing incident: NoticeBook.Incident, at time: Int64, link: String?) {
        let subject = incident.subject
        alert = subject.alert.alert
        board = subject.alert.board
        let place = subject.group.isEmpty ? "" : " for \(subject.group)"
        text = Self.text("\(alert): ended\(place), because the alert was removed or has another webhook", link)
        state = (subject.isUnknown ? AlertState.Change.known : .recovered).rawValue
        self.incident = incident.id
        group = subject.group.isEmpty ? nil : subject.group
        sinceUs = time / 1_000
        self.link = link
    }

    private static func text(_ words: String, _ link: String?) -> String {
        link.map { "\(words)\n\($0)" } ?? words
    }

    func json() throws -> String { try Self.encoded(self) }

    static func encoded(_ content: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(content), as: UTF8.self)
    }
}
