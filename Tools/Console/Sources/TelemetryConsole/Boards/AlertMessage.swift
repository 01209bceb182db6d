import Foundation
import TelemetryBoards
import TelemetryQuery

/// The message that a webhook gets.
struct AlertMessage: Encodable, Sendable {
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
    var query: String?
    /// When the state began, in microseconds since 1970.
    let sinceUs: Int64
    /// The page of the alerts; `nil` if the console does not know its address.
    let link: String?

    init(_ change: AlertMonitor.Change, incident: String, link: String?) {
        let (rule, event) = (change.status.rule, change.event)
        let value = event.value.map { rule.quantity($0) ?? String(format: "%g", $0) } ?? "no value"
        let subject = event.group.isEmpty ? "" : " for \(event.group)"
        let words =
            switch event.change {
            case .fired: "\(rule.name): \(value)\(subject), \(rule.thresholdDescription)"
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
        query = rule.question.description
        sinceUs = event.time / 1_000
        self.link = link
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

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
