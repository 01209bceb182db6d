import Astrolabe
import AstrolabeDelivery
import AstrolabeRecording
import AstrolabeTelemetryModel
import Foundation

extension DeclarativeConfiguration {
    private enum SignalName: String, CaseIterable {
        case traces, logs, metrics

        /// The end of the usual address.
        var path: String { "/v1/" + rawValue }
    }

    /// The exporter of one signal.
    private struct SignalExporter {
        let signal: SignalName
        let node: ConfigurationNode
    }

    /// The settings of an exporter's requests.
    private struct Requests {
        let url: URL
        let headers: [String: String]
        let timeout: Duration
        let isCompressed: Bool
    }

    /// Sets the endpoint, its headers and its settings, what is different for a signal, and the intervals.
    mutating func readExporters(_ configuration: inout TelemetryConfiguration) throws(ConfigurationError) {
        var exporters: [SignalExporter] = []
        var delays: [ConfigurationNode] = []
        for (provider, signal) in [("tracer_provider", SignalName.traces), ("logger_provider", .logs)] {
            for processor in root[provider]?["processors"]?.elements ?? [] {
                for kind in processor.members {
                    if kind.key == "simple" { note(kind.node, "records are sent in batches, as by batch.") }
                    if let delay = kind.node["schedule_delay"] { delays.append(delay) }
                    add(kind.node["exporter"], signal, to: &exporters)
                }
            }
        }
        var intervals: [ConfigurationNode] = []
        for reader in root["meter_provider"]?["readers"]?.elements ?? [] {
            if let interval = reader["periodic"]?["interval"] { intervals.append(interval) }
            add(reader["periodic"]?["exporter"], .metrics, to: &exporters)
        }
        if let delay = smallest(delays, "spans and log records are sent together, after the smaller delay.") {
            configuration.flushInterval = .milliseconds(delay)
        }
        if let interval = smallest(intervals, "all metrics are collected together, after the smallest interval.") {
            configuration.metricInterval = .milliseconds(interval)
        }
        for node in delays + intervals where node.integer.map({ $0 < 50 || $0 > 86_400_000 }) ?? false {
            note(node, "intervals are at least 50 ms and at most a day in this SDK.")
        }
        try setEndpoint(exporters, &configuration)
    }

    private mutating func add(_ node: ConfigurationNode?, _ signal: SignalName, to exporters: inout [SignalExporter]) {
        guard let http = node?.members.first(where: { $0.key == "otlp_http" })?.node else { return }
        if exporters.contains(where: { $0.signal == signal }) {
            note(http, "a signal has one exporter in this SDK. This one is ignored.")
        } else {
            exporters.append(SignalExporter(signal: signal, node: http))
        }
    }

    private mutating func setEndpoint(
        _ exporters: [SignalExporter], _ configuration: inout TelemetryConfiguration,
    ) throws(ConfigurationError) {
        guard let first = exporters.first else {
            configuration.endpoint = nil
            if configuration.isEnabled { note(root, "no otlp_http exporter. Records stay on the device.") }
            return
        }
        // A signal without an exporter goes to the server of the first one.
        let requests = try self.requests(first)
        let base = base(of: requests.url, first.signal)
        var endpoint = OTLPEndpoint(url: base, headers: requests.headers)
        endpoint.timeout = requests.timeout
        endpoint.isCompressed = requests.isCompressed
        for exporter in exporters {
            let own = try signal(exporter, of: endpoint)
            switch exporter.signal {
            case .traces: endpoint.traces = own
            case .logs: endpoint.logs = own
            case .metrics: endpoint.metrics = own
            }
            readEncoding(exporter.node, &configuration)
        }
        configuration.endpoint = endpoint
    }

    /// The settings that differ for a signal.
    private func signal(
        _ exporter: SignalExporter, of endpoint: OTLPEndpoint,
    ) throws(ConfigurationError) -> OTLPEndpoint.Signal {
        let requests = try self.requests(exporter)
        var signal = OTLPEndpoint.Signal()
        let usual = endpoint.url.appendingPathComponent("v1/" + exporter.signal.rawValue)
        if requests.url.absoluteString != usual.absoluteString { signal.url = requests.url }
        if requests.headers != endpoint.headers { signal.headers = requests.headers }
        if requests.timeout != endpoint.timeout { signal.timeout = requests.timeout }
        if requests.isCompressed != endpoint.isCompressed { signal.isCompressed = requests.isCompressed }
        return signal
    }

    private func requests(_ exporter: SignalExporter) throws(ConfigurationError) -> Requests {
        let node = exporter.node
        let url = try address(exporter)
        // What is absent has the default of an endpoint, also if another signal has a value.
        let standard = OTLPEndpoint(url: url)
        return Requests(
            url: url, headers: try headers(node),
            timeout: node["timeout"]?.integer.map { .milliseconds($0) } ?? standard.timeout,
            isCompressed: node["compression"]?.text.map { $0 == "gzip" } ?? standard.isCompressed)
    }

    private mutating func readEncoding(_ node: ConfigurationNode, _ configuration: inout TelemetryConfiguration) {
        if let encoding = node["encoding"], encoding.text != "protobuf" {
            note(encoding, "this SDK encodes as protobuf only. It is ignored.")
        }
        if let text = node["default_histogram_aggregation"]?.text,
            let aggregation = HistogramAggregation(rawValue: text)
        {
            configuration.histogramAggregation = aggregation
        }
        switch node["temporality_preference"]?.text {
        case "cumulative": configuration.metricTemporality = .cumulative
        case "delta": configuration.metricTemporality = .delta
        default:
            if let other = node["temporality_preference"] {
                note(other, "this SDK follows cumulative and delta only. It is ignored.")
            }
        }
    }

    /// The address of a signal's requests. It has a path, which is not that of another signal.
    private func address(_ exporter: SignalExporter) throws(ConfigurationError) -> URL {
        let path = exporter.signal.path
        let node = exporter.node["endpoint"]
        let others = SignalName.allCases.filter { $0 != exporter.signal }
        guard let url = URL(httpAddress: node?.text ?? "http://localhost:4318" + path), !url.path.isEmpty,
            !others.contains(where: { url.path.hasSuffix($0.path) })
        else {
            throw error(node ?? exporter.node, "expected an address such as https://collector.example:4318\(path)")
        }
        return url
    }

    /// The address without the signal's path. If that is not the usual one, the server's address.
    private func base(of url: URL, _ signal: SignalName) -> URL {
        let text = url.absoluteString
        if text.hasSuffix(signal.path), let base = URL(string: String(text.dropLast(signal.path.count))) { return base }
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return url }
        parts.path = ""
        parts.query = nil
        parts.fragment = nil
        return parts.url ?? url
    }

    /// The headers by lowercase name. `headers` is stronger than `headers_list`, as the specification says.
    private func headers(_ node: ConfigurationNode) throws(ConfigurationError) -> [String: String] {
        var headers: [String: String] = [:]
        if let list = node["headers_list"] {
            for (name, value) in try pairs(list) { headers[name.lowercased()] = value }
        }
        for element in node["headers"]?.elements ?? [] {
            guard let name = element["name"]?.text?.lowercased(), !name.isEmpty else {
                throw error(element["name"] ?? element, "expected the name of a header, found an empty string")
            }
            headers[name] = element["value"]?.text ?? ""
        }
        return headers
    }
}
