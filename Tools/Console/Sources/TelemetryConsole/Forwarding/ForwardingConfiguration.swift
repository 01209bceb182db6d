package import AstrolabeDelivery
import Foundation
import ServerSupport

/// The server to which the console sends the requests that it receives, and the limits of what may wait for that.
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

extension ConsoleConfiguration {
    /// Checks that the upstream endpoint is not this console by its name and port. ``ForwardingHops`` find the other
    /// ways of a request back to it.
    func checkForwarding() throws(ConsoleError) {
        guard let endpoint = forwarding?.endpoint, let name = endpoint.url.host?.lowercased() else { return }
        let target = name.trimmingCharacters(in: ["[", "]"])
        let usualPort = endpoint.url.scheme?.lowercased() == "https" ? 443 : 80
        let targetPort = endpoint.url.port ?? usualPort
        let isProxied = publicNames.contains(target) && targetPort == usualPort
        guard isProxied || (targetPort == port && isOwn(target)) else { return }
        throw .forwardsToItself(endpoint: endpoint.place)
    }

    private func isOwn(_ target: String) -> Bool {
        let everyAddress = ["0.0.0.0", "::"]
        let names = [host.lowercased(), target]
        if names[0] == names[1] { return true }
        guard names.allSatisfy({ RequestOrigin.isLoopback($0) || everyAddress.contains($0) }) else { return false }
        // Two loopback addresses may belong to two programs.
        return names.contains { everyAddress.contains($0) || $0.hasSuffix("localhost") }
    }
}
