import AstrolabeSemantics
public import Foundation

/// An HTTP request that carries OTLP.
public struct OTLPRequest: Sendable {
    /// The address of the signal's endpoint, such as `https://collector.example/v1/traces`.
    public var url: URL
    /// The header fields, `Content-Type`, `User-Agent` and credentials among them.
    public var headers: [String: String]
    /// The encoded message, compressed if the headers say so.
    public var body: [UInt8]
    /// Timeout of the whole request, in seconds.
    public var timeout: Duration
    /// True if it may be sent over an expensive path, such as cellular. The policy decides it.
    public var allowsExpensivePath = true
    /// True if it may be sent over a path in Low Data Mode.
    public var allowsConstrainedPath = true
    /// Accepts a success with an HTML body as a response. Default false: it is an intermediary's. True for a webhook,
    /// whose receiver may respond with any type.
    package var acceptsPages = false

    /// The value of `User-Agent`, in the form that OpenTelemetry's specification gives for exporters of OTLP:
    /// https://opentelemetry.io/docs/specs/otel/protocol/exporter/#user-agent
    package static let userAgent = "OTel-OTLP-Exporter-Swift/\(SDKVersion.current)"

    /// - Parameter headers: The header fields. Without a `User-Agent`, ``userAgent`` is added.
    package init(url: URL, headers: [String: String], body: [UInt8], timeout: Duration) {
        self.url = url
        self.headers = headers
        if !headers.keys.contains(where: { $0.lowercased() == "user-agent" }) {
            self.headers["User-Agent"] = Self.userAgent
        }
        self.body = body
        self.timeout = timeout
    }
}

/// Sends a request and returns its result. Set it as `TelemetryConfiguration.transport`.
///
/// Implement this to use certificate pinning or a proxy. `TransportConformance` of `AstrolabeTesting` checks these
/// rules:
///
/// - Send once: delivery owns retry.
/// - Do not follow redirects, and treat a 2xx HTML page (such as a captive portal) as unreachable.
/// - Do not use an expensive or constrained path that the request forbids, if the path changes while it is sent.
/// - Return within the request's timeout and when the task is cancelled: delivery has one request in flight at a time.
///   It stops waiting 5 seconds after the timeout, or a second after a cancellation, and sends the records again later.
public protocol OTLPTransport: Sendable {
    /// Sends a request once.
    func send(_ request: OTLPRequest) async -> SendResult
}
