import AstrolabeDelivery
import AstrolabeSemantics
import Foundation
import TelemetryBoards
import TelemetryQuery

/// Posts alerts. An address never reaches a log or a page, because it may be a secret.
///
/// Every viewer can save a board with a webhook, but the console must be no means to find servers near it. So the
/// operator says where posts may go, and a page does not say what a receiver answered.
struct WebhookSender: Sendable {
    enum Outcome: Hashable, Sendable {
        case delivered
        case unconfigured(variable: String)
        case status(Int)
        case unreachable
        /// The operator has not permitted the host and port.
        case forbidden

        /// The result as viewers see it.
        var shown: String { self == .delivered ? "delivered" : "failed" }

        /// The result as the log has it.
        var reason: String {
            switch self {
            case .delivered: "delivered"
            case .unconfigured(let variable):
                "expected an https address in the environment variable \(variable)"
            case .status(let status): "the receiver answered with status \(status)"
            case .unreachable: "the receiver cannot be reached"
            case .forbidden: "the host and port of its webhook are not among those of --webhook-host"
            }
        }
    }

    /// The receivers that are permitted, as `host` for the usual port or as `host:port`. If there are none, an address
    /// from the environment is permitted, and one in a file is not.
    var hosts: Set<String> = []
    /// The pauses before the second and the third attempt.
    var pauses: [Duration] = [.seconds(1), .seconds(5)]
    var timeout: Duration = .seconds(5)
    var transport: any OTLPTransport = URLSessionTransport()
    var environment: @Sendable (String) -> String? = { ProcessInfo.processInfo.environment[$0] }

    /// Posts a message, up to three times. A redirection is not followed.
    func post(_ message: AlertMessage, to address: WebhookAddress) async -> Outcome {
        let url: URL
        switch address {
        case .loopback(let text):
            guard let parsed = URL(string: text), permits(parsed, ifNoHosts: false) else { return .forbidden }
            url = parsed
        case .variable(let name):
            guard let parsed = environment(name).flatMap({ URL(string: $0) }), parsed.host != nil,
                parsed.scheme == "https" || parsed.host == "127.0.0.1"
            else { return .unconfigured(variable: name) }
            guard permits(parsed, ifNoHosts: true) else { return .forbidden }
            url = parsed
        }
        guard let body = try? message.json() else { return .unreachable }
        var outcome = await attempt(url, body)
        for pause in pauses where outcome.isWorthAnotherTry {
            do { try await Task.sleep(for: pause) } catch { return outcome }
            outcome = await attempt(url, body)
        }
        return outcome
    }

    private static let userAgent = "astrolabe-console/\(SDKVersion.current)"

    private func permits(_ url: URL, ifNoHosts: Bool) -> Bool {
        guard !hosts.isEmpty else { return ifNoHosts }
        guard let host = url.host?.lowercased() else { return false }
        let usualPort = url.scheme == "https" ? 443 : 80
        let port = url.port ?? usualPort
        return hosts.contains("\(host):\(port)") || (port == usualPort && hosts.contains(host))
    }

    private func attempt(_ url: URL, _ body: Data) async -> Outcome {
        var request = OTLPRequest(
            url: url, headers: ["Content-Type": "application/json", "User-Agent": Self.userAgent], body: Array(body),
            timeout: timeout, )
        request.acceptsPages = true
        guard case .response(let status, _, _) = await transport.send(request) else { return .unreachable }
        return (200..<300).contains(status) ? .delivered : .status(status)
    }
}

extension WebhookSender.Outcome {
    fileprivate var isWorthAnotherTry: Bool {
        switch self {
        case .delivered, .unconfigured, .forbidden: false
        case .status(let status): status == 429 || status >= 500
        case .unreachable: true
        }
    }
}

/// What a webhook gets.
struct AlertMessage: Encodable, Sendable {
    /// The change in words, under the name that chat services show.
    let text: String
    let alert: String
    let board: String
    /// `fired`, `recovered` or `unknown`.
    let state: String
    let value: Double?
    let group: String?
    let threshold: String
    let query: String
    /// When the state began, in microseconds since 1970.
    let sinceUs: Int64?

    init(_ change: AlertMonitor.Change) {
        let (rule, state) = (change.status.rule, change.status.state)
        let value = state.reading.map { rule.quantity($0.value) ?? String(format: "%g", $0.value) } ?? "no value"
        let subject = state.reading.flatMap { $0.group.isEmpty ? nil : " for \($0.group)" } ?? ""
        text =
            switch change.change {
            case .fired: "\(rule.name): \(value)\(subject), \(rule.thresholdDescription)"
            case .recovered: "\(rule.name): recovered, \(value)\(subject)"
            case .unknown: "\(rule.name): unknown. \(state.failure ?? "")"
            }
        alert = rule.name
        board = change.status.board
        self.state = change.change.rawValue
        self.value = state.reading?.value
        group = state.reading.flatMap { $0.group.isEmpty ? nil : $0.group }
        threshold = rule.thresholdDescription
        query = rule.question.description
        sinceUs = state.since.map { $0 / 1_000 }
    }

    func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }
}
