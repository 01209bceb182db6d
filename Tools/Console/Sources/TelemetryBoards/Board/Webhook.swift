/// The receiver of an alert's notices.
///
/// The address of a hosted service is a secret, so a file names an environment variable that has it.
package struct Webhook: Hashable, Sendable {
    package enum Address: Hashable, Sendable {
        /// The name of an environment variable.
        case variable(String)
        /// An address of this machine, without a user. The console posts to it only if its operator permits the port.
        case loopback(String)
    }

    package enum Format: String, CaseIterable, Codable, Sendable {
        /// The members that `Docs/Internals/ConsoleAPI.md` lists.
        case json
        /// A message of an incoming webhook of Slack.
        case slack
        /// An Adaptive Card for a workflow of Microsoft Teams.
        case teams
        /// An event of PagerDuty's Events API v2. The routing key is the fragment of the address.
        case pagerduty

        /// The format of a hosted service.
        package init(host: String?) {
            let host = host?.lowercased() ?? ""
            func isBelow(_ domains: String...) -> Bool { domains.contains { host.hasSuffix("." + $0) } }
            if isBelow("slack.com", "slack-gov.com") {
                self = .slack
            } else if isBelow("webhook.office.com", "logic.azure.com", "api.powerplatform.com") {
                self = .teams
            } else if isBelow("pagerduty.com") {
                self = .pagerduty
            } else {
                self = .json
            }
        }
    }

    package var address: Address
    /// The format of the notices; `nil` for that of the address's host.
    package var format: Format?

    package init(_ address: Address, format: Format? = nil) {
        self.address = address
        self.format = format
    }

    package static func variable(_ name: String) -> Webhook { Webhook(.variable(name)) }
    package static func loopback(_ address: String) -> Webhook { Webhook(.loopback(address)) }

    /// The address as it is in a file.
    package var text: String {
        switch address {
        case .variable(let name): "$" + name
        case .loopback(let address): address
        }
    }
}

/// A webhook is coded as its text, after its format if it has one: `slack $CHECKOUT_WEBHOOK`.
extension Webhook: Codable, CustomStringConvertible {
    package var description: String { format.map { "\($0.rawValue) \(text)" } ?? text }

    package init(from decoder: any Decoder) throws {
        var text = try decoder.singleValueContainer().decode(String.self)[...]
        if let space = text.firstIndex(of: " "), let format = Format(rawValue: String(text[..<space])) {
            self.format = format
            text = text[space...].dropFirst()
        }
        address = text.hasPrefix("$") ? .variable(String(text.dropFirst())) : .loopback(String(text))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
