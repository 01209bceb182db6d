import AstrolabePlatform
import AstrolabeRecording
import AstrolabeTelemetryModel

/// Records with the SDK's tracer, event logger and meter, at the times that the simulation names.
///
/// Each record carries its number on its device, by which the collector knows it.
final class RecordWriter: Sendable {
    /// `<device>.<number>`, on every record.
    static let uid = "log.record.uid"
    /// The number of the device, in the resource.
    static let device = "fleet.device"

    private let device: Int
    private let time = Locked<UInt64>(0)
    private let tracer: Tracer
    private let events: EventLogger
    private let meter: Meter
    private let metrics: MetricRegistry
    private let breadcrumbs: Breadcrumbs

    /// - Parameter firstNumber: Of this run's records; gives the run ids of its own, the same for each simulation.
    init(device: Int, firstNumber: UInt64, sink: any RecordSink) {
        self.device = device
        // The simulation chooses the traces, so that the same seed gives the same table.
        let core = RecordingCore(
            sink: sink, clock: TelemetryClock { [time] in time.withLock { $0 } },
            ids: IDGenerator(firstSeed: UInt64(device) << 32 | firstNumber, secondSeed: UInt64(device)),
            keepsErrors: false, )
        let scope = InstrumentationScope(name: "shop", version: "1.0.0")
        tracer = Tracer(core: core, scope: scope)
        events = EventLogger(core: core, scope: scope)
        metrics = MetricRegistry(core: core)
        meter = Meter(registry: metrics, scope: scope)
        breadcrumbs = core.breadcrumbs
    }

    func keepBreadcrumbs(atMost limit: Int) {
        breadcrumbs.keep(atMost: limit)
    }

    /// Starts a span; it is a record when ``end(_:_:priority:hasFailed:at:)`` ends it.
    ///
    /// - Parameter time: Nanoseconds since 1970.
    func start(
        _ name: String, kind: SpanKind, under parent: Tracer.Span? = nil, attributes: Attributes = [:], at time: UInt64,
    ) -> Tracer.Span {
        let builder = tracer.spanBuilder(name).setSpanKind(kind).setStartTime(timeUnixNano: time)
        let span = (parent.map { builder.setParent($0) } ?? builder.setNoParent()).startSpan()
        span.setAttributes(attributes)
        return span
    }

    func end(_ span: Tracer.Span, _ number: UInt64, priority: Priority, hasFailed: Bool = false, at time: UInt64) {
        span.setAttribute(Self.uid, uid(number))
        if hasFailed { span.setStatus(.error("")) }
        span.end(timeUnixNano: time, priority: priority)
    }

    func event(
        _ number: UInt64, named name: String, severity: Severity, priority: Priority, attributes: Attributes,
        at time: UInt64,
    ) {
        self.time.withLock { $0 = time }
        events.emit(
            name, severity: severity, attributes: attributes.merging([Self.uid: AttributeValue.string(uid(number))]),
            timeUnixNano: time, priority: priority, )
    }

    func gauge(_ number: UInt64, named name: String, unit: String, value: Double, at time: UInt64) {
        self.time.withLock { $0 = time }
        meter.gauge(name, unit: unit).record(value, attributes: [Self.uid: AttributeValue.string(uid(number))])
        metrics.collect()
    }

    private func uid(_ number: UInt64) -> String { String(device) + "." + String(number) }
}
