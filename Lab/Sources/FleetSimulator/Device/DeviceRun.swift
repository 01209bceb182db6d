import AstrolabeDelivery
import AstrolabeJournal
import AstrolabePlatform
import AstrolabePolicy
import AstrolabeTelemetryModel
import AstrolabeWire

/// A run of the app on a device, with the real journal, queue, sink and delivery, on the device's clock.
///
/// It ends without a shutdown when its last reference is released, as in a kill.
final class DeviceRun: Sendable {
    let sink: JournalSink
    let delivery: DeliveryService
    private let device: Int
    private let writer: RecordWriter
    private let scope: ScopeNumber
    private let log: DeviceLog
    private let state: Locked<State>

    private struct State {
        var decision: PolicyDecision
        var sampledOut = 0
        /// The requests of the sink since they were last read.
        var urgent: FlushCause?
        /// The time of the last record. Each record has a different time, so that the order is clear.
        var lastTime: UInt64 = 0
    }

    init(
        device: Int, storage: DeviceStorage, clock: VirtualClock, network: VirtualNetwork, endpoint: OTLPEndpoint,
        decision: PolicyDecision, jitter: SeededRandom, model: String, log: DeviceLog,
    ) throws {
        self.device = device
        self.log = log
        writer = RecordWriter(device: device)
        let resource = EncodedResource(
            Resource(attributes: [
                "service.name": "astronomy-shop", "service.version": "1.0.0", "device.model.identifier": .string(model),
                RecordWriter.device: .int(Int64(device)),
            ]))
        let (journal, durableLedger) = try storage.open(resource: resource.fields, at: clock)
        // Maintenance runs at once, so that the capacity does not depend on the machine's speed.
        let sink = JournalSink(journal) { $0() }
        self.sink = sink
        scope = sink.register(InstrumentationScope(name: "shop", version: "1.0.0"))
        let state = Locked(State(decision: decision))
        self.state = state
        var hooks = DeliveryHooks()
        hooks.droppedBefore = { [sink] in
            [.sampledOut: state.withLock { $0.sampledOut }, .notAdmitted: sink.notAdmittedCount]
        }
        var settings = DeliveryService.Settings(endpoint: endpoint)
        settings.plan = Self.plan(decision)
        delivery = DeliveryService(
            journal: journal, durableLedger: durableLedger, transport: network, settings: settings, hooks: hooks,
            time: clock.deliveryTime(jitter),
        )
        sink.admit(decision.mode)
        sink.whenCritical { state.withLock { $0.urgent = .critical } }
        sink.whenFilling { state.withLock { $0.urgent = $0.urgent ?? .filling } }
    }

    static func plan(_ decision: PolicyDecision) -> DeliveryPlan {
        DeliveryPlan(flushInterval: decision.flushInterval / .seconds(1), upload: decision.upload)
    }

    /// Applies the policy's new decision.
    func apply(_ decision: PolicyDecision) async {
        state.withLock { $0.decision = decision }
        sink.admit(decision.mode)
        await delivery.apply(Self.plan(decision))
    }

    /// Returns why a flush is due because of records since the last call; `nil` if none is due.
    func takeUrgent() -> FlushCause? {
        state.withLock { state in
            defer { state.urgent = nil }
            return state.urgent
        }
    }

    /// A planned span, with times in seconds since the start.
    struct PlannedSpan {
        var name: String
        var start: Double
        var end: Double
        var kind: SpanKind
        var attributes: Attributes
        var hasFailed: Bool
    }

    /// Records a trace if it is sampled. Otherwise records only failed spans and their root.
    ///
    /// - Parameter chance: From 0 to 1. The trace is sampled if this is less than the sampling rate.
    func trace(_ id: UInt64, root: PlannedSpan, children: [PlannedSpan], chance: Double) {
        let isSampled = chance < state.withLock { $0.decision.samplingRate }
        let hasFailed = root.hasFailed || children.contains(where: \.hasFailed)
        // The root ends last, and its children refer to it, so its number comes after theirs.
        let rootID = log.nextNumber + UInt64(isSampled ? children.count : children.count(where: \.hasFailed))
        var left = 0
        for child in children {
            if isSampled || child.hasFailed { span(child, of: id, under: rootID) } else { left += 1 }
        }
        if isSampled || hasFailed { span(root, of: id, under: nil) } else { left += 1 }
        guard left > 0 else { return }
        state.withLock { $0.sampledOut += left }
        log.sampleOut(left)
    }

    private func span(_ span: PlannedSpan, of trace: UInt64, under parent: UInt64?) {
        record(.span, span.hasFailed ? .high : .normal, at: span.end) { number, time in
            writer.span(
                number,
                RecordWriter.Span(
                    name: span.name, trace: trace, parent: parent,
                    start: min(VirtualClock.wall(at: span.start), time), end: time, kind: span.kind,
                    attributes: span.attributes, hasFailed: span.hasFailed,
                ), )
        }
    }

    func event(_ name: String, _ severity: Severity, _ priority: Priority, _ attributes: Attributes, at time: Double) {
        record(.event, priority, at: time) { number, time in
            writer.event(number, named: name, severity: severity, at: time, attributes: attributes)
        }
    }

    func gauge(_ name: String, unit: String, value: Double, at time: Double) {
        record(.metric, .normal, at: time) { number, time in
            writer.gauge(number, named: name, unit: unit, value: value, at: time)
        }
    }

    /// Makes the records that a test's script requests.
    func records(_ kind: RecordKind, _ priority: Priority, count: Int, at time: Double) {
        for _ in 0..<count {
            switch kind {
            case .span:
                let span = PlannedSpan(
                    name: "scripted", start: time, end: time, kind: .internal, attributes: [:], hasFailed: false, )
                record(.span, priority, at: time) { [writer] number, time in
                    writer.span(
                        number,
                        RecordWriter.Span(
                            name: span.name, trace: number, start: time, end: time, kind: .internal, attributes: [:], ),
                    )
                }
            case .event: event("scripted", .info, priority, [:], at: time)
            case .metric:
                record(.metric, priority, at: time) { [writer] number, time in
                    writer.gauge(number, named: "scripted", unit: "1", value: 1, at: time)
                }
            }
        }
    }

    private func record(
        _ kind: RecordKind, _ priority: Priority, at seconds: Double, _ encode: (UInt64, UInt64) -> [UInt8],
    ) {
        let time = state.withLock { state in
            state.lastTime = max(VirtualClock.wall(at: seconds), state.lastTime + 1)
            return state.lastTime
        }
        let number = log.number(kind, priority, at: time)
        let header = RecordHeader(kind: kind, priority: priority, scope: scope, timeUnixNano: time)
        let before = sink.notAdmittedCount
        encode(number, time).withUnsafeBytes { sink.append($0, header: header) }
        log.keep(isAdmitted: sink.notAdmittedCount == before, at: seconds)
    }
}
