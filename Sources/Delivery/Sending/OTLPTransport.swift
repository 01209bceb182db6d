public import Foundation

/// One HTTP request that carries OTLP.
public struct OTLPRequest: Sendable {
    public var url: URL
    public var headers: [String: String]
    public var body: [UInt8]
    /// Seconds for all of it.
    public var timeout: Double

    public init(url: URL, headers: [String: String], body: [UInt8], timeout: Double) {
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
    }
}

/// Sends a request and tells how that ended: `TelemetryConfiguration.transport`.
///
/// For an app whose requests go another way than `URLSession` as it comes, through a session that pins certificates or
/// a proxy. It sends once, for delivery owns retry. It follows no redirect, and takes a success that is a page for
/// people, as a portal's, for no answer. It ends within the request's time-out and with its task, for delivery has one
/// request on its way at a time. `TransportConformance` of `AstrolabeTesting` holds it against this.
public protocol OTLPTransport: Sendable {
    func send(_ request: OTLPRequest) async -> SendResult
}
