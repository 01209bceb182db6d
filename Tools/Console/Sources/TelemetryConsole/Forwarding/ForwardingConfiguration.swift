package import AstrolabeDelivery

/// Where the console sends the requests that it receives, and how much may wait for that.
package struct ForwardingConfiguration: Sendable {
    /// The upstream endpoint of OTLP/HTTP and the headers of each request to it.
    package var endpoint: OTLPEndpoint
    /// The file of the queue.
    package var queuePath: String
    /// The size of the requests that may wait, in bytes. The oldest are dropped beyond it. The default is 256 MiB.
    package var queueBytes = 256 << 20

    package init(endpoint: OTLPEndpoint, queuePath: String) {
        self.endpoint = endpoint
        self.queuePath = queuePath
    }
}
