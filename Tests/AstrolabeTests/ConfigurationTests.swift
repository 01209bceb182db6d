import Astrolabe
import AstrolabeDelivery
import AstrolabePlatform
import AstrolabeRecording
import AstrolabeSessionReplay
import AstrolabeTestSupport
import Foundation
import Testing

private func file(_ name: String, _ text: String) throws -> URL {
    let folder = TestFolders.folder("configuration")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent(name)
    try Data(text.utf8).write(to: file)
    return file
}

private func propertyList(_ entries: String) throws -> URL {
    try file("honeycomb.plist", "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict>\(entries)</dict></plist>")
}

private let minimalEntries = """
    <key>HONEYCOMB_API_KEY</key><string>hcaik_secret</string><key>SERVICE_NAME</key><string>astronomy-shop</string>
    """

@Suite struct `Configuration` {
    @Test func `without any source is the specification's default`() throws {
        let configuration = try TelemetryConfiguration.load(environment: [:])
        #expect(configuration.serviceName == "unknown_service")
        #expect(configuration.endpoint?.url.absoluteString == "http://localhost:4318")
        #expect(configuration.isEnabled)
    }

    @Test func `has consent, uploads on cellular and the flight recorder in every source`() throws {
        let recorder = #"{"isEnabled": false, "dailyBytes": 7}"#
        let entries = #""consent": "pending", "uploadsOnCellular": false, "recorder": \#(recorder)"#
        let json = try file("a.json", #"{"telemetry": {\#(entries)}}"#)
        let plist = try propertyList(
            minimalEntries + "<key>CONSENT</key><string>denied</string><key>UPLOADS_ON_CELLULAR</key><false/>"
                + "<key>RECORDER</key><false/>")
        var environment = ["ASTROLABE_CONSENT": "Pending", "ASTROLABE_UPLOADS_ON_CELLULAR": "off"]
        environment.merge(["ASTROLABE_RECORDER": "off", "ASTROLABE_RECORDER_DAILY_BYTES": "7"]) { $1 }
        let sources: [(TelemetryConfiguration, TelemetryConsent)] = [
            (try .load(json: json, environment: [:]), .pending),
            (try .load(propertyList: plist, environment: [:]), .denied),
            (try .load(environment: environment), .pending),
        ]
        for (configuration, consent) in sources {
            #expect(configuration.consent == consent)
            #expect(!configuration.policy.uploadsOnCellular && configuration.recorder.isEnabled == false)
        }
        #expect(sources.map(\.0.recorder.dailyBytes) == [7, nil, 7])
        #expect(TelemetryConfiguration().consent == .granted)
        let wrong = try propertyList(minimalEntries + "<key>CONSENT</key><string>maybe</string>")
        let error = #expect(throws: ConfigurationError.self) {
            try TelemetryConfiguration.load(propertyList: wrong, environment: [:])
        }
        #expect(error?.description == "honeycomb.plist: CONSENT: expected pending, granted or denied")
    }

    @Test func `code is stronger than the environment, that than the property list, and that than JSON`() throws {
        let json = try file(
            "astrolabe.json",
            """
            {"version": "1.0.0", "application": {"name": "json", "applicationVersion": "json"},
             "exporter": {"endpoint": "http://json:1", "timeout": 3, "compression": "none", "headers": {"a": "json"}},
             "telemetry": {"isSwiftUIViewInstrumentationEnabled": false}}
            """)
        let plist = try propertyList(
            minimalEntries.replacingOccurrences(of: "astronomy-shop", with: "plist")
                + "<key>SERVICE_VERSION</key><string>plist</string><key>OTLP_ENDPOINT</key><string>http://plist:2</string>"
        )
        let environment = ["OTEL_SERVICE_NAME": "environment", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://environment:3"]
        let all = try TelemetryConfiguration.load(propertyList: plist, json: json, environment: environment) {
            $0.serviceName = "code"
        }
        #expect(all.serviceName == "code")
        #expect(all.endpoint?.url.absoluteString == "http://environment:3")
        #expect(all.serviceVersion == "plist")
        #expect(all.endpoint?.timeout == .seconds(3))
        #expect(all.endpoint?.isCompressed == false)
        #expect(all.endpoint?.headers == ["a": "json", "x-honeycomb-team": "hcaik_secret"])
        #expect(all.viewTracing == .off)
        let files = try TelemetryConfiguration.load(propertyList: plist, json: json, environment: [:])
        #expect(files.serviceName == "plist")
        #expect(files.endpoint?.url.absoluteString == "http://plist:2")
        #expect(try TelemetryConfiguration.load(json: json, environment: [:]).serviceName == "json")
    }

    @Test func `view tracing is full unless a source says how much, by one of three words`() throws {
        #expect(TelemetryConfiguration().viewTracing == .full)
        let compact = try file("telemetry.json", #"{"telemetry": {"viewTracing": "compact"}}"#)
        #expect(try TelemetryConfiguration.load(json: compact, environment: [:]).viewTracing == .compact)
        let off = try file(
            "telemetry.json", #"{"telemetry": {"viewTracing": "full", "isSwiftUIViewInstrumentationEnabled": false}}"#,
        )
        #expect(try TelemetryConfiguration.load(json: off, environment: [:]).viewTracing == .off)
        let plist = try propertyList(
            "<key>HONEYCOMB_API_KEY</key><string>k</string><key>SERVICE_NAME</key><string>s</string>"
                + "<key>VIEW_TRACING</key><string>off</string>")
        let files = try TelemetryConfiguration.load(propertyList: plist, json: compact, environment: [:])
        #expect(files.viewTracing == .off)
        let all = try TelemetryConfiguration.load(
            propertyList: plist, environment: ["ASTROLABE_VIEW_TRACING": "compact"])
        #expect(all.viewTracing == .compact)
    }

    @Test func `the replay is off and masks all texts unless a source says otherwise`() throws {
        #expect(try TelemetryConfiguration.load(environment: [:]).replay == ReplayConfiguration())
        let json = try file(
            "telemetry.json",
            #"{"telemetry": {"replay": {"isEnabled": true, "masking": "inputs", "unmasked": ["catalogue"]}}}"#)
        let inFile = try TelemetryConfiguration.load(json: json, environment: [:]).replay
        #expect(inFile.isEnabled && inFile.masking == .inputs && inFile.unmasked == ["catalogue"])
        let plist = try propertyList(
            minimalEntries + "<key>REPLAY</key><true/><key>REPLAY_MASKING</key><string>all</string>"
                + "<key>REPLAY_UNMASKED</key><array><string>cart</string></array>")
        let inList = try TelemetryConfiguration.load(propertyList: plist, json: json, environment: [:]).replay
        #expect(inList.isEnabled && inList.masking == .all && inList.unmasked == ["cart"])
        let environment = [
            "ASTROLABE_REPLAY": "off", "ASTROLABE_REPLAY_MASKING": "inputs",
            "ASTROLABE_REPLAY_UNMASKED": "catalogue, cart",
        ]
        let all = try TelemetryConfiguration.load(propertyList: plist, environment: environment).replay
        #expect(!all.isEnabled && all.masking == .inputs && all.unmasked == ["catalogue", "cart"])
    }

    @Test func `all of health but the process is recorded unless a source names what is`() throws {
        #expect(try TelemetryConfiguration.load(environment: [:]).health == HealthConfiguration())
        let json = try file("telemetry.json", #"{"telemetry": {"health": "off"}}"#)
        #expect(try !TelemetryConfiguration.load(json: json, environment: [:]).health.isEnabled)
        let plist = try propertyList(minimalEntries + "<key>HEALTH</key><string>crashes, starts</string>")
        let inList = try TelemetryConfiguration.load(propertyList: plist, json: json, environment: [:]).health
        #expect(inList.isEnabled && inList.capturesCrashes && inList.measuresStart)
        #expect(!inList.watchesHangs && !inList.measuresFrames)
        let all = try TelemetryConfiguration.load(propertyList: plist, environment: ["ASTROLABE_HEALTH": "all"])
        #expect(all.health.isEnabled && all.health.measuresProcess && all.health.measuresFrames)
    }

    @Test func `the flush interval is the policy's unless the environment says otherwise`() throws {
        #expect(try TelemetryConfiguration.load(environment: [:]).flushInterval == nil)
        #expect(
            try TelemetryConfiguration.load(environment: ["ASTROLABE_FLUSH_INTERVAL": "2.5"]).flushInterval
                == .seconds(2.5))
    }

    @Test func `headers are the same whatever the case of their names, and the stronger source's is sent`() throws {
        let json = try file(
            "astrolabe.json", "{\"exporter\": {\"headers\": {\"X-Tenant\": \"json\", \"b\": \"json\"}}}")
        let environment = ["OTEL_EXPORTER_OTLP_HEADERS": "x-TENANT=1,x-Tenant=2"]
        let configuration = try TelemetryConfiguration.load(json: json, environment: environment)
        #expect(configuration.endpoint?.headers == ["x-tenant": "2", "b": "json"])
    }

    @Test func `the seed's property list sends to Honeycomb with its header`() throws {
        let plist = try propertyList(
            minimalEntries + "<key>DEBUG</key><true/>")
        let configuration = try TelemetryConfiguration.load(propertyList: plist, environment: [:])
        #expect(configuration.endpoint?.url.host == "api.honeycomb.io")
        #expect(configuration.endpoint?.headers["x-honeycomb-team"] == "hcaik_secret")
    }

    @Test func `a key is never printed`() throws {
        let plist = try propertyList(minimalEntries)
        let configuration = try TelemetryConfiguration.load(propertyList: plist, environment: [:])
        #expect(!"\(configuration)".contains("hcaik_secret"))
        #expect(!String(reflecting: configuration.endpoint).contains("hcaik_secret"))
        var dumped = ""
        dump(configuration.endpoint, to: &dumped)
        #expect(!dumped.contains("hcaik_secret"))
    }

    @Test func `every variable of the specification is read`() throws {
        let configuration = try TelemetryConfiguration.load(environment: [
            "OTEL_RESOURCE_ATTRIBUTES":
                "service.name=from-resource,deployment.environment.name=a%20b,service.version=2",
            "OTEL_EXPORTER_OTLP_HEADERS": "authorization=Basic%20abc, x-tenant=7",
            "OTEL_EXPORTER_OTLP_TIMEOUT": "2500",
            "OTEL_EXPORTER_OTLP_COMPRESSION": "none",
            "OTEL_TRACES_SAMPLER": "parentbased_traceidratio",
            "OTEL_TRACES_SAMPLER_ARG": "0.25",
            "OTEL_ATTRIBUTE_COUNT_LIMIT": "64",
            "OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT": "100",
            "OTEL_METRIC_EXPORT_INTERVAL": "1500",
            "OTEL_METRICS_EXEMPLAR_FILTER": "trace_based",
            "OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION": "base2_exponential_bucket_histogram",
            "OTEL_SDK_DISABLED": "TRUE",
        ])
        #expect(configuration.metricInterval == .seconds(1.5))
        #expect(configuration.histogramAggregation == .base2Exponential)
        #expect(configuration.exemplars == .traceBased)
        #expect(configuration.serviceName == "from-resource")
        #expect(configuration.serviceVersion == "2")
        #expect(configuration.resourceAttributes["deployment.environment.name"] == "a b")
        #expect(configuration.endpoint?.headers == ["authorization": "Basic abc", "x-tenant": "7"])
        #expect(configuration.endpoint?.timeout == .seconds(2.5))
        #expect(configuration.endpoint?.isCompressed == false)
        #expect(configuration.sampler?.description == "ParentBased{root:RatioSampler{0.25}}")
        #expect(configuration.limits.attributeCount == 64)
        #expect(configuration.limits.attributeValueLength == 100)
        #expect(!configuration.isEnabled)
    }

    @Test func `a configuration file that this product does not read is an error`() throws {
        let error = #expect(throws: ConfigurationError.self) {
            try TelemetryConfiguration.load(environment: ["OTEL_CONFIG_FILE": "/etc/otel.json"])
        }
        #expect(error?.description.hasPrefix("environment: OTEL_CONFIG_FILE: expected no file") == true)
        #expect(error?.description.contains("AstrolabeDeclarative") == true)
        #expect(try TelemetryConfiguration.load(environment: ["OTEL_CONFIG_FILE": ""]).isEnabled)
    }

    @Test func `an empty variable counts as absent`() throws {
        #expect(try TelemetryConfiguration.load(environment: ["OTEL_TRACES_SAMPLER": ""]).isEnabled)
    }

    @Test(arguments: [
        (
            ["OTEL_EXPORTER_OTLP_ENDPOINT": "collector:4318"],
            "environment: OTEL_EXPORTER_OTLP_ENDPOINT: expected an address such as https://collector.example:4318",
        ),
        (
            ["OTEL_EXPORTER_OTLP_TIMEOUT": "10s"],
            "environment: OTEL_EXPORTER_OTLP_TIMEOUT: expected a whole number of milliseconds, 0 or more",
        ),
        (
            ["OTEL_TRACES_SAMPLER": "sometimes"],
            "environment: OTEL_TRACES_SAMPLER: expected always_on, always_off or traceidratio, or one with parentbased_ before it",
        ),
        (
            ["OTEL_TRACES_SAMPLER": "traceidratio", "OTEL_TRACES_SAMPLER_ARG": "2"],
            "environment: OTEL_TRACES_SAMPLER_ARG: expected a number from 0 to 1",
        ),
        (
            ["OTEL_EXPORTER_OTLP_HEADERS": "novalue"],
            "environment: OTEL_EXPORTER_OTLP_HEADERS: expected name=value pairs with commas between them",
        ),
        (
            ["ASTROLABE_VIEW_TRACING": "some"],
            "environment: ASTROLABE_VIEW_TRACING: expected off, compact or full",
        ),
        (
            ["ASTROLABE_HEALTH": "crashes,"],
            "environment: ASTROLABE_HEALTH: expected all, off, or some of crashes, hangs, frames, starts and process with commas between them",
        ),
        (["ASTROLABE_REPLAY": "true"], "environment: ASTROLABE_REPLAY: expected on or off"),
        (["ASTROLABE_REPLAY_MASKING": "some"], "environment: ASTROLABE_REPLAY_MASKING: expected all or inputs"),
        (
            ["ASTROLABE_FLUSH_INTERVAL": "0"],
            "environment: ASTROLABE_FLUSH_INTERVAL: expected a number of seconds above 0",
        ),
        (
            ["OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION": "some"],
            "environment: OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION: expected explicit_bucket_histogram or base2_exponential_bucket_histogram",
        ),
        (
            ["OTEL_METRICS_EXEMPLAR_FILTER": "some"],
            "environment: OTEL_METRICS_EXEMPLAR_FILTER: expected always_off, always_on or trace_based",
        ),
        (
            ["OTEL_EXPORTER_OTLP_COMPRESSION": "zip"],
            "environment: OTEL_EXPORTER_OTLP_COMPRESSION: expected gzip or none",
        ),
        (
            ["OTEL_PROPAGATORS": "tracecontext,xray"],
            "environment: OTEL_PROPAGATORS: expected none, or some of tracecontext, baggage with commas between them",
        ),
    ])
    func `a variable that cannot be read is named with what was expected, and ignored`(
        environment: [String: String], message: String,
    ) throws {
        let lines = Locked<[String]>([])
        let configuration = try TelemetryConfiguration.load(environment: environment) { configuration in
            configuration.onDiagnostic = { line in lines.withLock { $0.append(line) } }
        }
        #expect(lines.withLock { $0 } == [message + ". It is ignored."])
        #expect(configuration.description == TelemetryConfiguration().description)
    }

    @Test(arguments: [
        ("tracecontext, baggage", ["traceparent", "tracestate", "baggage"]), ("none", []),
        ("baggage,tracecontext,baggage", ["baggage", "traceparent", "tracestate"]),
    ])
    func `propagators are chosen by their names`(names: String, fields: [String]) throws {
        let configuration = try TelemetryConfiguration.load(environment: ["OTEL_PROPAGATORS": names])
        #expect(configuration.propagator.fields == fields)
    }

    @Test func `a variable that is not used is named, unless its value is what the SDK does anyway`() throws {
        let lines = Locked<[String]>([])
        _ = try TelemetryConfiguration.load(environment: [
            "OTEL_BSP_MAX_QUEUE_SIZE": "100", "OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE": "/secret/file",
            "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc", "OTEL_LOG_LEVEL": "debug",
            "OTEL_EXPORTER_OTLP_LOGS_PROTOCOL": "http/protobuf", "OTEL_TRACES_EXPORTER": "OTLP",
            "OTEL_SERVICE_NAME": "shop", "PATH": "/bin",
        ]) { configuration in
            configuration.onDiagnostic = { line in lines.withLock { $0.append(line) } }
        }
        let unused = "this SDK does not use the variable. It is ignored."
        #expect(
            lines.withLock { $0 } == [
                "environment: OTEL_BSP_MAX_QUEUE_SIZE: \(unused)",
                "environment: OTEL_EXPORTER_OTLP_PROTOCOL: expected http/protobuf, the only value that this SDK supports. "
                    + "It is ignored.",
                "environment: OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE: \(unused)",
                "environment: OTEL_LOG_LEVEL: \(unused)",
            ])
    }

    @Test func `a property list that cannot be read is named with its key and what was expected`() throws {
        let cases = [
            (
                "<key>SERVICE_NAME</key><string>a</string>",
                "honeycomb.plist: HONEYCOMB_API_KEY: expected a string, found nothing",
            ),
            (
                minimalEntries.replacingOccurrences(
                    of: "<string>astronomy-shop</string>", with: "<integer>3</integer>"),
                "honeycomb.plist: SERVICE_NAME: expected a string, found a number",
            ),
            (
                minimalEntries + "<key>DEBUG</key><string>yes</string>",
                "honeycomb.plist: DEBUG: expected true or false, found a string",
            ),
            (
                minimalEntries + "<key>REPLAY_UNMASKED</key><string>cart</string>",
                "honeycomb.plist: REPLAY_UNMASKED: expected an array, found a string",
            ),
            (
                minimalEntries + "<key>OTLP_ENDPOINT</key><string>nowhere</string>",
                "honeycomb.plist: OTLP_ENDPOINT: expected an address such as https://collector.example:4318",
            ),
        ]
        for (entries, message) in cases {
            let plist = try propertyList(entries)
            let error = #expect(throws: ConfigurationError.self) {
                try TelemetryConfiguration.load(propertyList: plist, environment: [:])
            }
            #expect(error?.description == message)
        }
    }

    @Test func `a JSON file that cannot be read is named with the way to the key`() throws {
        let cases = [
            ("{", "astrolabe.json: expected a JSON object, found something else"),
            ("[]", "astrolabe.json: expected a JSON object with keys at its top"),
            ("{\"version\": \"2.0.0\"}", "astrolabe.json: version: expected a version 1 of the format, found 2.0.0"),
            (
                "{\"telemetry\": {\"isSwiftUIViewInstrumentationEnabled\": 1}}",
                "astrolabe.json: telemetry.isSwiftUIViewInstrumentationEnabled: expected true or false, found a number",
            ),
            (
                "{\"telemetry\": {\"replay\": {\"unmasked\": [1]}}}",
                "astrolabe.json: telemetry.replay.unmasked: expected strings that are not empty, found a number among them",
            ),
            (
                "{\"exporter\": {\"timeout\": \"ten\"}}",
                "astrolabe.json: exporter.timeout: expected a number above 0, found a string",
            ),
            (
                "{\"exporter\": {\"headers\": {\"a\": 1}}}",
                "astrolabe.json: exporter.headers.a: expected a string, found a number",
            ),
        ]
        for (text, message) in cases {
            let json = try file("astrolabe.json", text)
            let error = #expect(throws: ConfigurationError.self) {
                try TelemetryConfiguration.load(json: json, environment: [:])
            }
            #expect(error?.description == message)
        }
    }

    @Test func `a file that is named must exist`() throws {
        let error = #expect(throws: ConfigurationError.self) {
            try TelemetryConfiguration.load(json: URL(fileURLWithPath: "/nowhere/astrolabe.json"), environment: [:])
        }
        #expect(
            error?.description == "astrolabe.json: no readable file at /nowhere/astrolabe.json. Expected a JSON object."
        )
    }

    @Test func `unknown keys are reported with their section, and ignored`() throws {
        let plist = try propertyList(minimalEntries + "<key>SERVICE_NAMES</key><string>typo</string>")
        let json = try file("astrolabe.json", "{\"exporter\": {\"endpont\": \"http://typo:1\"}, \"extra\": 1}")
        let lines = Locked<[String]>([])
        _ = try TelemetryConfiguration.load(propertyList: plist, json: json, environment: [:]) { configuration in
            configuration.onDiagnostic = { line in lines.withLock { $0.append(line) } }
        }
        #expect(
            lines.withLock { $0 } == [
                "astrolabe.json: unknown key \"extra\". It is ignored.",
                "astrolabe.json: unknown key \"exporter.endpont\". It is ignored.",
                "honeycomb.plist: unknown key \"SERVICE_NAMES\". It is ignored.",
            ])
    }
}
