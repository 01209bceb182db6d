package import Foundation

/// One HTTP request that carries OTLP.
package struct OTLPRequest: Sendable {
    package var url: URL
    package var headers: [String: String]
    package var body: [UInt8]
    /// Seconds for all of it.
    package var timeout: Double

    package init(url: URL, headers: [String: String], body: [UInt8], timeout: Double) {
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
    }
}

/// Sends a request and tells how that ended. It never retries: `DeliveryService` owns that.
package protocol OTLPTransport: Sendable {
    func send(_ request: OTLPRequest) async -> SendResult
}
