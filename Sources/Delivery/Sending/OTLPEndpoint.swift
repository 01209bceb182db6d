public import Foundation

/// Where records are sent, and how.
public struct OTLPEndpoint: Sendable, Hashable {
    /// The base address; `/v1/traces`, `/v1/logs` and `/v1/metrics` are appended to its path.
    public var url: URL
    /// Headers of every request, such as an API key. Their values never appear in a description or a log.
    public var headers: [String: String]
    /// Seconds for a whole request. Default 10, the specification's.
    public var timeout: Double = 10
    /// Whether bodies are compressed with gzip. Default true.
    public var isCompressed = true

    public init(url: URL, headers: [String: String] = [:]) {
        self.url = url
        self.headers = headers
    }

    /// Whether it is reached without any network: `localhost`, or an address of the loopback interface.
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
        return "OTLPEndpoint(\(url.absoluteString), headers: [\(names)], timeout: \(timeout) s)"
    }

    public var debugDescription: String { description }

    public var customMirror: Mirror { Mirror(self, children: ["url": url, "timeout": timeout]) }
}
