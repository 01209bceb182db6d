import AstrolabePlatform
import AstrolabeRecording
import AstrolabeTelemetryModel

/// The identity that tells the records of a device apart from all others.
struct RecordIdentity: Sendable {
    let device: Int
    /// The number of this simulation; 0 if its records do not leave the process.
    let run: UInt32

    /// `<device>.<number>`, with the run in front if it has a number.
    func uid(_ number: UInt64) -> String {
        let uid = String(device) + "." + String(number)
        return run == 0 ? uid : String(run, radix: 16) + "." + uid
    }
}

/// Records with the SDK's tracer, event logger and meter, at the times that the simulation names.
///
/// The collector knows a record by its number on its device. Spans and events have it in an attribute. Metric points
/// have it as their value, so that a metric has one series for each device.
final class RecordWriter: Sendable {
    /// The identity of a span or event.
    static let uid = "log.record.uid"
    /// The number of the device, in the resource.
    static let device = "fleet.device"

    private let identity: RecordIdentity
    private let time = Locked<UInt64>(0)
    private let tracer: Tracer
    private let events: EventLogger
    private let meter: Meter
    private let metrics: MetricRegistry
    private let breadcrumbs: Breadcrumbs

    /// - Parameter firstNumber: Of this run's records; gives the run ids of its own, the same for each simulation.
    init(_ identity: RecordIdentity, firstNumber: UInt64, sink: any RecordSink) {
        self.identity = identity
        // The simulation chooses the traces, so that the same seed gives the same table.
        let core = RecordingCore(
            sink: sink, clock: TelemetryClock { [time] in time.withLock { $0 } },
            ids: IDGenerator(
                firstSeed: UInt64(identity.device) << 32 | firstNumber,
                secondSeed: UInt64(identity.run) << 32 | UInt64(identity.device)))
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
        span.setAttribute(Self.uid, identity.uid(number))
        if hasFailed { span.setStatus(.error("")) }
        self.time.withLock { $0 = time }
        span.end(timeUnixNano: time, priority: priority)
    }

    func event(
        _ number: UInt64, named name: String, severity: Severity, priority: Priority, attributes: Attributes,
        at time: UInt64,
    ) {
        self.time.withLock { $0 = time }
        events.emit(
            name, severity: severity,
            attributes: attributes.merging([Self.uid: AttributeValue.string(identity.uid(number))]),
            timeUnixNano: time, priority: priority)
    }

    func gauge(_ number: UInt64, named name: String, unit: String, at time: UInt64) {
        self.time.withLock { $0 = time }
        meter.gauge(name, unit: unit).record(Double(number))
        metrics.collect()
    }
}
