public import Delivery
import Foundation
import OTLP
import Platform
public import Recording
import Semantics
import Sessions
public import TelemetryModel

/// The running SDK: it hands out tracers, event loggers and meters, and sees their records to the server.
///
///     let telemetry = Telemetry.start(TelemetryConfiguration(serviceName: "ios-otel-demo"))
///     let tracer = telemetry.tracer("shop")
///     tracer.withSpan("add to cart") { span in span.setAttribute(key: "demo.product.quantity", value: 1) }
///
/// It never throws at, traps in or blocks the app: what goes wrong with telemetry is counted in the report and told to
/// `TelemetryConfiguration.diagnose`.
public final class Telemetry: Sendable {
    /// Identifies this installation of the app; empty where the SDK is disabled or has no sessions.
    public let installationID: String
    /// The resource that all records are attributed to.
    public let resource: Resource

    private let core: RecordingCore?
    private let registry: MetricRegistry?
    private let delivery: DeliveryService?
    private let tracker: SessionTracker?

    /// Records nothing, sends nothing and costs nothing.
    public static let disabled = Telemetry()

    private static let running = Guarded<Telemetry>(.disabled)

    /// The one that was started last, or `disabled`: for code that nobody hands one to.
    public static var shared: Telemetry { running.withLock { $0 } }

    /// Starts recording and delivering, and makes this the shared one.
    ///
    /// Returns in a few milliseconds: the network is touched only later, from another thread.
    public static func start(_ configuration: TelemetryConfiguration) -> Telemetry {
        guard configuration.isEnabled else { return .disabled }
        let buffer = MemoryBuffer()
        let telemetry = Telemetry(configuration, sink: buffer, buffer: buffer)
        running.withLock { $0 = telemetry }
        return telemetry
    }

    /// Records into a sink of the caller's, as a test does; delivers nothing, and is not the shared one.
    public convenience init(_ configuration: TelemetryConfiguration, sink: any RecordSink) {
        self.init(configuration, sink: sink, buffer: nil)
    }

    private init() {
        installationID = ""
        resource = Resource()
        core = nil
        registry = nil
        delivery = nil
        tracker = nil
    }

    private init(_ configuration: TelemetryConfiguration, sink: any RecordSink, buffer: MemoryBuffer?) {
        let core = RecordingCore(
            sink: sink, sampler: configuration.sampler, limits: configuration.limits,
            redactor: Redactor(configuration.redaction), )
        let registry = MetricRegistry(core: core, temporality: configuration.metricTemporality)
        let storage = configuration.hasSessions ? Self.storage(for: configuration) : nil
        installationID = storage.map { InstallationID.loadOrCreate(in: $0, makeID: core.ids.nextUUID) } ?? ""
        resource = Self.resource(for: configuration, installationID: installationID)
        delivery = Self.delivery(for: configuration, buffer: buffer, resource: resource, registry: registry)
        tracker = storage.map {
            SessionAnnouncer.track(core: core, directory: $0, limits: configuration.sessionLimits)
        }
        self.core = core
        self.registry = registry
        if let delivery { Task { await delivery.start() } }
    }

    /// The folder for what must outlive a launch, private to the user.
    private static func storage(for configuration: TelemetryConfiguration) -> URL {
        let directory = configuration.storageDirectory ?? configuration.defaultStorageDirectory
        try? FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700], )
        return directory
    }

    private static func resource(for configuration: TelemetryConfiguration, installationID: String) -> Resource {
        var attributes = HostResource.attributes(installationID: installationID)
        if let version = configuration.serviceVersion { attributes[AttributeKey.serviceVersion] = .string(version) }
        attributes.merge(configuration.resourceAttributes)
        attributes[AttributeKey.serviceName] = .string(configuration.serviceName)
        return Resource(attributes: attributes)
    }

    private static func delivery(
        for configuration: TelemetryConfiguration, buffer: MemoryBuffer?, resource: Resource, registry: MetricRegistry,
    ) -> DeliveryService? {
        guard let buffer, let endpoint = configuration.endpoint else { return nil }
        var settings = DeliveryService.Settings(endpoint: endpoint)
        settings.flushInterval = configuration.flushInterval
        let interval = UInt64(max(configuration.metricInterval, 0) * 1e9)
        let lastCollection = Guarded(SystemTime.sinceBoot)
        return DeliveryService(
            buffer: buffer, resource: EncodedResource(resource, schemaURL: SchemaURL.current),
            transport: URLSessionTransport(), settings: settings,
            beforeFlush: { isScheduled in
                let now = SystemTime.sinceBoot
                let isDue = lastCollection.withLock { last in
                    guard !isScheduled || now - last >= interval else { return false }
                    last = now
                    return true
                }
                if isDue { registry.collect() }
            }, diagnose: configuration.diagnose, )
    }

    /// A tracer for one library or part of the app.
    public func tracer(_ name: String, version: String = "") -> Tracer {
        Tracer(core: core, scope: InstrumentationScope(name: name, version: version))
    }

    /// A logger of events for one library or part of the app.
    public func eventLogger(_ name: String, version: String = "") -> EventLogger {
        EventLogger(core: core, scope: InstrumentationScope(name: name, version: version))
    }

    /// A meter for one library or part of the app.
    public func meter(_ name: String, version: String = "") -> Meter {
        Meter(registry: registry, scope: InstrumentationScope(name: name, version: version))
    }

    /// False where every call is a no-op.
    public var isEnabled: Bool { core != nil }

    public var session: SessionHandle { SessionHandle(tracker: tracker) }

    /// Sets an attribute of every record from now on; `nil` removes it. For what is true for a while, such as the
    /// screen; what is true for the whole launch belongs in the resource.
    public func setAttribute(_ key: String, to value: AttributeValue?) {
        guard let core else { return }
        core.ambient.set(key, to: value.map { core.admitted($0, key: key) })
    }

    /// Names the screen that the person sees, on every record from now on; `nil` where there is none.
    public func setScreen(name: String?, id: String? = nil) {
        core?.ambient.update { attributes in
            attributes[AttributeKey.appScreenName] = name.map(AttributeValue.string)
            attributes[AttributeKey.appScreenID] = id.map(AttributeValue.string)
        }
    }

    /// Collects metrics and sends all that has been recorded, as far as the server takes it now.
    @discardableResult
    public func flush() async -> DeliveryReport {
        await delivery?.flush()
        return await report
    }

    /// Sends what is left, for at most `seconds`, and stops delivering. Recording goes on without effect.
    @discardableResult
    public func shutdown(within seconds: Double = 5) async -> DeliveryReport {
        await delivery?.shutdown(within: seconds)
        return await report
    }

    /// What has become of all records so far.
    public var report: DeliveryReport {
        get async { await delivery?.currentReport ?? DeliveryReport() }
    }

    /// Collects metrics into the sink now, for tests.
    package func collectMetrics() {
        registry?.collect()
    }
}
