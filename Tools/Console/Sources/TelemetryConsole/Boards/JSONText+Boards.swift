import AstrolabeTelemetryModel
import ConsoleModel
import Foundation
import TelemetryBoards
import TelemetryQuery

extension JSONText {
    init(_ error: BoardError) {
        self.init()
        object { $0.append(error) }
    }

    /// The source of a board that is refused, without the addresses of webhooks that must not be in a file.
    private static func source(ofRefused entry: BoardLibrary.Entry) -> String {
        entry.source.replacing(
            #/(webhook['"]?\s*:\s*['"]?)(?!\$|http://(?:127\.0\.0\.1|localhost)[:/][^\s,}'"@#]*+(?![@#]))[^\s,}'"]+/#
        ) { "\($0.1)REDACTED" }
    }

    private mutating func append(_ error: BoardError) {
        member("error", error.description)
        if let line = error.line { member("line", line) }
    }

    mutating func append(summary entry: BoardLibrary.Entry) {
        object { text in
            text.member("id", entry.id)
            text.member("isFile", entry.isFile)
            switch entry.board {
            case .success(let board):
                text.member("title", board.title)
                text.member(optional: "description", board.description)
                text.member("panels", board.panels.count)
                text.member("alerts", board.rules.count)
            case .failure(let error): text.append(error)
            }
        }
    }

    mutating func append(_ entry: BoardLibrary.Entry) throws {
        let json = try? entry.board.get().json()
        object { text in
            text.member("id", entry.id)
            text.member("isFile", entry.isFile)
            text.member("isShipped", ShippedBoards.ids.contains(entry.id))
            switch entry.board {
            case .success:
                text.member("source", entry.source)
                if let json { text.member("board") { $0.append(json: String(decoding: json, as: UTF8.self)) } }
            case .failure(let error):
                text.member("source", Self.source(ofRefused: entry))
                text.append(error)
            }
        }
    }

    mutating func append(_ alerts: [AlertMonitor.Status]) {
        object { text in
            text.member("firing", alerts.count { $0.state.phase == .firing && $0.care.mutedUntil == nil })
            text.member("alerts") { $0.array(alerts) { $0.append($1) } }
        }
    }

    mutating func append(_ alert: AlertMonitor.Status) {
        let (rule, state) = (alert.rule, alert.state)
        object { text in
            text.member("name", rule.name)
            text.member("board", alert.board)
            text.member("boardTitle", alert.boardTitle)
            text.member(optional: "note", rule.note)
            text.member("query", rule.question.description)
            text.member("threshold", rule.thresholdDescription)
            text.member("severity", rule.severity.rawValue)
            text.member("every", TimeRange.text(ofDuration: rule.interval))
            text.member("for", rule.times)
            text.member("state", state.phase.rawValue)
            if let since = state.since { text.member("sinceUs", since / 1_000) }
            if let evaluated = state.evaluated { text.member("evaluatedUs", evaluated / 1_000) }
            if let reading = state.reading {
                text.member("value") { $0.append(AttributeValue.double(reading.value)) }
                if !reading.group.isEmpty { text.member("group", reading.group) }
                if let happened = reading.happened { text.member("happenedUs", happened / 1_000) }
            }
            if let silent = alert.silentSince { text.member("silentSinceUs", silent / 1_000) }
            if let muted = alert.care.mutedUntil { text.member("mutedUntilUs", muted / 1_000) }
            if let known = alert.care.acknowledged { text.member("acknowledgedUs", known / 1_000) }
            text.member("history") { $0.array(alert.care.history) { $0.append($1) } }
            text.member(optional: "unit", rule.unit)
            text.member(optional: "error", state.failure)
            text.member(optional: "webhook", rule.webhook?.text)
            text.member(optional: "format", rule.webhook?.format?.rawValue)
            if let delivery = alert.delivery {
                text.member("webhookResult", delivery.result.rawValue)
                text.member("webhookWaiting", delivery.waiting)
                text.member("webhookDropped", delivery.dropped)
            }
        }
    }

    private mutating func append(_ entry: AlertCare.Entry) {
        object { text in
            text.member("state", entry.change.rawValue)
            if !entry.group.isEmpty { text.member("group", entry.group) }
            if let value = entry.value { text.member("value") { $0.append(AttributeValue.double(value)) } }
            text.member("timeUs", entry.time / 1_000)
            if let happened = entry.happened { text.member("happenedUs", happened / 1_000) }
        }
    }
}
