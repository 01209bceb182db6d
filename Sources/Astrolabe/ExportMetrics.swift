import AstrolabeDelivery
import AstrolabeRecording
import AstrolabeSemantics
import AstrolabeTelemetryModel
import Foundation

/// Spans and log records whose export has ended, as the conventions count them.
///
/// Metrics are not counted: each export of a count would be the reason for another, and an idle app sends nothing.
struct ExportMetrics: Sendable {
    private let spans: Meter.Counter
    private let logs: Meter.Counter

    init(registry: MetricRegistry) {
        let meter = Meter(registry: registry, scope: InstrumentationScope.ofSDK("astrolabe.delivery"))
        spans = meter.counter(MetricName.exportedSpans, unit: "{span}")
        logs = meter.counter(MetricName.exportedLogRecords, unit: "{log_record}")
    }

    func record(_ outcome: ExportOutcome) {
        switch outcome.kind {
        case .span: spans.add(outcome.count, attributes: attributes(of: outcome, type: "otlp_http_span_exporter"))
        case .event: logs.add(outcome.count, attributes: attributes(of: outcome, type: "otlp_http_log_exporter"))
        case .metric: break
        }
    }

    private func attributes(of outcome: ExportOutcome, type: String) -> Attributes {
        var attributes: Attributes = [
            AttributeKey.otelComponentType: type, AttributeKey.otelComponentName: type + "/0",
        ]
        if let host = outcome.url.host { attributes[AttributeKey.serverAddress] = .string(host) }
        let usual = outcome.url.scheme?.lowercased() == "https" ? 443 : 80
        attributes[AttributeKey.serverPort] = .int(Int64(outcome.url.port ?? usual))
        if let error = outcome.errorType { attributes[AttributeKey.errorType] = .string(error) }
        return attributes
    }
}
