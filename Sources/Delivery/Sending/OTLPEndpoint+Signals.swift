package import AstrolabeTelemetryModel
public import Foundation

extension OTLPEndpoint {
    /// The settings that differ for the requests of one signal. `nil` is the endpoint's.
    public struct Signal: Sendable, Equatable {
        /// The address, to which nothing is appended.
        public var url: URL?
        /// The headers, in the place of the endpoint's.
        public var headers: [String: String]?
        /// Timeout of a whole request, in seconds.
        public var timeout: Duration?
        /// Compresses bodies with gzip.
        public var isCompressed: Bool?

        /// Creates settings that change nothing.
        public init() {}
    }

    /// The address of the requests with records of a kind.
    package func url(for kind: RecordKind) -> URL {
        guard let own = self[kind].url else { return url.appendingPathComponent("v1/" + kind.signal) }
        guard own.path.isEmpty, var parts = URLComponents(url: own, resolvingAgainstBaseURL: true) else { return own }
        parts.path = "/"
        return parts.url ?? own
    }

    func headers(for kind: RecordKind) -> [String: String] { self[kind].headers ?? headers }
    func timeout(for kind: RecordKind) -> Duration { self[kind].timeout ?? timeout }
    func isCompressed(for kind: RecordKind) -> Bool { self[kind].isCompressed ?? isCompressed }

    /// Returns true if requests with records of a kind go to the scheme, host and port of the endpoint's own address.
    func isAtOrigin(_ kind: RecordKind) -> Bool { Self.origin(of: self.url(for: kind)) == Self.origin(of: url) }

    /// Scheme, host and port, such as `https://collector.example:443`.
    static func origin(of url: URL) -> String {
        let scheme = url.scheme?.lowercased() ?? ""
        return "\(scheme)://\(url.host?.lowercased() ?? ""):\(url.port ?? (scheme == "https" ? 443 : 80))"
    }

    private subscript(_ kind: RecordKind) -> Signal {
        switch kind {
        case .span: traces
        case .event: logs
        case .metric: metrics
        }
    }
}

extension OTLPEndpoint.Signal: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Without the values of headers, which may hold keys.
    public var description: String {
        let names = headers.map { Array($0.keys).sorted().map { "\($0): (hidden)" }.joined(separator: ", ") }
        return "Signal(\(url.map(OTLPEndpoint.place) ?? "default"), headers: [\(names ?? "default")])"
    }

    public var debugDescription: String { description }

    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension RecordKind {
    /// The signal's name, which is the last path component that OTLP/HTTP defines for it.
    var signal: String {
        switch self {
        case .span: "traces"
        case .event: "logs"
        case .metric: "metrics"
        }
    }
}
