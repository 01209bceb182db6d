import Foundation
import TelemetryBoards
import TelemetryQuery

/// The formats of hosted services.
///
/// Names, groups and errors come from telemetry, so they are text in each format: never a link, a mention or Markdown.
extension AlertMessage {
    /// Returns the body of a post. A notice that is no message is sent as it is.
    ///
    /// - Parameters:
    ///   - notice: The JSON of a message.
    ///   - routingKey: The key of a service in PagerDuty, which its events contain.
    static func body(of notice: String, as format: Webhook.Format, routingKey: String) -> String {
        let message = try? JSONDecoder().decode(AlertMessage.self, from: Data(notice.utf8))
        guard let message else { return notice }
        let body: String? =
            switch format {
            case .json: nil
            case .slack: try? encoded(SlackMessage(message))
            case .teams: try? encoded(TeamsMessage(message))
            case .pagerduty: try? encoded(PagerDutyEvent(message, routingKey: routingKey))
            }
        return body ?? notice
    }

    /// The change in words, without the link.
    fileprivate var words: String {
        guard let link, text.hasSuffix("\n" + link) else { return text }
        return String(text.dropLast(link.count + 1))
    }

    fileprivate var isEnd: Bool { AlertState.Change(rawValue: state)?.isEnd == true }

    /// The state as the first word of a message.
    fileprivate var title: String {
        switch state {
        case "fired": "Firing"
        case "recovered": "Recovered"
        case "unknown": "Unknown"
        default: "Known again"
        }
    }
}

extension String {
    /// The text, cut so that it has at most `limit` characters.
    fileprivate func cut(to limit: Int) -> String { count <= limit ? self : prefix(limit - 1) + "…" }
}

/// A message of Slack, of which notifications show `text` and the channel shows `blocks`.
private struct SlackMessage: Encodable {
    /// Words of others are `plain_text`, in which Slack makes no link, no mention and no format.
    struct Text: Encodable {
        var type = "plain_text"
        let text: String
    }

    struct Block: Encodable {
        let type: String
        var text: Text?
        var elements: [Text]?
    }

    /// Slack refuses a section of more than 3,000 characters.
    private static let longest = 2_800

    let text: String
    let mrkdwn = false
    let blocks: [Block]

    init(_ message: AlertMessage) {
        text = Self.escaped(message.words, atMost: Self.longest)
        let place = Text(text: "Board \(Self.escaped(message.board, atMost: 200))")
        let link = message.link.map { address in
            Text(type: "mrkdwn", text: "<\(Self.escaped(address, atMost: 1_000))|Open the alerts>")
        }
        blocks = [
            Block(type: "section", text: Text(type: "mrkdwn", text: "*\(message.title)*")),
            Block(type: "section", text: Text(text: text)),
            Block(type: "context", elements: [place] + (link.map { [$0] } ?? [])),
        ]
    }

    /// Returns a text in which nothing is a link or a mention, as long as it is with its escapes.
    private static func escaped(_ text: String, atMost limit: Int) -> String {
        var (escaped, length) = ("", 0)
        for scalar in text.unicodeScalars {
            let next =
                switch scalar {
                case "&": "&amp;"
                case "<": "&lt;"
                case ">": "&gt;"
                default: String(scalar)
                }
            length += next.count
            guard length < limit else { return escaped + "…" }
            escaped += next
        }
        return escaped
    }
}

/// A message of Microsoft Teams with an Adaptive Card. The runs of its texts are not Markdown.
private struct TeamsMessage: Encodable {
    struct Run: Encodable {
        let type = "TextRun"
        let text: String
        var weight: String?
        var color: String?
        var isSubtle: Bool?
    }

    struct Block: Encodable {
        let type = "RichTextBlock"
        let inlines: [Run]
    }

    struct Action: Encodable {
        let type = "Action.OpenUrl"
        let title = "Open the alerts"
        let url: String
    }

    struct Card: Encodable {
        let type = "AdaptiveCard"
        let schema = "http://adaptivecards.io/schemas/adaptive-card.json"
        let version = "1.4"
        /// Shown by clients that show no cards.
        let fallbackText: String
        let body: [Block]
        let actions: [Action]

        enum CodingKeys: String, CodingKey {
            case type, version, fallbackText, body, actions
            case schema = "$schema"
        }
    }

    struct Attachment: Encodable {
        let contentType = "application/vnd.microsoft.card.adaptive"
        let content: Card
    }

    /// Teams refuses messages of more than 28 KB.
    private static let longest = 2_800

    let type = "message"
    let attachments: [Attachment]

    init(_ message: AlertMessage) {
        let words = message.words.cut(to: Self.longest)
        let color = message.isEnd ? "Good" : message.state == "fired" ? "Attention" : "Warning"
        let card = Card(
            fallbackText: "\(message.title): \(words)",
            body: [
                Block(inlines: [Run(text: message.title, weight: "Bolder", color: color)]),
                Block(inlines: [Run(text: words)]),
                Block(inlines: [Run(text: "Board \(message.board.cut(to: 200))", isSubtle: true)]),
            ], actions: message.link.map { [Action(url: $0)] } ?? [])
        attachments = [Attachment(content: card)]
    }
}

/// An event of PagerDuty's Events API v2. The events of an incident have one key, so its end resolves it.
private struct PagerDutyEvent: Encodable {
    struct Payload: Encodable {
        let summary: String
        let source: String
        let severity: String
        let timestamp: String
        let `class`: String
        let group: String?
        let customDetails: AlertMessage

        enum CodingKeys: String, CodingKey {
            case summary, source, severity, timestamp, `class`, group
            case customDetails = "custom_details"
        }
    }

    struct Link: Encodable {
        let href: String
        let text = "Alerts of the console"
    }

    let routingKey: String
    let eventAction: String
    let dedupKey: String
    let client = "Astrolabe"
    let clientURL: String?
    let links: [Link]?
    /// `nil` for an end, which the key alone identifies.
    let payload: Payload?

    enum CodingKeys: String, CodingKey {
        case client, links, payload
        case routingKey = "routing_key"
        case eventAction = "event_action"
        case dedupKey = "dedup_key"
        case clientURL = "client_url"
    }

    init(_ message: AlertMessage, routingKey: String) {
        self.routingKey = routingKey
        eventAction = message.isEnd ? "resolve" : "trigger"
        dedupKey = message.incident
        clientURL = message.link
        links = message.link.map { [Link(href: $0)] }
        payload =
            message.isEnd
            ? nil
            : Payload(
                // PagerDuty refuses a summary of more than 1,024 characters.
                summary: message.words.cut(to: 1_024), source: "astrolabe/\(message.board)",
                severity: message.severity ?? "warning",
                timestamp: Timestamp.text(message.sinceUs * 1_000), class: message.alert, group: message.group,
                customDetails: message)
    }
}
