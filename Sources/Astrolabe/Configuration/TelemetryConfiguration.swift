public import AstrolabeAppHealth
public import AstrolabeDelivery
public import AstrolabeDeviceConditions
public import AstrolabePolicy
public import AstrolabeRecording
public import AstrolabeSessions
public import AstrolabeTelemetryModel
public import AstrolabeViewTracing
public import Foundation

/// All that can be said about how telemetry is recorded and where it goes.
///
///     var configuration = TelemetryConfiguration(serviceName: "my-app")
///     configuration.serviceVersion = "1.0.0"
///     configuration.endpoint = OTLPEndpoint(url: url, headers: ["x-honeycomb-team": key])
///     let telemetry = Telemetry.start(configuration)
///
/// `load` fills one from environment variables and files; see there for which of them wins. The initializer
/// reads neither.
public struct TelemetryConfiguration: Sendable {
    /// `service.name`; the resource has the name of the executable after the default, as the specification says:
    /// `unknown_service:shop`. Default `unknown_service`. `OTEL_SERVICE_NAME`.
    public var serviceName: String
    /// `service.version`; what a person calls the version of the app.
    public var serviceVersion: String?
    /// Attributes of the resource, over those that the SDK finds out itself. Redacted like those of a record.
    /// `OTEL_RESOURCE_ATTRIBUTES`.
    public var resourceAttributes = Attributes()
    /// Parts of the resource that the SDK detects itself. Default: all of it.
    public var resourceDetectors: Set<ResourceDetector> {
        get { Set(usedDetectors) }
        set { chosenDetectors = ResourceDetector.allCases.filter(newValue.contains) }
    }
    /// `nil` for all. No set, for which the runtime would search for conformances at each start.
    private var chosenDetectors: [ResourceDetector]?
    /// Those that find out something, in the order of their declaration.
    var usedDetectors: [ResourceDetector] { chosenDetectors ?? ResourceDetector.allCases }
    /// The server that records are sent to; `nil` keeps them on the device, bounded.
    ///
    /// Default `http://localhost:4318` in debug builds, in simulators, and for a server. A release build of an app that
    /// names no endpoint keeps its records on the device, and a line in the log says so. Code that sets a part of it,
    /// such as its headers, names it. `OTEL_EXPORTER_OTLP_ENDPOINT`.
    public var endpoint: OTLPEndpoint? {
        didSet { isEndpointGiven = true }
    }
    /// True if the app or one of its sources has set an endpoint, or that there is none.
    package var isEndpointGiven = false
    /// Headers of each request in addition to the endpoint's, for keys that change. It is asked before each request,
    /// and once more with `true` if the server answers 401. Default `nil`. The values never appear in a log.
    ///
    ///     configuration.requestHeaders = { wereRefused in
    ///         ["Authorization": "Bearer " + (await session.token(isRefreshed: wereRefused))]
    ///     }
    ///
    /// If it does not return within the endpoint's timeout, its task is cancelled, and the request is tried again later
    /// as if the server had not responded. A flush in it sends nothing.
    public var requestHeaders: (@Sendable (_ wereRefused: Bool) async -> [String: String])?
    /// The customer, region or other tenant that the records are for. Default `nil`: the tenant never changes.
    ///
    /// Records that wait go to the endpoint that is configured when they are sent. This is right if the server has
    /// moved, or if its key has changed. If the new endpoint must not get what was recorded for the old one, give each
    /// a tenant.
    ///
    /// If it is another tenant than at the last start, or the first one, the start deletes what is stored. These are
    /// records, reports of crashes, the session and the installation id. The ledger starts at zero, and `onDiagnostic`
    /// receives a line. The user's decision about consent stays.
    ///
    /// The name is stored on the device, and never sent. Its first 1,024 bytes count.
    public var tenant: String?
    /// False makes every call a no-op that costs nothing. Default true. `OTEL_SDK_DISABLED`.
    public var isEnabled = true
    /// The user's consent until ``Telemetry/setConsent(_:)`` stores a decision, which then wins. Default `granted`.
    ///
    /// `ASTROLABE_CONSENT`, `CONSENT` in `honeycomb.plist`, `telemetry.consent` in a JSON file.
    public var consent = TelemetryConsent.granted
    /// The choice of the sessions that are recorded. Default `automatic`: all of them in debug builds and in
    /// simulators, otherwise as many as the policy decides. A server, which has no sessions, samples traces and records
    /// all by default.
    ///
    /// The spans of other sessions stay on the device, and are sent if something goes wrong: see ``recorder``.
    public var sampling = Sampling.automatic
    /// Decides about traces in the place of `sampling`, which then has no effect. Default `nil`. `OTEL_TRACES_SAMPLER`
    /// sets it. Wrap a sampler in ``ParentBasedSampler`` to record traces as a whole.
    public var sampler: (any Sampler)?
    /// The flight recorder, which sends a sampled-out session in full if something goes wrong, or on a server a
    /// sampled-out trace. Default on for an app, and off for a server.
    public var recorder = RecorderConfiguration()
    /// The format of the trace and the baggage in requests. Default W3C Trace Context and W3C Baggage.
    /// `OTEL_PROPAGATORS` sets it to a list of `tracecontext` and `baggage`, or to `none`. `AstrolabeExtras` has B3.
    public var propagator: any TextMapPropagator = CompositePropagator.w3c
    /// See each recorded span when it starts and when it ends, in this order. Default none.
    public var spanProcessors: [any SpanProcessor] = []
    /// See and change each log record and event, in this order. Default none.
    public var logRecordProcessors: [any LogRecordProcessor] = []
    /// The lowest severity of log records and events that the app's loggers make. Lower ones are not made and are in no
    /// count. The SDK's own events are not affected. Default `nil`: all are made.
    public var minimumSeverity: Severity?
    /// The signal in which exceptions of spans are recorded. Default `spanEvents`.
    ///
    /// `OTEL_SEMCONV_EXCEPTION_SIGNAL_OPT_IN`: `logs` for log records, `logs/dup` for both.
    public var exceptionSignal = ExceptionSignal.spanEvents
    /// The kinds of records that are not made and are in no count. Default none.
    ///
    /// `OTEL_TRACES_EXPORTER`, `OTEL_LOGS_EXPORTER` and `OTEL_METRICS_EXPORTER` with the value `none`. Without spans
    /// there are no exceptions of spans. Events of sessions, crashes and the replay are log records. The session goes
    /// on without its events. Records that an earlier run has stored are sent.
    package var disabledSignals: Set<RecordKind> = []
    /// Change or drop each span, log record and event before it is stored, in this order, after the processors. One
    /// that returns `false` drops the record, which the ledger counts as ``DropReason/filtered``. Default none.
    ///
    ///     configuration.beforeSend.append { record in
    ///         record.updateAttributes { $0["demo.card.holder"] = nil }
    ///         return record.name != "heartbeat"
    ///     }
    ///
    /// They run on the thread that ends the span or emits the event, must return quickly and must not block. Changes
    /// are redacted and limited like any attribute. Crash reports and spans of an earlier run pass through them too.
    /// Metrics do not.
    public var beforeSend: [@Sendable (inout OutgoingRecord) -> Bool] = []
    /// The limits of one record. A `recordSize` of more than 1 MiB counts as 1 MiB, which is what the queue takes.
    public var limits = RecordLimits()
    /// The rules of what is removed from records before they are stored.
    public var redaction = RedactionOptions()
    /// True for a server. Default false.
    ///
    /// A server has no sessions and no installation id: its records belong to the sessions of those that call it. It
    /// has no conditions, so no policy lowers what it records. It stores up to 512 MiB in a
    /// burst, keeps 100,000 records while the collector does not respond, and sends 2,048 in a request.
    public var isServer = false
    /// When a session ends by itself.
    public var sessionLimits = SessionLimits()
    /// The rules by which the device's conditions decide what is collected, and when it is sent. A server, which has no
    /// sessions, has no conditions either: it records all and sends at once.
    public var policy = PolicyConfiguration()
    /// The source of the conditions; `nil` for the device itself.
    public var conditions: (any ConditionsMonitor)?
    /// True if a collector on this machine is in reach in airplane mode, too. Default true; false for a simulated
    /// device, whose network lies between it and this machine.
    package var treatsLoopbackAsReachable = true
    /// The time between two flushes. Default `nil`: the policy decides (5 s for a server); in debug builds and
    /// simulators at most 1 s while the mode is full or normal.
    ///
    /// At least 50 ms and at most a day. `ASTROLABE_FLUSH_INTERVAL`, in seconds; `OTEL_BSP_SCHEDULE_DELAY` and
    /// `OTEL_BLRP_SCHEDULE_DELAY`, in milliseconds.
    public var flushInterval: Duration?
    /// The time between two collections of metrics. Default 60 s, the specification's; at least 50 ms, at most a day.
    /// A flush by hand always collects. `OTEL_METRIC_EXPORT_INTERVAL`, in milliseconds.
    public var metricInterval: Duration = .seconds(60)
    /// Counts the spans and log records that the SDK has exported, as the metrics `otel.sdk.exporter.span.exported` and
    /// `otel.sdk.exporter.log.exported`. Default false.
    public var measuresExport = false
    /// The start of a count: the last collection, or the launch. Default `delta`: a device's counts begin again at each
    /// launch, and a server need not know of launches.
    ///
    /// `OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE`: `delta` or `cumulative`.
    public var metricTemporality = AggregationTemporality.delta
    /// The aggregation of histograms without a view. Default: explicit buckets.
    ///
    /// `OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION`.
    package var histogramAggregation = HistogramAggregation.explicitBuckets
    /// Views: the metrics that some instruments make, and their aggregation. Default none: each instrument makes its
    /// own metric.
    ///
    ///     configuration.metricViews = [
    ///         MetricView(instrument: "http.client.request.duration", aggregation: .base2Exponential()),
    ///     ]
    public var metricViews: [MetricView] = []
    /// The measurements that are kept as examples of a data point, with the span in which they were made. Default
    /// `off`.
    ///
    /// An exemplar has the attributes that a view leaves out. `OTEL_METRICS_EXEMPLAR_FILTER`.
    public var exemplars = ExemplarFilter.off
    /// The extent of recording of views, screens and taps that the app marks. Default `full`.
    ///
    /// `ASTROLABE_VIEW_TRACING`, `VIEW_TRACING` in `honeycomb.plist`, `telemetry.viewTracing` in a JSON file.
    public var viewTracing = ViewTracingMode.full
    /// The recording of crashes, hangs, late frames, starts, endings, CPU time and memory. Default: all but the last
    /// two.
    ///
    /// `ASTROLABE_HEALTH`, `HEALTH` in `honeycomb.plist`, `telemetry.health` in a JSON file: `all`, `off`, or some of
    /// `crashes`, `hangs`, `frames`, `starts` and `process` with commas between them.
    public var health = HealthConfiguration()
    /// The settings of the session replay. An app sets them by the property `replay`, which is part of the product
    /// `AstrolabeSessionReplay`.
    package var replaySettings = ReplayConfiguration()
    /// Makes the recorder of the replay. Default `nil`: the app has never set `replay`, so nothing is recorded.
    package var screenRecorder: ScreenRecorderFactory?
    /// Makes what follows documents of remote policy. Default `nil`: nothing does. An app sets the property
    /// `remotePolicy`, which is part of the product `AstrolabeRemotePolicy`.
    package var policyFollower: PolicyFollowerFactory?
    /// The transport of requests to the endpoint. Default: by `URLSession`.
    public var transport: any OTLPTransport = URLSessionTransport()
    /// Folder in which the SDK makes a folder of its own, `astrolabe-telemetry`, private to the user, for the journal,
    /// the queue, the session and the installation id. Default: `defaultStorageDirectory`, which is the SDK's own.
    ///
    /// The SDK deletes nothing of the app's. If the user refuses, it deletes all in its own folder except the decision.
    ///
    /// Not in the container of an app group: iOS ends an app that is suspended while it has a lock on a file there
    /// (`0xdead10cc`).
    public var storageDirectory: URL?
    /// Folder in which the user's decision is stored, below `astrolabe-telemetry`, if several processes share it: the
    /// container of an app group, for an app and its extensions. Default: with everything else.
    ///
    /// The SDK takes no lock there. A process that runs follows another's refusal before its next flush, and everything
    /// else at its next start.
    public var consentDirectory: URL?
    /// Receives diagnostics of the SDK itself, one line each. Default: in debug builds the unified log on Apple
    /// platforms and standard error elsewhere; in release builds nothing.
    ///
    /// Called on any thread. Delivery goes on if it does not return.
    public var onDiagnostic: @Sendable (String) -> Void = BuildDefaults.onDiagnostic
    /// True if the defaults for development apply, see `BuildDefaults`.
    package var usesDevelopmentDefaults = false
    /// True if environment variables were read, as `load` does.
    package var hasReadEnvironment = false

    /// Creates a configuration with the defaults.
    public init(serviceName: String = "unknown_service") {
        self.serviceName = serviceName
        endpoint = URL(string: "http://localhost:4318").map { OTLPEndpoint(url: $0) }
    }

    /// `Application Support/Astrolabe` on Apple platforms, `$XDG_STATE_HOME/astrolabe` or `~/.local/state/astrolabe`
    /// elsewhere, with a folder for each service. What was not sent under another service name stays in the folder of
    /// that name. Set `storageDirectory` to keep one folder.
    public var defaultStorageDirectory: URL {
        let name = serviceName.map { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" || $0 == "." ? $0 : "_" }
        return PlatformFolders.state.appendingPathComponent(String(name), isDirectory: true)
    }
}

extension TelemetryConfiguration {
    /// True if the conditions report when the app is in the foreground: on systems with UIKit, and if they are given.
    var reportsLifecycle: Bool {
        #if canImport(UIKit) && !os(watchOS)
        true
        #else
        conditions != nil
        #endif
    }

    /// The configuration that `Telemetry.start` uses in a build of this kind.
    package func atStart(isDevelopment: Bool) -> TelemetryConfiguration {
        var used = self
        used.usesDevelopmentDefaults = isDevelopment
        if !isDevelopment, !isServer, !isEndpointGiven { used.endpoint = nil }
        return used
    }

    /// The triggers of the flight recorder; `nil` if there is none.
    var recorderTriggers: RecorderTriggers? { recorder.isEnabled ?? !isServer ? recorder.triggers : nil }

    /// The records that a request of the flight recorder is about.
    var recorderKey: RecorderKey { isServer ? .trace : .session }

    package var recorderBounds: RecorderBounds { RecorderBounds(recorder, isServer: isServer) }

    /// True if traces are chosen by session.
    var samplesSessions: Bool { sampler == nil && !isServer }

    /// The share of sessions that is recorded; `nil` leaves it to the policy.
    package var fixedSamplingRate: Double? {
        switch sampling {
        case .automatic: usesDevelopmentDefaults ? 1 : nil
        case .policy: nil
        case .everything: 1
        case .ratio(let share): share.isNaN ? 0 : min(max(share, 0), 1)
        }
    }

    /// The sampler of traces where sessions are not sampled.
    var traceSampler: any Sampler {
        if let sampler { return sampler }
        guard let rate = fixedSamplingRate, rate < 1 else { return Self.everything }
        return ParentBasedSampler(root: RatioSampler(rate))
    }

    /// The specification's name of a service that has none.
    static let unknownService = "unknown_service"

    static let everything = ParentBasedSampler(root: AlwaysOnSampler())
}

extension TelemetryConfiguration: CustomStringConvertible {
    /// Without the values of headers, which may hold keys.
    public var description: String {
        let address = endpoint.map(\.description) ?? "none"
        let sampling = sampler?.description ?? "\(sampling)"
        return
            "TelemetryConfiguration(\(serviceName) \(serviceVersion ?? ""), endpoint: \(address), sampler: \(sampling))"
    }
}
