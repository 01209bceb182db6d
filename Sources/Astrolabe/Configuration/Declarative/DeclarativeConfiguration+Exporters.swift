import AstrolabeDelivery
import AstrolabeRecording
import AstrolabeTelemetryModel
import Foundation

extension DeclarativeConfiguration {
    /// The exporter of one signal.
    private struct SignalExporter {
        /// The last part of the address, as in `/v1/traces`.
        let signal: String
        let node: ConfigurationNode
    }

    /// Sets the endpoint, its headers and its settings, and the intervals.
    ///
    /// The SDK sends all signals to one endpoint. Addresses that differ are an error, because records would reach a
    /// server that the file does not name. Other differences are reported, and the first signal's value holds.
    mutating func readExporters(_ configuration: inout TelemetryConfiguration) throws(ConfigurationError) {
        var exporters: [SignalExporter] = []
        var delays: [ConfigurationNode] = []
        for (provider, signal) in [("tracer_provider", "traces"), ("logger_provider", "logs")] {
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
            add(reader["periodic"]?["exporter"], "metrics", to: &exporters)
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

    private mutating func add(_ node: ConfigurationNode?, _ signal: String, to exporters: inout [SignalExporter]) {
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
        let base = try address(first)
        var endpoint = OTLPEndpoint(url: base, headers: [:])
        for (name, value) in try headers(first.node) { endpoint.headers[name] = value }
        if let timeout = first.node["timeout"]?.integer { endpoint.timeout = .milliseconds(timeout) }
        if let compression = first.node["compression"]?.text { endpoint.isCompressed = compression == "gzip" }
        for other in exporters.dropFirst() {
            guard try address(other) == base else {
                throw error(
                    other.node["endpoint"] ?? other.node,
                    "expected the same address as for \(first.signal), with /v1/\(other.signal) at its end. "
                        + "The SDK sends all signals to one endpoint.", )
            }
            if try headers(other.node) != endpoint.headers {
                note(other.node["headers"] ?? other.node, differs("headers", from: first.signal))
            }
            for key in ["timeout", "compression"] where value(key, other.node) != value(key, first.node) {
                note(other.node[key] ?? other.node, differs(key, from: first.signal))
            }
        }
        for exporter in exporters { readEncoding(exporter.node, &configuration) }
        configuration.endpoint = endpoint
    }

    private func differs(_ key: String, from signal: String) -> String {
        "\(key) differs from that of \(signal), which holds for all signals. It is ignored."
    }

    private func value(_ key: String, _ node: ConfigurationNode) -> String? {
        node[key].flatMap { $0.text ?? $0.integer.map(String.init) }
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

    /// The address without the signal's path.
    private func address(_ exporter: SignalExporter) throws(ConfigurationError) -> URL {
        let suffix = "/v1/" + exporter.signal
        let node = exporter.node["endpoint"]
        let text = node?.text ?? "http://localhost:4318" + suffix
        guard text.hasSuffix(suffix), let url = ConfigurationValues.httpURL(String(text.dropLast(suffix.count))) else {
            throw error(node ?? exporter.node, "expected an address such as https://collector.example:4318\(suffix)")
        }
        return url
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
