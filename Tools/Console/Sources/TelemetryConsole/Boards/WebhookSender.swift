import AstrolabeDelivery
import AstrolabeSemantics
import Foundation
import TelemetryBoards

/// Posts notices. An address never reaches a log or a page, because it may be a secret.
///
/// Every viewer can save a board with a webhook, but the console must be no means to find servers near it. So the
/// operator says where posts may go, and a page does not say what a receiver answered.
struct WebhookSender: Sendable {
    enum Outcome: Hashable, Sendable {
        case delivered
        case unconfigured(variable: String)
        /// The address has no routing key of PagerDuty.
        case keyless
        /// A redirection is not followed, because it would take the notice to a host that is not permitted.
        case redirected(status: Int)
        case status(Int, retryAfter: Duration? = nil)
        case timedOut
        case unreachable
        /// The operator has not permitted the host and port.
        case forbidden

        /// The result as the log has it.
        var reason: String {
            switch self {
            case .delivered: "delivered"
            case .unconfigured(let variable):
                "expected an https address in the environment variable \(variable)"
            case .keyless: "expected # and the routing key at the end of the address"
            case .redirected(let status):
                "the receiver redirects with status \(status), which is not followed; name the address behind it"
            case .status(let status, _): "the receiver answered with status \(status)"
            case .timedOut: "the receiver did not answer in time"
            case .unreachable: "the receiver cannot be reached"
            case .forbidden: "the host and port of its webhook are not among those of --webhook-host"
            }
        }
    }

    /// The receivers that are permitted, as `host` for the usual port or as `host:port`. If there are none, an address
    /// from the environment is permitted, and one in a file is not.
    var hosts: Set<String> = []
    var timeout: Duration = .seconds(5)
    var transport: any OTLPTransport = URLSessionTransport()
    var environment: @Sendable (String) -> String? = { ProcessInfo.processInfo.environment[$0] }

    /// Posts a notice, once.
    ///
    /// - Parameter notice: The JSON of an ``AlertMessage``.
    func post(_ notice: String, to webhook: Webhook) async -> Outcome {
        let url: URL
        switch webhook.address {
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
        let format = webhook.format ?? Webhook.Format(host: url.host)
        let key = url.fragment ?? ""
        guard format != .pagerduty || !key.isEmpty else { return .keyless }
        var parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
        parts?.fragment = nil
        var request = OTLPRequest(
            url: parts?.url ?? url, headers: ["Content-Type": "application/json", "User-Agent": Self.userAgent],
            body: Array(AlertMessage.body(of: notice, as: format, routingKey: key).utf8), timeout: timeout)
        request.acceptsPages = true
        switch await transport.send(request) {
        case .response(200..<300, _, _): return .delivered
        case .response(let status, let retryAfter, _):
            return (300..<400).contains(status)
                ? .redirected(status: status) : .status(status, retryAfter: retryAfter)
        case .timedOut: return .timedOut
        case .unreachable: return .unreachable
        }
    }

    private static let userAgent = "astrolabe-console/\(SDKVersion.current)"

    private func permits(_ url: URL, ifNoHosts: Bool) -> Bool {
        guard !hosts.isEmpty else { return ifNoHosts }
        guard let host = url.host?.lowercased() else { return false }
        let usualPort = url.scheme == "https" ? 443 : 80
        let port = url.port ?? usualPort
        return hosts.contains("\(host):\(port)") || (port == usualPort && hosts.contains(host))
    }
}
