import Astrolabe
import AstrolabePlatform
import AstrolabeRecording
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import Foundation
import Testing

@testable import AstrolabeDeclarative

private func file(_ text: String) throws -> URL {
    let folder = TestFolders.folder("declarative")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent("otel.json")
    try Data(text.utf8).write(to: file)
    return file
}

/// A configuration, and the diagnostics of reading it.
private func load(
    _ text: String, _ environment: [String: String] = [:],
) throws -> (configuration: TelemetryConfiguration, notes: [String]) {
    let notes = Locked<[String]>([])
    let configuration = try TelemetryConfiguration.load(declarative: file(text), environment: environment) {
        $0.onDiagnostic = { line in notes.withLock { $0.append(line) } }
    }
    return (configuration, notes.withLock { $0 })
}

private func problem(_ text: String) throws -> String? {
    let file = try file(text)
    return #expect(throws: ConfigurationError.self) {
        try TelemetryConfiguration.load(declarative: file, environment: [:])
    }?.description
}

/// A file with one section beside what every file needs.
private func document(_ section: String) -> String {
    #"{"file_format": "1.1", "# + section + "}"
}

private func exporter(_ keys: String) -> String {
    #""tracer_provider": {"processors": [{"batch": {"exporter": {"otlp_http": {\#(keys)}}}}]}"#
}

/// A file that is not valid, and the parts of its error.
struct WrongFile: Sendable {
    let text: String
    let place: String
    let problem: String

    init(_ text: String, _ place: String, _ problem: String) {
        self.text = text
        self.place = place
        self.problem = problem
    }

    static let all: [WrongFile] = general + exporters

    private static let general: [WrongFile] = [
        WrongFile("{}", "otel.json:1:1: file_format", "expected the key, found nothing. Add it."),
        WrongFile(
            #"{"file_format": "0.4"}"#, "otel.json:1:17: file_format", "expected version 1.0 or 1.1, found 0.4"),
        WrongFile("[]", "otel.json:1:1", "expected an object, found an empty array"),
        WrongFile(
            "{\"file_format\": \"1.0\",\n \"propagator\": {\"composit\": []}}", "otel.json:2:17: propagator.composit",
            "unknown key. Expected composite or composite_list."),
        WrongFile(
            #"{"file_format": "1.1", "disabled": "true"}"#, "otel.json:1:36: disabled",
            "expected true or false, found a string"),
        WrongFile(
            #"{"file_format": "1.1", "attribute_limits": {"attribute_count_limit": -1}}"#,
            "otel.json:1:70: attribute_limits.attribute_count_limit",
            "expected a whole number, 0 or more, found the number -1"),
        WrongFile(
            #"{"file_format": "1.1", "resource": {"attributes": [{"name": "a", "value": "x", "type": "int"}]}}"#,
            "otel.json:1:75: resource.attributes[0].value", "expected a whole number, as type says"),
    ]

    private static let exporters: [WrongFile] = [
        WrongFile(
            "{\"file_format\": \"1.1\",\n" + exporter(#""headers": [{"name": "x"}]"#) + "}",
            "otel.json:2:86: tracer_provider.processors[0].batch.exporter.otlp_http.headers[0].value",
            "expected the key, found nothing. Add it."),
        WrongFile(
            "{\"file_format\": \"1.1\",\n" + exporter(#""compression": "zip""#) + "}",
            "otel.json:2:89: tracer_provider.processors[0].batch.exporter.otlp_http.compression",
            "expected gzip or none, found another string"),
        WrongFile(
            "{\"file_format\": \"1.1\",\n" + exporter(#""endpoint": "https://collector.example""#) + "}",
            "otel.json:2:86: tracer_provider.processors[0].batch.exporter.otlp_http.endpoint",
            "expected an address such as https://collector.example:4318/v1/traces"),
        WrongFile(
            "{\"file_format\": \"1.1\",\n\"tracer_provider\": {\"processors\": [{\"batch\": {\"exporter\": {\"own\": {}}}}]}}",
            "otel.json:2:60: tracer_provider.processors[0].batch.exporter.own",
            "unknown key. Expected otlp_http, otlp_grpc or console."),
        WrongFile(
            #"{"file_format": "1.1", "tracer_provider": {"processors": []}}"#,
            "otel.json:1:58: tracer_provider.processors",
            "expected an array with one element or more, found an empty array"),
        WrongFile(
            #"{"file_format": "1.1", "meter_provider": {"readers": [{"periodic": {}, "pull": {}}]}}"#,
            "otel.json:1:55: meter_provider.readers[0]", "expected exactly one of periodic or pull, found 2"),
    ]
}

@Suite struct `Declarative configuration` {
    @Test func `sets all that the SDK can follow`() throws {
        let (configuration, notes) = try load(
            DeclarativeExample.whole,
            [
                "KEY": "secret", "TIMEOUT": "2000", "OTEL_SERVICE_NAME": "other",
                "OTEL_SEMCONV_STABILITY_OPT_IN": "http",
            ])
        #expect(configuration.isEnabled)
        #expect(configuration.serviceName == "shop" && configuration.serviceVersion == "2.1")
        #expect(configuration.resourceAttributes["team"] == "a b")
        #expect(configuration.resourceAttributes["ports"] == ["1", "2"])
        #expect(configuration.resourceAttributes["share"] == 0.5)
        #expect(configuration.resourceAttributes["size"] == .double(3))
        #expect(configuration.resourceAttributes["whole"] == .double(2))
        #expect(configuration.endpoint?.url.absoluteString == "https://collector.example/base")
        #expect(configuration.endpoint?.headers == ["api-key": "secret", "x": "1 2"])
        #expect(configuration.endpoint?.timeout == .seconds(2))
        #expect(configuration.endpoint?.isCompressed == false)
        #expect(configuration.limits.attributeValueLength == 4096 && configuration.limits.attributeCount == 64)
        #expect(configuration.limits.eventCount == 7 && configuration.limits.linkCount == 8)
        #expect(configuration.limits.attributeCountPerEventOrLink == 9)
        #expect(configuration.flushInterval == .seconds(5) && configuration.metricInterval == .seconds(30))
        #expect(configuration.metricTemporality == .cumulative)
        #expect(configuration.histogramAggregation == .base2Exponential)
        #expect(configuration.metricViews == DeclarativeExample.views)
        #expect(configuration.exemplars == .traceBased)
        #expect(
            configuration.sampler?.description
                == "ParentBased{root:RatioSampler{0.25},remoteParentNotSampled:" + DeclarativeExample.composite
                + ",localParentNotSampled:AlwaysOnSampler}")
        #expect(
            notes == [
                "otel.json:1:1: no logger_provider. The SDK records this signal anyway.",
                "environment: OTEL_SERVICE_NAME: ignored, because otel.json takes the place of the variables.",
            ])
    }

    @Test func `names each known key that the SDK does not follow, with its line`() throws {
        let (configuration, notes) = try load(
            """
            {"file_format": "1.2", "log_level": "info", "resource": {"schema_url": "https://example.com"},
             "tracer_provider": {
               "processors": [{"batch": {"max_queue_size": 2048, "exporter": {"otlp_http": {
                 "tls": {"ca_file": null}, "encoding": "json"}}}}],
               "sampler": {"parent_based": {"root": {"own/development": {}}}}},
             "logger_provider": {"processors": [{"simple": {"exporter": {"otlp_http": null}}}],
                                 "limits": {"attribute_count_limit": 32}},
             "meter_provider": {"readers": [{"periodic": {"exporter": {"console": null}}}]},
             "attribute_limits": {"attribute_count_limit": 64}}
            """)
        for expected in [
            "otel.json:1:17: file_format: newer than 1.1", "otel.json:1:37: log_level: ",
            "otel.json:1:72: resource.schema_url: ",
            "otel.json:3:48: tracer_provider.processors[0].batch.max_queue_size: ",
            "tracer_provider.processors[0].batch.exporter.otlp_http.encoding: this SDK encodes as protobuf only",
            "otel.json:5:61: tracer_provider.sampler.parent_based.root.own/development: in development",
            "logger_provider.processors[0].simple: records are sent in batches",
            "meter_provider.readers[0].periodic.exporter.console: ",
            "attribute_limits.attribute_count_limit: spans and log records have one limit",
        ] {
            #expect(notes.contains { $0.contains(expected) }, "\(expected) is not in \(notes)")
        }
        #expect(notes.count == 9, "\(notes)")
        #expect(configuration.sampler == nil)
        #expect(configuration.limits.attributeCount == 32)
        #expect(configuration.endpoint?.url.absoluteString == "http://localhost:4318")
    }

    @Test func `names what the SDK does not follow of a view`() throws {
        let (configuration, notes) = try load(
            document(
                """
                "meter_provider": {"readers": [{"periodic": {"exporter": {"otlp_http": null}}}], "views": [
                {"selector": {"unit": "s"}, "stream": {"aggregation_cardinality_limit": 1000000, "aggregation":
                {"base2_exponential_bucket_histogram": {"max_size": 2000, "max_scale": 30, "record_min_max": true}}}}]}
                """))
        for expected in [
            "views[0].stream.aggregation.base2_exponential_bucket_histogram.record_min_max: Minimum and maximum are",
            "views[0].stream.aggregation_cardinality_limit: at most 20000 in this SDK.",
            "base2_exponential_bucket_histogram.max_size: at most 1024 in this SDK.",
            "base2_exponential_bucket_histogram.max_scale: at most 20 in this SDK.",
        ] {
            #expect(notes.contains { $0.contains(expected) }, "\(expected) is not in \(notes)")
        }
        #expect(configuration.metricViews.map(\.unit) == ["s"])
    }

    @Test(arguments: WrongFile.all)
    func `refuses a wrong file with the line, the column and the key`(wrong: WrongFile) throws {
        #expect(try problem(wrong.text) == wrong.place + ": " + wrong.problem)
    }

    @Test func `records nothing without providers, and keeps records without an exporter`() throws {
        #expect(try !load(#"{"file_format": "1.0"}"#).configuration.isEnabled)
        #expect(try !load(document(#""disabled": true, "# + exporter(""))).configuration.isEnabled)
        let console = document(#""tracer_provider": {"processors": [{"simple": {"exporter": {"console": {}}}}]}"#)
        let (configuration, notes) = try load(console)
        #expect(configuration.isEnabled && configuration.endpoint == nil)
        #expect(notes.contains { $0.hasSuffix("no otlp_http exporter. Records stay on the device.") })
    }

    @Test func `is chosen by a variable, which takes the place of the others of OpenTelemetry`() throws {
        let environment = [
            "OTEL_CONFIG_FILE": try file(DeclarativeExample.whole).path, "OTEL_SERVICE_NAME": "other",
            "ASTROLABE_CONSENT": "pending",
        ]
        let configuration = try TelemetryConfiguration.load(declarativeIn: environment)
        #expect(configuration.serviceName == "shop")
        #expect(configuration.consent == .pending)
        let empty = ["OTEL_CONFIG_FILE": "", "OTEL_SERVICE_NAME": "other"]
        #expect(try TelemetryConfiguration.load(declarativeIn: empty).serviceName == "other")
        let absent = #expect(throws: ConfigurationError.self) {
            try TelemetryConfiguration.load(declarativeIn: ["OTEL_CONFIG_FILE": "/nowhere/otel.json"])
        }
        #expect(absent?.description.contains("no readable file at /nowhere/otel.json") == true)
        let yaml = #expect(throws: ConfigurationError.self) {
            try TelemetryConfiguration.load(declarativeIn: ["OTEL_CONFIG_FILE": "/nowhere/otel.yaml"])
        }
        #expect(yaml?.description == "otel.yaml: expected a JSON file, found YAML. Convert the file to JSON.")
    }

    @Test(arguments: [
        ("b3", ["b3"]), ("b3multi,baggage,b3multi", ["X-B3-TraceId", "X-B3-SpanId", "X-B3-Sampled", "baggage"]),
    ])
    func `without a file knows the propagators of B3 by their names`(names: String, fields: [String]) throws {
        let configuration = try TelemetryConfiguration.load(declarativeIn: ["OTEL_PROPAGATORS": names])
        #expect(configuration.propagator.fields == fields)
    }

    @Test func `refuses a file that is larger than 1 MiB, and a folder`() throws {
        let space = String(repeating: " ", count: PositionedJSON.sizeLimit)
        #expect(try problem("{}" + space) == "otel.json: expected at most 1048576 bytes, found more")
        let folder = try file("{}").deletingLastPathComponent()
        let error = #expect(throws: ConfigurationError.self) {
            try TelemetryConfiguration.load(declarative: folder, environment: [:])
        }
        #expect(error?.description.contains("no readable file at ") == true)
    }

    @Test func `reports at most 100 keys, and counts the others`() throws {
        let keys = (0..<150).map { #""k\#($0)/development": 1"# }.joined(separator: ", ")
        let (_, notes) = try load(#"{"file_format": "1.1", "# + keys + "}")
        #expect(notes.count == 101)
        // The 51st is that there is no provider.
        #expect(notes.last == "otel.json: 51 more keys or values are ignored.")
    }

    @Test(
        .enabled(
            if: ProcessInfo.processInfo.environment["ASTROLABE_OTEL_CONFIGURATION"] != nil,
            "ASTROLABE_OTEL_CONFIGURATION names no folder of examples in JSON"))
    func `parses the examples of the OpenTelemetry configuration repository`() throws {
        let folder = URL(fileURLWithPath: try #require(Self.examples), isDirectory: true)
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "json" }
        #expect(!files.isEmpty)
        for file in files {
            #expect(throws: Never.self, "\(file.lastPathComponent)") {
                try TelemetryConfiguration.load(declarative: file, environment: [:]) { $0.onDiagnostic = { _ in } }
            }
        }
    }

    private static let examples = ProcessInfo.processInfo.environment["ASTROLABE_OTEL_CONFIGURATION"]
}
