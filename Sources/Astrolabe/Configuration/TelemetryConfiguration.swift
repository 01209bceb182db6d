public import AstrolabeAppHealth
public import AstrolabeDelivery
public import AstrolabeDeviceConditions
public import AstrolabePolicy
public import AstrolabeSessionReplay
public import AstrolabeSessions
public import AstrolabeViewTracing
public import Foundation

/// All that can be said about how telemetry is recorded and where it goes.
///
///     var configuration = TelemetryConfiguration(serviceName: "ios-otel-demo")
///     configuration.serviceVersion = "1.0.0"
///     configuration.endpoint = OTLPEndpoint(url: url, headers: ["x-honeycomb-team": key])
///     let telemetry = Telemetry.start(configuration)
///
/// `load` fills one from environment variables and files; see there for which of them wins.
public struct TelemetryConfiguration: Sendable {
    /// `service.name`. Default `unknown_service`, the specification's.
    public var serviceName: String
    /// `service.version`; what a person calls the version of the app.
    public var serviceVersion: String?
    /// Attributes of the resource, over those that the SDK finds out itself.
    public var resourceAttributes = Attributes()
    /// Where records are sent; `nil` keeps them on the device, bounded. Default `http://localhost:4318`.
    public var endpoint: OTLPEndpoint?
    /// False makes every call a no-op that costs nothing. Default true.
    public var isEnabled = true
    /// Decides which traces are recorded. Default `nil`: sessions are recorded as a whole or not at all, as many as the
    /// policy says at the moment, and their events all the same. A server, which has no sessions, records all and does
    /// as the parent did.
    ///
    /// Whatever a sampler leaves out: a span that fails is recorded, and so is the first span of its trace, unless the
    /// sampler is `AlwaysOffSampler`. `ParentBasedSampler(root: AlwaysOnSampler())` records everything.
    public var sampler: (any Sampler)?
    /// How large a record may become. A `recordSize` of more than 1 MiB counts as 1 MiB, which is what the queue takes.
    public var limits = RecordLimits()
    public var redaction = RedactionOptions()
    /// Whether there is a person whose sessions are to be told apart, on an installation that has an id. Default true;
    /// false for a server, whose records belong to the sessions of those that call it.
    public var hasSessions = true
    public var sessionLimits = SessionLimits()
    /// How the device's conditions decide what is collected, and when it is sent. A server, which has no sessions, has
    /// no conditions either: it records all and sends at once.
    public var policy = PolicyConfiguration()
    /// Where the conditions come from; `nil` for the device itself.
    public var conditions: (any ConditionsMonitor)?
    /// Whether a collector on this machine is in reach in airplane mode, too. Default true; false for a simulated
    /// device, whose network lies between it and this machine.
    public var treatsLoopbackAsReachable = true
    /// Seconds between two flushes; `nil` leaves that to the policy, 5 for a server. Default `nil`.
    ///
    /// `ASTROLABE_FLUSH_INTERVAL`.
    public var flushInterval: Double?
    /// Seconds between two collections of metrics. Default 60, the specification's. A flush by hand always collects.
    public var metricInterval = 60.0
    /// Default `delta`: a device's counts begin anew at each launch.
    public var metricTemporality = AggregationTemporality.delta
    /// What is recorded of the app's views, screens and taps, where the app marks them. Default `full`.
    ///
    /// `ASTROLABE_VIEW_TRACING`, `VIEW_TRACING` in `honeycomb.plist`, `telemetry.viewTracing` in a JSON file.
    public var viewTracing = ViewTracingMode.full
    /// What is recorded of crashes, hangs, late frames, starts and endings. Default: all of it.
    ///
    /// `ASTROLABE_HEALTH`, `HEALTH` in `honeycomb.plist`, `telemetry.health` in a JSON file: `all`, `off`, or some of
    /// `crashes`, `hangs`, `frames` and `starts` with commas between them.
    public var health = HealthConfiguration()
    /// Whether what people see is recorded as wireframes. Default: it is not. A server, which has no sessions, has
    /// nothing to show whatever this says.
    public var replay = ReplayConfiguration()
    /// How requests are sent to the endpoint. Default: by `URLSession`.
    public var transport: any OTLPTransport = URLSessionTransport()
    /// The app's own backend, where a file names it (`API_ENDPOINT`).
    public var apiEndpoint: URL?
    /// Folder of the journal, the queue, the session and the installation id, private to the user. Default: the app's
    /// own, see `defaultStorageDirectory`.
    public var storageDirectory: URL?
    /// Told in one line when something is amiss with telemetry itself. Default: nothing; with `DEBUG`, standard error.
    public var onDiagnostic: @Sendable (String) -> Void = { _ in }

    public init(serviceName: String = "unknown_service") {
        self.serviceName = serviceName
        endpoint = URL(string: "http://localhost:4318").map { OTLPEndpoint(url: $0) }
    }

    /// `Application Support/Astrolabe` on Apple platforms, `$XDG_STATE_HOME/astrolabe` or `~/.local/state/astrolabe`
    /// elsewhere, with a folder for each service.
    public var defaultStorageDirectory: URL {
        let name = serviceName.map { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" || $0 == "." ? $0 : "_" }
        return PlatformFolders.state.appendingPathComponent(String(name), isDirectory: true)
    }
}

extension TelemetryConfiguration {
    /// Whether it is by session that traces are chosen.
    var samplesSessions: Bool { sampler == nil && hasSessions }

    /// The limits, with records no larger than journal and queue can hold.
    var storableLimits: RecordLimits {
        var limits = limits
        limits.recordSize = min(limits.recordSize, DurableLedger.recordLimit)
        return limits
    }

    static let everything = ParentBasedSampler(root: AlwaysOnSampler())
}

extension TelemetryConfiguration: CustomStringConvertible {
    /// Without the values of headers, which may hold keys.
    public var description: String {
        let address = endpoint.map(\.description) ?? "none"
        let sampling = sampler?.description ?? (samplesSessions ? "by session" : Self.everything.description)
        return
            "TelemetryConfiguration(\(serviceName) \(serviceVersion ?? ""), endpoint: \(address), sampler: \(sampling))"
    }
}
