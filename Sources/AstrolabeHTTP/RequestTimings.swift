import Astrolabe
import AstrolabeSemantics
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The attributes of a request's span from `URLSessionTaskMetrics`.
///
/// Foundation on Linux has the type and never delivers it.
struct RequestTimings: Sendable {
    /// When a phase started and ended; `nil` if it did not take place, as on a reused connection.
    typealias Phase = (start: Date?, end: Date?)

    var lookup: Phase
    var connect: Phase
    var handshake: Phase
    /// From the request's first byte to the response's first byte.
    var firstByte: Phase
    /// As ALPN names it: `http/1.1`, `h2`, `h3`.
    var protocolName: String?
    var peerAddress: String?
    var peerPort: Int?
    var isReused = false

    var attributes: Attributes {
        var attributes: Attributes = [AttributeKey.astrolabeHTTPConnectionIsReused: isReused]
        let phases = [
            (AttributeKey.astrolabeHTTPLookupDuration, lookup), (AttributeKey.astrolabeHTTPConnectDuration, connect),
            (AttributeKey.astrolabeHTTPHandshakeDuration, handshake),
            (AttributeKey.astrolabeHTTPFirstByteDuration, firstByte),
        ]
        for (key, phase) in phases {
            guard let start = phase.start, let end = phase.end, end >= start else { continue }
            attributes[key] = .double(end.timeIntervalSince(start))
        }
        if let version = protocolName.flatMap(Self.version) {
            attributes[AttributeKey.networkProtocolVersion] = .string(version)
        }
        if let peerAddress { attributes[AttributeKey.networkPeerAddress] = .string(peerAddress) }
        if let peerPort { attributes[AttributeKey.networkPeerPort] = AttributeValue(peerPort) }
        return attributes
    }

    /// The version as the conventions write it: `1.1`, `2`, `3`; `nil` for what is not HTTP.
    private static func version(_ name: String) -> String? {
        let name = name.lowercased()
        if name.hasPrefix("http/") { return String(name.dropFirst("http/".count)) }
        return name.hasPrefix("h") && name.dropFirst().first?.isNumber == true ? String(name.dropFirst()) : nil
    }
}

extension RequestTimings {
    /// The last transaction that used the network: after redirects, the one whose response counts.
    init?(_ metrics: URLSessionTaskMetrics) {
        guard let last = metrics.transactionMetrics.last(where: { $0.resourceFetchType == .networkLoad }) else {
            return nil
        }
        self.init(
            lookup: (last.domainLookupStartDate, last.domainLookupEndDate),
            connect: (last.connectStartDate, last.connectEndDate),
            handshake: (last.secureConnectionStartDate, last.secureConnectionEndDate),
            firstByte: (last.requestStartDate, last.responseStartDate), protocolName: last.networkProtocolName,
            peerAddress: last.remoteAddress, peerPort: last.remotePort.map { Int("\($0)") } ?? nil,
            isReused: last.isReusedConnection,
        )
    }
}
