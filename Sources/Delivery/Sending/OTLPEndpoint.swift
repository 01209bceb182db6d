import AstrolabePlatform
public import Foundation

/// The address that records are sent to, and the settings of its requests.
public struct OTLPEndpoint: Sendable, Hashable {
    /// The base URL; `/v1/traces`, `/v1/logs` and `/v1/metrics` are appended to its path.
    public var url: URL
    /// Headers of every request, such as an API key. Their values never appear in a description or a log.
    public var headers: [String: String]
    /// Timeout of a whole request, in seconds. Default 10, as in the OpenTelemetry specification.
    public var timeout: Duration = .seconds(10)
    /// Whether bodies are compressed with gzip. Default true.
    public var isCompressed = true

    /// Creates an endpoint at a base address.
    public init(url: URL, headers: [String: String] = [:]) {
        self.url = url
        self.headers = headers
    }

    /// Sets a header by its lowercase name and replaces a header whose name differs only in case.
    package mutating func setHeader(_ name: String, to value: String) {
        headers.setHeader(name.lowercased(), to: value)
    }

    /// Scheme, host, port and path, without the user, password and query, which may contain a key.
    package var place: String {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return "(invalid URL)" }
        parts.user = nil
        parts.password = nil
        parts.query = nil
        parts.fragment = nil
        return parts.string ?? "(invalid URL)"
    }

    /// Whether the host is `localhost` or an address of the loopback interface, which needs no network.
    package var isOnThisMachine: Bool {
        guard let host = url.host?.lowercased() else { return false }
        return host == "localhost" || host == "::1" || host == "[::1]" || host.hasPrefix("127.")
    }

    func url(forSignal path: String) -> URL {
        url.appendingPathComponent("v1/" + path)
    }
}

extension OTLPEndpoint: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String {
        let names = headers.keys.sorted().map { "\($0): (hidden)" }.joined(separator: ", ")
        return "OTLPEndpoint(\(place), headers: [\(names)], timeout: \(timeout.seconds) s)"
    }

    public var debugDescription: String { description }

    public var customMirror: Mirror { Mirror(self, children: ["place": place, "timeout": timeout]) }
}

extension [String: String] {
    /// Sets a header and replaces those whose names differ only in case.
    mutating func setHeader(_ name: String, to value: String) {
        for other in keys where other.lowercased() == name.lowercased() { self[other] = nil }
        self[name] = value
    }
}
