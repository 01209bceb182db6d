import AstrolabeDelivery
import AstrolabePlatform
import AstrolabeRecording
import AstrolabeTelemetryModel
import Foundation
import Testing

@testable import Astrolabe

@Suite struct SignalVariableTests {
    @Test func `a variable of one signal wins over that of all`() throws {
        let configuration = try TelemetryConfiguration.load(environment: [
            "OTEL_EXPORTER_OTLP_ENDPOINT": "https://base.example", "OTEL_EXPORTER_OTLP_HEADERS": "a=1",
            "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "https://traces.example", "OTEL_EXPORTER_OTLP_TIMEOUT": "7000",
            "OTEL_EXPORTER_OTLP_LOGS_HEADERS": "B=2,c=%203", "OTEL_EXPORTER_OTLP_METRICS_TIMEOUT": "0",
            "OTEL_EXPORTER_OTLP_METRICS_COMPRESSION": "none", "OTEL_BSP_SCHEDULE_DELAY": "900",
            "OTEL_BLRP_SCHEDULE_DELAY": "800",
        ])
        let endpoint = try #require(configuration.bounded.endpoint)
        #expect(endpoint.url(for: .span).absoluteString == "https://traces.example/")
        #expect(endpoint.url(for: .event).absoluteString == "https://base.example/v1/logs")
        #expect(endpoint.headers == ["a": "1"] && endpoint.traces.headers == nil)
        #expect(endpoint.logs.headers == ["b": "2", "c": "3"])
        #expect(endpoint.timeout == .seconds(7) && endpoint.logs.timeout == nil)
        #expect(endpoint.metrics.timeout == .seconds(86_400))
        #expect(endpoint.isCompressed && endpoint.metrics.isCompressed == false)
        #expect(configuration.flushInterval == .milliseconds(800))
    }

    @Test func `variables that the app does not read are named in a debug build, without their values`() throws {
        let set = [
            "OTEL_SERVICE_NAME": "secret", "OTEL_SDK_DISABLED": "true", "OTEL_EXPORTER_OTLP_HEADERS": "",
            "PATH": "/bin",
            "OTEL_SEMCONV_STABILITY_OPT_IN": "http",
        ]
        let line = StartupMessage.unreadVariables(set, TelemetryConfiguration(serviceName: "shop"))
        #expect(line?.hasPrefix("Not read: OTEL_SDK_DISABLED, OTEL_SERVICE_NAME. ") == true)
        #expect(line?.contains("secret") == false)
        #expect(StartupMessage.unreadVariables(set, try TelemetryConfiguration.load(environment: set)) == nil)
        #expect(StartupMessage.unreadVariables(["PATH": "/bin"], TelemetryConfiguration()) == nil)
    }

    @Test func `limits of spans, log records, events and links are read, and the smaller one holds`() throws {
        let limits = try TelemetryConfiguration.load(environment: [
            "OTEL_ATTRIBUTE_COUNT_LIMIT": "50", "OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT": "70",
            "OTEL_LOGRECORD_ATTRIBUTE_COUNT_LIMIT": "60", "OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT": "90",
            "OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT": "80", "OTEL_SPAN_EVENT_COUNT_LIMIT": "0",
            "OTEL_SPAN_LINK_COUNT_LIMIT": "3", "OTEL_EVENT_ATTRIBUTE_COUNT_LIMIT": "5",
            "OTEL_LINK_ATTRIBUTE_COUNT_LIMIT": "4",
        ]).limits
        #expect(limits.attributeCount == 60 && limits.attributeValueLength == 80)
        #expect(limits.eventCount == 0 && limits.linkCount == 3 && limits.attributeCountPerEventOrLink == 4)
    }

    @Test(arguments: [("Cumulative", AggregationTemporality.cumulative), ("delta", .delta)])
    func `the preferred temporality is read`(text: String, temporality: AggregationTemporality) throws {
        let name = "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE"
        #expect(try TelemetryConfiguration.load(environment: [name: text]).metricTemporality == temporality)
    }

    @Test(arguments: [("logs", ExceptionSignal.logs), ("LOGS/dup", .both), ("", .spanEvents)])
    func `the signal of exceptions is read, and that of the code wins`(text: String, signal: ExceptionSignal) throws {
        let environment = ["OTEL_SEMCONV_EXCEPTION_SIGNAL_OPT_IN": text]
        #expect(try TelemetryConfiguration.load(environment: environment).exceptionSignal == signal)
        let ofCode = try TelemetryConfiguration.load(environment: environment) { $0.exceptionSignal = .both }
        #expect(ofCode.exceptionSignal == .both)
    }

    @Test(arguments: [
        ("OTEL_SEMCONV_EXCEPTION_SIGNAL_OPT_IN", "spans", "expected logs or logs/dup"),
        ("OTEL_TRACES_EXPORTER", "zipkin", "expected otlp or none"),
        ("OTEL_LOGS_EXPORTER", "otlp,console", "expected otlp or none"),
        ("OTEL_METRICS_EXPORTER", "prometheus", "expected otlp or none"),
        ("OTEL_EXPORTER_OTLP_LOGS_TIMEOUT", "soon", "expected a whole number of milliseconds, 0 or more"),
        ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "traces", "expected an address such as https://collector.example:4318"),
        ("OTEL_SPAN_LINK_COUNT_LIMIT", "-1", "expected a whole number, 0 or more"),
        (
            "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE", "lowmemory",
            "expected cumulative or delta, the preferences that this SDK supports",
        ),
    ])
    func `one that cannot be read is named with what was expected, and ignored`(
        name: String, value: String, expectation: String,
    ) throws {
        let lines = Locked<[String]>([])
        let configuration = try TelemetryConfiguration.load(environment: [name: value]) { configuration in
            configuration.onDiagnostic = { line in lines.withLock { $0.append(line) } }
        }
        #expect(lines.withLock { $0 } == ["environment: \(name): \(expectation). It is ignored."])
        #expect(configuration.endpoint == TelemetryConfiguration().endpoint)
        #expect(configuration.limits == RecordLimits() && configuration.metricTemporality == .delta)
        #expect(configuration.exceptionSignal == .spanEvents && configuration.disabledSignals.isEmpty)
    }
}
