package import AstrolabeAppHealth
public import AstrolabeDelivery
public import AstrolabeDeviceConditions
import AstrolabePlatform
public import AstrolabePolicy
public import AstrolabeRecording
import AstrolabeSemantics
package import AstrolabeSessionReplay
import AstrolabeSessions
public import AstrolabeTelemetryModel
public import AstrolabeViewTracing
import Foundation

/// The running SDK: it hands out tracers, event loggers and meters, and sees their records to the server.
///
///     let telemetry = Telemetry.start(TelemetryConfiguration(serviceName: "ios-otel-demo"))
///     let tracer = telemetry.tracer("shop")
///     tracer.withSpan("add to cart") { span in span.setAttribute("demo.product.quantity", 1) }
///
/// It never throws at, traps in or blocks the app: what goes wrong with telemetry is counted in the report and told to
/// `TelemetryConfiguration.onDiagnostic`.
public final class Telemetry: Sendable {
    /// Identifies this installation of the app; empty where the SDK is disabled or has no sessions.
    public let installationID: String
    /// The resource that all records are attributed to.
    public let resource: Resource
    /// Records views, screens and taps as the configuration says; `TracedView` and its modifiers use it.
    public let views: ViewTracer
    /// Takes note of frames and tells of those that were late; whoever draws feeds it.
    package let frames: FrameMonitor

    /// Records what people see, as wireframes, where the configuration asks for it. On systems with UIKit it reads the
    /// screen by itself; an app that draws by itself attaches a source of its own.
    package let replay: ReplayRecorder

    let core: RecordingCore?
    private let registry: MetricRegistry?
    private let delivery: DeliveryService?
    private let tracker: SessionTracker?
    let driver: PolicyController?
    let health: HealthRecorder?

    /// Records nothing, sends nothing and costs nothing.
    public static let disabled = Telemetry()

    private static let running = Locked<Telemetry>(.disabled)
    /// Held while an instance starts, so that two calls at once start one.
    private static let starting = Locked(())
    private let isShutDown = Locked(false)

    /// The one that was started last, or `disabled`: for code that nobody hands one to.
    public static var shared: Telemetry { running.withLock { $0 } }

    /// Starts recording and delivering, and makes this the shared instance.
    ///
    /// Only one instance runs at a time: a second call returns the running one and reports that to `onDiagnostic`. In
    /// debug builds, a line tells where records are sent and what is sampled.
    ///
    /// Returns in a few milliseconds: the database and the network are used only later, from another thread. On Apple
    /// platforms call it on the main thread, where information about the device is available. Records of previous runs
    /// that were not sent are sent with those of this run.
    public static func start(_ configuration: TelemetryConfiguration) -> Telemetry {
        starting.withLock { _ in
            let current = shared
            if current.isEnabled, !current.isShutDown.withLock({ $0 }) {
                configuration.onDiagnostic(StartLine.secondStart(running: current, refused: configuration))
                return current
            }
            var configuration = configuration
            configuration.usesDevelopmentDefaults = BuildDefaults.isDevelopment
            let telemetry = start(configuration, transport: configuration.transport, recordsHealth: true)
            if telemetry.isEnabled { running.withLock { $0 = telemetry } }
            configuration.onDiagnostic(StartLine.text(for: telemetry, configuration))
            return telemetry
        }
    }

    /// Starts with another way to the server and in another time, as a test does; this is not the shared one.
    ///
    /// - Parameter recordsHealth: Whether crashes and hangs of this process are looked for, which one alone may do.
    package static func start(
        _ configuration: TelemetryConfiguration, transport: any OTLPTransport, time: DeliveryTime = .system,
        recordsHealth: Bool = false,
    ) -> Telemetry {
        guard configuration.isEnabled else { return .disabled }
        let configuration = configuration.bounded
        let start = SystemTime.wall
        let place = Place(configuration)
        let health = recordsHealth && !configuration.isServer ? place.beginHealth(configuration) : nil
        do {
            let pipeline = try Pipeline(
                resource: place.resource, directory: place.directory,
                recordSize: configuration.limits.recordSize, bounds: configuration.isServer ? .server : .app,
                transport: transport, time: time,
            )
            let telemetry = Telemetry(
                configuration, place: place, sink: pipeline.sink, pipeline: pipeline,
                clock: time.anchoredClock(), health: health, )
            health?.finishStart(begunAt: start)
            return telemetry
        } catch {
            configuration.onDiagnostic("Telemetry could not start and is disabled: \(error)")
            return .disabled
        }
    }

    /// Records into a sink of the caller's, as a test does; delivers nothing, and is not the shared one.
    public convenience init(_ configuration: TelemetryConfiguration, sink: any RecordSink) {
        self.init(configuration, place: Place(configuration), sink: sink, pipeline: nil)
    }

    private init() {
        installationID = ""
        resource = Resource()
        views = .disabled
        frames = .disabled
        replay = .disabled
        core = nil
        registry = nil
        delivery = nil
        tracker = nil
        driver = nil
        health = nil
    }

    private init(
        _ configuration: TelemetryConfiguration, place: Place, sink: any RecordSink, pipeline: Pipeline?,
        clock: TelemetryClock = .anchored(), health: HealthRecorder? = nil,
    ) {
        let sessionSampler =
            configuration.samplesSessions ? SessionSampler(rate: configuration.fixedSamplingRate ?? 1) : nil
        let core = RecordingCore(
            sink: sink, clock: clock, sampler: sessionSampler ?? configuration.traceSampler,
            limits: configuration.storableLimits, redactor: Redactor(configuration.redaction),
            notices: RecordingNotices(configuration.onDiagnostic),
        )
        core.breadcrumbs.keep(atMost: configuration.policy.breadcrumbLimit)
        let registry = MetricRegistry(core: core, temporality: configuration.metricTemporality)
        installationID = place.installationID
        resource = place.resource
        tracker =
            !configuration.isServer
            ? SessionAnnouncer.track(
                core: core, directory: place.directory, limits: configuration.sessionLimits, sampler: sessionSampler,
            ) : nil
        self.core = core
        self.registry = registry
        views = ViewTracer(configuration.viewTracing, core: core, tracker: tracker)
        self.health = health
        let measuresFrames =
            !configuration.isServer && configuration.health.isEnabled
            && configuration.health.measuresFrames
        // If only the start is measured, its first frame is still needed.
        frames = measuresFrames ? FrameMonitor(core: core, registry: registry) : FrameMonitor()
        let processor = pipeline?.processor ?? CPUTimeMeter()
        // Before earlier runs are reported, so that their critical records are sent.
        delivery = pipeline?.delivery(for: configuration, core: core, registry: registry, tracker: tracker)
        if health?.attach(core: core, frames: frames, countedBy: processor) == true {
            health?.sendReports { [delivery] in await delivery?.flush(.critical) }
        }
        replay =
            !configuration.isServer
            ? ReplayRecorder(core: core, configuration: configuration.replay, countedBy: processor) : .disabled
        if let pipeline, let delivery, !configuration.isServer {
            driver = pipeline.driver(
                for: configuration, device: place.device, core: core, registry: registry, delivery: delivery,
                sampler: sessionSampler, views: views, replay: replay, health: health, tracker: tracker,
            )
        } else {
            driver = nil
        }
        #if canImport(UIKit) && !os(watchOS) && !os(tvOS)
        replay.attachScreen()
        #endif
        let state = driver?.monitor.current.lifecycle ?? .launching
        tracker?.launch(SessionLaunch(state, isReported: driver != nil && configuration.reportsLifecycle))
        driver?.start()
        if let delivery { Task { await delivery.start() } }
    }

    /// Where this runs: what the resource says, and the folder for what must outlive a launch.
    private struct Place {
        let device: DeviceContext
        let directory: URL
        let installationID: String
        let resource: Resource

        init(_ configuration: TelemetryConfiguration) {
            directory = configuration.storageDirectory ?? configuration.defaultStorageDirectory
            if !configuration.isServer { StorageFolder.prepare(directory) }
            device = HostDevice.context(version: configuration.serviceVersion ?? "")
            installationID =
                !configuration.isServer
                ? InstallationID.loadOrCreate(in: directory, makeID: IDGenerator().nextUUID) : ""
            var attributes = HostDevice.attributes(of: device, installationID: installationID)
            if let version = configuration.serviceVersion { attributes[AttributeKey.serviceVersion] = .string(version) }
            let redactor = Redactor(configuration.redaction)
            for element in configuration.resourceAttributes {
                let key = redactor.redacted(element.key)
                if let text = element.value.stringValue {
                    attributes[key] = .string(redactor.redacted(text, key: element.key))
                } else {
                    attributes[key] = element.value
                }
            }
            attributes[AttributeKey.serviceName] = .string(configuration.serviceName)
            resource = Resource(attributes: attributes)
        }

        func beginHealth(_ configuration: TelemetryConfiguration) -> HealthRecorder? {
            func text(_ key: String) -> String { resource.attributes[key]?.stringValue ?? "" }
            let ids = IDGenerator()
            let identity = RunIdentity(
                runID: ids.nextUUID(), crashID: ids.nextUUID(), appVersion: text(AttributeKey.serviceVersion),
                appBuild: text(AttributeKey.appBuildID), osName: text(AttributeKey.osName),
                osVersion: text(AttributeKey.osVersion),
            )
            return HealthRecorder.begin(
                directory: directory.appendingPathComponent("health").path, identity: identity,
                settings: configuration.health, onDiagnostic: configuration.onDiagnostic,
            )
        }
    }

    /// A tracer for one library or part of the app.
    public func tracer(_ name: String, version: String = "") -> Tracer {
        Tracer(core: core, scope: InstrumentationScope(name: name, version: version))
    }

    /// A logger of log lines and events for one library or part of the app.
    public func logger(_ name: String, version: String = "") -> EventLogger {
        EventLogger(core: core, scope: InstrumentationScope(name: name, version: version), isOfApp: true)
    }

    /// A meter for one library or part of the app.
    public func meter(_ name: String, version: String = "") -> Meter {
        Meter(registry: registry, scope: InstrumentationScope(name: name, version: version))
    }

    /// False where every call is a no-op.
    public var isEnabled: Bool { core != nil }

    /// The current session.
    public var session: SessionHandle { SessionHandle(tracker: tracker) }

    /// Sets an attribute of every record from now on, such as a feature flag's value. `nil` sets nothing.
    ///
    /// A record's own attribute of the same key wins. So do the SDK's session, screen and network.
    ///
    /// At most 64 attributes can be set, with texts of 1,024 bytes and 8,192 bytes in all. One that does not fit is not
    /// set, which is reported once to `onDiagnostic`. What is true for the whole launch belongs in
    /// `TelemetryConfiguration.resourceAttributes`.
    public func setAttribute(_ key: String, _ value: some AttributeConvertible) {
        guard let core, let value = value.attributeValue else { return }
        core.setAmbient(key, to: value)
    }

    /// Removes an attribute that ``setAttribute(_:_:)`` set.
    public func removeAttribute(_ key: String) {
        core?.setAmbient(key, to: nil)
    }

    /// Names the screen that the person sees, on every record from now on; `nil` where there is none.
    ///
    /// Traced views do this by themselves; it is for screens of other frameworks. Redacted, and cut to 256 bytes each.
    public func setScreen(name: String?, id: String? = nil) {
        tracker?.show(name ?? id)
        core?.setScreen(name: name, id: id)
    }

    /// The screen that records are attributed to now; `nil` where none was named.
    public var screenName: String? { core?.ambient.snapshot.attributes[AttributeKey.appScreenName]?.stringValue }

    /// What the policy decided last, with its reasons; `nil` for a server and where the SDK is disabled.
    public var decision: PolicyDecision? { driver?.decision }

    /// The device's conditions, as they are seen here; `nil` for a server and where the SDK is disabled.
    ///
    /// On Linux and macOS nobody but the app knows its life: tell it by `moveLifecycle(to:)`.
    public var conditions: (any ConditionsMonitor)? { driver?.monitor }

    /// Collects metrics and sends all that has been recorded, as far as the server takes it now.
    @discardableResult
    public func flush() async -> DeliveryReport {
        await delivery?.flush()
        return await report
    }

    /// Sends the remaining records and stops delivering. What is recorded afterwards is not sent by this run.
    ///
    /// - Parameter timeout: The longest time to send. Records that remain are kept for the next run.
    @discardableResult
    public func shutdown(timeout: Duration = .seconds(5)) async -> DeliveryReport {
        isShutDown.withLock { $0 = true }
        await health?.finish()
        driver?.stop()
        replay.stop()
        await delivery?.shutdown(within: timeout.seconds)
        health?.end()
        return await report
    }

    /// What has become of all records so far.
    public var report: DeliveryReport {
        get async { await delivery?.currentReport ?? DeliveryReport() }
    }

    /// Whether a flush is in progress.
    package var isFlushing: Bool {
        get async { await delivery?.isFlushing ?? false }
    }

    /// Collects metrics into the sink now, for tests.
    package func collectMetrics() {
        registry?.collect()
    }
}
