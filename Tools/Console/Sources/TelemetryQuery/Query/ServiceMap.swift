/// The calls between services, from the spans of a time.
package struct ServiceMap: Hashable, Sendable {
    package var window: TimeWindow
    /// By name.
    package var nodes: [ServiceNode]
    /// By the names of caller and callee.
    package var edges: [ServiceEdge]
    /// Server spans, each counted once, whose parent is not among the spans of the time.
    package var spansWithoutCaller: Int

    package init(window: TimeWindow, nodes: [ServiceNode], edges: [ServiceEdge], spansWithoutCaller: Int) {
        self.window = window
        self.nodes = nodes
        self.edges = edges
        self.spansWithoutCaller = spansWithoutCaller
    }

    private static let deviceFields = [
        "resource.app.installation.id", "resource.device.model.identifier", "resource.device.model.name",
        "resource.device.manufacturer",
    ]

    /// The value that only the resource of a device has. A backend's spans may name the phone that they serve.
    static let device = Expression.coalesce(deviceFields.map { .field($0) })

    /// The fields of spans that the map is made from.
    package static let fields = Set(
        deviceFields + [
            "service.name", "kind", "status", "span.id", "parent.id", "duration", "db.system.name", "server.address",
            "server.port", "url.full",
        ])
}

/// The host and the port of a URL such as `https://shop.example:8443/api/cart`.
struct URLAuthority {
    let host: String
    let port: String?

    /// - Returns: `nil` for a text that is not an absolute URL with a host.
    init?(_ url: String) {
        let parts = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].hasSuffix(":"), parts[1].isEmpty else { return nil }
        let authority = parts[2].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let place = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        // The colons of an IPv6 address are in brackets.
        if let colon = place.lastIndex(of: ":"), !place[colon...].contains("]") {
            host = String(place[..<colon])
            let digits = place[place.index(after: colon)...]
            port = digits.isEmpty ? nil : String(digits)
        } else {
            host = String(place)
            port = nil
        }
        if host.isEmpty { return nil }
    }
}

package struct ServiceNode: Hashable, Sendable {
    package enum Kind: String, Sendable {
        /// A service whose resource names an installation or a model, as a phone's does.
        case device
        case service
        /// A database that only its clients report.
        case database
        /// A host that only its clients report.
        case host
    }

    package var name: String
    package var kind: Kind
    /// Of the requests that the node handles, as it reports them; of its callers' spans if it reports none.
    package var handled: CallNumbers
    /// Of the requests that the node makes.
    package var made: CallNumbers

    package init(name: String, kind: Kind, handled: CallNumbers, made: CallNumbers) {
        self.name = name
        self.kind = kind
        self.handled = handled
        self.made = made
    }
}

package struct ServiceEdge: Hashable, Sendable {
    package var from: String
    package var to: String
    package var toKind: ServiceNode.Kind
    /// As the caller reports them: with the time on the network, and with the requests that never arrived.
    package var calls: CallNumbers

    package init(from: String, to: String, toKind: ServiceNode.Kind, calls: CallNumbers) {
        self.from = from
        self.to = to
        self.toKind = toKind
        self.calls = calls
    }
}

/// Numbers of requests, re-weighted by their sampling probability.
package struct CallNumbers: Hashable, Sendable {
    package var count = 0.0
    package var errors = 0.0
    /// Nanoseconds; `nil` without a request.
    package var p99: Double?

    package init(count: Double = 0, errors: Double = 0, p99: Double? = nil) {
        self.count = count
        self.errors = errors
        self.p99 = p99
    }
}
