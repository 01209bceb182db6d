package import AstrolabeAppHealth
public import AstrolabeDelivery
public import AstrolabeDeviceConditions
package import AstrolabePlatform
public import AstrolabePolicy
public import AstrolabeRecording
import AstrolabeSemantics
import AstrolabeSessions
public import AstrolabeTelemetryModel
public import AstrolabeViewTracing
package import Foundation

/// The running SDK: it hands out tracers, event loggers and meters, and sees their records to the server.
///
///     let telemetry = Telemetry.start(TelemetryConfiguration(serviceName: "my-app"))
///     let tracer = telemetry.tracer("shop")
///     tracer.withSpan("add to cart") { span in span.setAttribute("demo.product.quantity", 1) }
///
/// It never throws at, traps in or blocks the app: what goes wrong with telemetry is counted in the report and told to
/// `TelemetryConfiguration.onDiagnostic`.
public final class Telemetry: Sendable {
    /// Identifies this installation of the app. Empty if the SDK is disabled or has no sessions, and while consent is
    /// denied.
    public var installationID: String { place?.installationID ?? "" }
    /// The resource that all records are attributed to. Empty while consent is denied.
    public var resource: Resource { place?.resource ?? Resource() }
    /// Records views, screens and taps as the configuration says; `TracedView` and its modifiers use it.
    public let views: ViewTracer
    /// Records late frames. The code that draws reports each frame to it.
    package let frames: FrameMonitor

    /// Records what people see, as wireframes, where the configuration asks for it; `nil` otherwise.
    package let screenRecorder: (any ScreenRecorder)?

    /// The propagator of the trace and the baggage in requests, from the configuration.
    public let propagator: any TextMapPropagator

    let core: RecordingCore?
    let registry: MetricRegistry?
    let setup: Setup?
    /// The lowest severity of records of the app's loggers.
    let minimumSeverity: Severity?
    /// The running pipeline; `nil` while consent is denied.
    let run = Locked<RunningPipeline?>(nil)
    /// The tracker of what runs, for the views, which outlive it.
    let tracker: Locked<SessionTracker?>
    let consents = Locked(ConsentState())
    /// Held during I/O on purpose: of two decisions at once, the later one must be in the file.
    let storing = Locked((), isHeldDuringIO: true)
    /// True if the use of the process is observed, which is once for all runs.
    let observesProcess = Locked(false)
    /// Waits for the first unlock.
    let unlock = Locked(UnlockWait())

    /// The parts that each run begins with; a class, because a copy of the configuration is much code.
    final class Setup: Sendable {
        let configuration: TelemetryConfiguration
        let transport: any OTLPTransport
        let time: DeliveryTime
        let recordsHealth: Bool
        let gate: ConsentGate
        let store: ConsentStore
        let sampler: SessionSampler?
        let processor = CPUTimeMeter()

        init(
            _ configuration: TelemetryConfiguration, transport: any OTLPTransport, time: DeliveryTime,
            recordsHealth: Bool,
        ) {
            self.configuration = configuration
            self.transport = transport
            self.time = time
            self.recordsHealth = recordsHealth
            gate = ConsentGate()
            store = ConsentStore(configuration)
            sampler = Telemetry.sampler(for: configuration)
        }
    }

    /// Records nothing, sends nothing and costs nothing.
    public static let disabled = Telemetry()

    /// The one that runs, from before it has started, so that two calls at once start one.
    private static let running = Locked<Telemetry?>(nil)
    let isShutDown = Locked(false)

    /// The one that was started last, or `disabled`: for code that does not get one as a parameter.
    public static var shared: Telemetry { running.withLock { $0 } ?? .disabled }

    /// Starts recording and delivering, and makes this the shared instance.
    ///
    /// Only one instance runs at a time: a second call returns the running one and reports that to `onDiagnostic`. One
    /// that is still starting keeps what is recorded; its session and resource follow. In debug builds, a line tells
    /// where records are sent and what is sampled.
    ///
    /// Returns in a few milliseconds: the database and the network are used only later, from another thread. On Apple
    /// platforms call it on the main thread, where information about the device is available. Records of previous runs
    /// that were not sent are sent with those of this run.
    ///
    /// - Returns: The instance that runs, which is ``shared``; ``disabled`` if it cannot start.
    @discardableResult
    public static func start(_ configuration: TelemetryConfiguration) -> Telemetry {
        var used = configuration
        let device = SimulatedHost.current.withLock { $0 }
        if let device { used = used.hosted(on: device) }
        used = used.atStart(isDevelopment: BuildDefaults.isDevelopment)
        if let earlier = running.withLock({ $0 }), earlier.isRunning { return earlier.refuse(configuration) }
        let new = prepared(used, transport: used.transport, recordsHealth: true)
        let (begins, begin) = AsyncStream.makeStream(of: Never.self)
        let current = running.withLock { current in
            if let current, current.isRunning { return current }
            // A change of consent and a shutdown wait for the start.
            new.consents.withLock { $0.change = Task { for await _ in begins {} } }
            if new.isEnabled { current = new }
            return new
        }
        // Records of others meanwhile, also from `onDiagnostic`, wait in memory.
        let started = current === new ? new.begun(protectedData: .system) : current
        begin.finish()
        guard current === new else { return current.refuse(configuration) }
        if !started.isEnabled { running.withLock { if $0 === new { $0 = started } } }
        used.onDiagnostic(StartupMessage.text(for: started, used))
        // The simulated phone sets variables for apps that read them.
        if used.usesDevelopmentDefaults, device == nil,
            let line = StartupMessage.unreadVariables(ProcessInfo.processInfo.environment, configuration)
        {
            used.onDiagnostic(line)
        }
        // Not by `onDiagnostic`, which does nothing by default in release builds.
        if started.isEnabled, used.endpoint == nil, configuration.endpoint != nil {
            DiagnosticLog.write(StartupMessage.noEndpoint)
        }
        return started
    }

    private var isRunning: Bool { isEnabled && !isShutDown.withLock { $0 } }

    private func refuse(_ configuration: TelemetryConfiguration) -> Telemetry {
        configuration.onDiagnostic(StartupMessage.secondStart(running: self, refused: configuration))
        return self
    }

    /// Starts with another transport and another clock, as a test does. The result is not the shared one.
    ///
    /// - Parameters:
    ///   - recordsHealth: True to detect crashes and hangs of this process, which only one may do.
    ///   - protectedData: Data protection, which may keep the folder closed until the first unlock.
    package static func start(
        _ configuration: TelemetryConfiguration, transport: any OTLPTransport, time: DeliveryTime = .system,
        recordsHealth: Bool = false, protectedData: ProtectedData? = .system,
    ) -> Telemetry {
        prepared(configuration, transport: transport, time: time, recordsHealth: recordsHealth)
            .begun(protectedData: protectedData)
    }

    /// An instance that has not begun: it keeps in memory what is recorded.
    private static func prepared(
        _ configuration: TelemetryConfiguration, transport: any OTLPTransport, time: DeliveryTime = .system,
        recordsHealth: Bool,
    ) -> Telemetry {
        guard configuration.isEnabled else { return .disabled }
        let configuration = configuration.bounded
        let setup = Setup(configuration, transport: transport, time: time, recordsHealth: recordsHealth)
        setup.gate.hold()
        return Telemetry(configuration, sink: setup.gate, setup: setup, clock: time.anchoredClock())
    }

    /// Itself once it has begun, and `disabled` if it cannot.
    private func begun(protectedData: ProtectedData?) -> Telemetry {
        if let protectedData, beginWhenUnlocked(protectedData) { return self }
        return begin() ? self : .disabled
    }

    /// Records into a sink of the caller's, as a test does; delivers nothing, and is not the shared one.
    ///
    /// `AstrolabeTesting` has the protocol of sinks and what its methods take.
    public convenience init(_ configuration: TelemetryConfiguration, sink: any RecordSink) {
        let sampler = Self.sampler(for: configuration)
        self.init(configuration, sink: sink, setup: nil, sampler: sampler, clock: .anchored())
        let place = RunEnvironment(configuration, redactor: core?.redactor ?? configuration.redactor)
        let tracker = self.tracker(in: place, configuration, sampler: sampler)
        run.withLock {
            $0 = RunningPipeline(place: place, tracker: tracker)
        }
        tracker?.launch()
    }

    private init() {
        views = .disabled
        frames = .disabled
        screenRecorder = nil
        propagator = CompositePropagator.w3c
        core = nil
        registry = nil
        setup = nil
        minimumSeverity = nil
        tracker = Locked(nil)
    }

    /// Creates the parts that exist once, over all runs.
    private init(
        _ configuration: TelemetryConfiguration, sink: any RecordSink, setup: Setup?, sampler: SessionSampler? = nil,
        clock: TelemetryClock,
    ) {
        let core = RecordingCore(
            sink: sink, clock: clock, sampler: setup?.sampler ?? sampler ?? configuration.traceSampler,
            limits: configuration.storableLimits, redactor: configuration.redactor,
            notices: RecordingNotices(configuration.onDiagnostic),
            processors: RecordProcessors(
                span: configuration.spanProcessors, log: configuration.logRecordProcessors,
                beforeSend: configuration.beforeSend),
            exceptionSignal: configuration.exceptionSignal, disabledSignals: configuration.disabledSignals,
            // A sink of the caller's has no ring.
            recorder: setup == nil ? nil : configuration.recorderTriggers, recorderKey: configuration.recorderKey,
        )
        core.breadcrumbs.keep(atMost: configuration.policy.breadcrumbLimit)
        let registry = MetricRegistry(
            core: core, temporality: configuration.metricTemporality, histograms: configuration.histogramAggregation,
            views: configuration.metricViews, exemplars: configuration.exemplars)
        let tracker = Locked<SessionTracker?>(nil)
        propagator = configuration.propagator
        self.core = core
        self.registry = registry
        self.setup = setup
        minimumSeverity = configuration.minimumSeverity
        self.tracker = tracker
        views = ViewTracer(configuration.viewTracing, core: core) { tracker.withLock { $0 } }
        let measuresFrames =
            !configuration.isServer && configuration.health.isEnabled
            && configuration.health.measuresFrames
        // If only the start is measured, its first frame is still needed.
        frames = measuresFrames ? FrameMonitor(core: core, registry: registry) : FrameMonitor()
        let recordsScreen =
            configuration.replaySettings.isEnabled && !configuration.isServer
            && !configuration.disabledSignals.contains(.event)
        screenRecorder =
            recordsScreen
            ? configuration.screenRecorder?.make(
                core, configuration.replaySettings, setup?.processor ?? CPUTimeMeter())
            : nil
    }

    private static func sampler(for configuration: TelemetryConfiguration) -> SessionSampler? {
        configuration.samplesSessions ? SessionSampler(rate: configuration.fixedSamplingRate ?? 1) : nil
    }

    func tracker(
        in place: RunEnvironment, _ configuration: TelemetryConfiguration, sampler: SessionSampler?,
    ) -> SessionTracker? {
        guard let core, !configuration.isServer else { return nil }
        let new = SessionAnnouncer.track(
            core: core, directory: place.directory, limits: configuration.sessionLimits, sampler: sampler)
        tracker.withLock { $0 = new }
        return new
    }

    /// False where every call is a no-op.
    public var isEnabled: Bool { core != nil }

    /// The current session.
    public var session: SessionHandle { SessionHandle(running: tracker) }

    /// Sets an attribute of every record from now on, such as a feature flag's value. `nil` sets nothing.
    ///
    /// A record's own attribute of the same key wins. So do the SDK's session, screen and network.
    ///
    /// At most 64 attributes can be set, with texts of 1,024 bytes and 8,192 bytes in all. One that does not fit is not
    /// set, which is reported once to `onDiagnostic`. What is true for the whole launch belongs in
    /// `TelemetryConfiguration.resourceAttributes`. While consent is denied, nothing is set, and a refusal removes all.
    public func setAttribute(_ key: String, _ value: some AttributeConvertible) {
        guard let core, let value = value.attributeValue else { return }
        core.setAmbient(key, to: value)
    }

    /// Removes an attribute that ``setAttribute(_:_:)`` set.
    public func removeAttribute(_ key: String) {
        core?.setAmbient(key, to: nil)
    }

    /// Names the screen that the person sees, on every record from now on; `nil` if there is none.
    ///
    /// Traced views of SwiftUI and UIKit do this by themselves, with the same parameters; it is for screens of other
    /// frameworks. Redacted, and cut to 256 bytes each. While consent is denied, none is named.
    ///
    /// - Parameters:
    ///   - name: `app.screen.name`: a fixed word of the developer's, with no data in it.
    ///   - id: `app.screen.id`. Default the name.
    public func setScreen(_ name: String?, id: String? = nil) {
        tracker.withLock { $0 }?.show(name ?? id)
        core?.setScreen(name: name, id: id ?? name)
    }

    /// The screen that records are attributed to now; `nil` where none was named.
    package var screenName: String? { core?.ambient.snapshot.attributes[AttributeKey.appScreenName]?.stringValue }

    /// The share of sessions that the app records, whatever the policy says; `nil` leaves it to the policy.
    package var fixedSamplingRate: Double? { setup?.configuration.fixedSamplingRate }

    /// True if telemetry may use expensive networks: cellular and personal hotspots. Starts with the configuration's.
    public var uploadsOnCellular: Bool {
        get { driver?.uploadsOnCellular ?? setup?.configuration.policy.uploadsOnCellular ?? false }
        set { driver?.setUploadsOnCellular(newValue) }
    }

    /// The device and its state now, as attributes: model, system, battery, heat, orientation.
    ///
    /// Empty for a server, if the SDK is disabled, and while consent is denied.
    public var deviceAttributes: Attributes {
        guard let run = run.withLock({ $0 }), let conditions = run.driver?.monitor.current else { return [:] }
        let device = run.place.device.updated(with: conditions)
        return Attributes(device.resourceAttributes).merging(Attributes(device.momentAttributes))
    }

    /// The last decision of the policy, with its reasons; `nil` for a server and if the SDK is disabled.
    public var policyDecision: PolicyDecision? { driver?.decision }

    /// Reports the app's new state, on macOS and Linux, where only the app knows it.
    ///
    /// On systems with UIKit the SDK knows. A server and a disabled SDK ignore it.
    public func moveLifecycle(to state: LifecycleState) {
        conditions?.moveLifecycle(to: state)
    }

    /// The device's conditions, as they are seen here; `nil` for a server and where the SDK is disabled.
    package var conditions: (any ConditionsMonitor)? { driver?.monitor }

    /// Collects metrics and sends all that has been recorded, as far as the server takes it now.
    @discardableResult
    public func flush() async -> DeliveryReport {
        await delivery?.flush()
        return await report
    }

    /// Sends the remaining records and stops delivering. What is recorded afterwards is not sent by this run.
    ///
    /// Records that remain are kept for the next run. Afterwards, `Telemetry.start` starts a new instance.
    ///
    /// - Parameters:
    ///   - sending: Whether to send. `false` makes no more requests and cancels the one in progress.
    ///   - timeout: The longest time to send.
    @discardableResult
    public func shutdown(sending: Bool = true, timeout: Duration = .seconds(5)) async -> DeliveryReport {
        isShutDown.withLock { $0 = true }
        unlock.withLock { $0.task }?.cancel()
        await consents.withLock { $0.change }?.value
        screenRecorder?.stop()
        await run.withLock { $0 }?.end(sendingFor: sending ? timeout : nil)
        return await report
    }

    /// The fate of all records so far.
    public var report: DeliveryReport {
        get async { await delivery?.currentReport ?? DeliveryReport() }
    }

    /// True if a flush is in progress.
    package var isFlushing: Bool {
        get async { await delivery?.isFlushing ?? false }
    }

    /// Collects metrics into the sink now, for tests.
    package func collectMetrics() {
        registry?.collect()
    }

    /// Records what the system reports about crashes and hangs: the JSON representation of an `MXDiagnosticPayload`.
    package func receive(diagnostics payload: Data) {
        run.withLock { $0 }?.health?.receive(diagnostics: payload)
    }

    /// The place of what runs, unless the user has refused since it began, and it has not ended yet.
    private var place: RunEnvironment? {
        run.withLock { run in run.flatMap { $0.period == core?.periods.number ? $0.place : nil } }
    }

    var driver: PolicyController? { run.withLock { $0?.driver } }
    var delivery: DeliveryService? { run.withLock { $0?.delivery } }
}
