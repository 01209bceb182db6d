import AstrolabePlatform
public import Foundation

/// The address that records are sent to, and the settings of its requests.
///
///     var endpoint = OTLPEndpoint(url: collector, headers: ["x-api-key": key])
///     endpoint.metrics.url = URL(string: "https://metrics.example/otlp")
///     endpoint.metrics.headers = [:]
public struct OTLPEndpoint: Sendable, Equatable {
    /// The base URL; `/v1/traces`, `/v1/logs` and `/v1/metrics` are appended to its path.
    public var url: URL
    /// Headers of every request, such as an API key. Their values never appear in a description or a log.
    /// `OTEL_EXPORTER_OTLP_HEADERS`.
    public var headers: [String: String]
    /// Timeout of a whole request. Default 10 s, as in the OpenTelemetry specification.
    /// `OTEL_EXPORTER_OTLP_TIMEOUT`, in milliseconds.
    public var timeout: Duration = .seconds(10)
    /// Compresses bodies with gzip. Default true. `OTEL_EXPORTER_OTLP_COMPRESSION`: `gzip` or `none`.
    public var isCompressed = true
    /// The settings that differ for spans. `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` and the like.
    public var traces = Signal()
    /// The settings that differ for log records and events. `OTEL_EXPORTER_OTLP_LOGS_ENDPOINT` and the like.
    public var logs = Signal()
    /// The settings that differ for metrics. `OTEL_EXPORTER_OTLP_METRICS_ENDPOINT` and the like.
    public var metrics = Signal()

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
    package var place: String { Self.place(url) }

    static func place(_ url: URL) -> String {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return "(invalid URL)" }
        parts.user = nil
        parts.password = nil
        parts.query = nil
        parts.fragment = nil
        return parts.string ?? "(invalid URL)"
    }

    /// True if each host is `localhost` or an address of the loopback interface, which needs no network.
    package var isOnThisMachine: Bool {
        [url, traces.url, logs.url, metrics.url].allSatisfy { $0.map(Self.isOnThisMachine) ?? true }
    }

    private static func isOnThisMachine(_ url: URL) -> Bool {
        guard let host = url.host?.lowercased() else { return false }
        return host == "localhost" || host == "::1" || host == "[::1]" || host.hasPrefix("127.")
    }
}

extension OTLPEndpoint: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String {
        let names = Array(headers.keys).sorted().map { "\($0): (hidden)" }.joined(separator: ", ")
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
