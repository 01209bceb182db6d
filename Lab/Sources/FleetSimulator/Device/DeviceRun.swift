import AstrolabeDelivery
import AstrolabeJournal
import AstrolabePlatform
import AstrolabePolicy
import AstrolabeRecording
import AstrolabeTelemetryModel
import AstrolabeWire

/// A run of the app on a device, with the real journal, queue, sink and delivery, on the device's clock.
///
/// It ends without a shutdown when its last reference is released, as in a kill.
final class DeviceRun: Sendable {
    let sink: JournalSink
    let delivery: DeliveryService
    private let writer: RecordWriter
    private let log: DeviceLog
    private let clock: VirtualClock
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
        identity: RecordIdentity, resource: Resource, storage: DeviceStorage, clock: VirtualClock,
        network: VirtualNetwork,
        endpoint: OTLPEndpoint, decision: PolicyDecision, jitter: SeededRandom, log: DeviceLog,
    ) throws {
        self.log = log
        self.clock = clock
        let (journal, durableLedger) = try storage.open(resource: EncodedResource(resource).fields, at: clock)
        // Maintenance runs at once, so that the capacity does not depend on the machine's speed.
        let sink = JournalSink(journal) { $0() }
        self.sink = sink
        writer = RecordWriter(identity, firstNumber: log.nextNumber, sink: sink)
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
        writer.keepBreadcrumbs(atMost: decision.buffers.breadcrumbs)
        sink.admit(decision.mode, .strict)
        sink.whenCritical { state.withLock { $0.urgent = .critical } }
        sink.whenFilling { state.withLock { $0.urgent = $0.urgent ?? .filling } }
    }

    static func plan(_ decision: PolicyDecision) -> DeliveryPlan {
        DeliveryPlan(flushInterval: decision.flushInterval / .seconds(1), upload: decision.upload)
    }

    /// Follows a new decision.
    ///
    /// - Returns: Whether it changes when or how batches are sent.
    func apply(_ decision: PolicyDecision) async -> Bool {
        let previous = state.withLock { state in
            defer { state.decision = decision }
            return state.decision
        }
        writer.keepBreadcrumbs(atMost: decision.buffers.breadcrumbs)
        sink.admit(decision.mode, .strict)
        let plan = Self.plan(decision)
        await delivery.apply(plan)
        return plan != Self.plan(previous)
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

    /// Records a trace if it is chosen, and otherwise its failed spans and the root of those.
    ///
    /// - Parameter chance: 0..<1; the trace is chosen if it is less than the sampling rate.
    func trace(_ root: PlannedSpan, children: [PlannedSpan], chance: Double) {
        let isSampled = chance < state.withLock { $0.decision.samplingRate }
        let recorded = isSampled ? children : children.filter(\.hasFailed)
        var left = children.count - recorded.count
        if isSampled || root.hasFailed || !recorded.isEmpty {
            let span = start(root, under: nil)
            for child in recorded { end(start(child, under: span), child) }
            end(span, root)
        } else {
            left += 1
        }
        guard left > 0 else { return }
        state.withLock { $0.sampledOut += left }
        log.sampleOut(left)
    }

    private func start(_ span: PlannedSpan, under parent: Tracer.Span?) -> Tracer.Span {
        writer.start(
            span.name, kind: span.kind, under: parent, attributes: span.attributes,
            at: clock.wall(at: span.start))
    }

    private func end(_ span: Tracer.Span, _ plan: PlannedSpan) {
        let priority: Priority = plan.hasFailed ? .high : .normal
        record(.span, priority, at: plan.end) { number, time in
            writer.end(span, number, priority: priority, hasFailed: plan.hasFailed, at: time)
        }
    }

    func event(_ name: String, _ severity: Severity, _ priority: Priority, _ attributes: Attributes, at time: Double) {
        record(.event, priority, at: time) { number, time in
            writer.event(
                number, named: name, severity: severity, priority: priority, attributes: attributes, at: time)
        }
    }

    func gauge(_ name: String, unit: String, at time: Double) {
        record(.metric, .normal, at: time) { number, time in
            writer.gauge(number, named: name, unit: unit, at: time)
        }
    }

    /// Makes the records that a test's script requests.
    func records(_ kind: RecordKind, _ priority: Priority, count: Int, at time: Double) {
        for _ in 0..<count {
            switch kind {
            case .span:
                let span = writer.start("scripted", kind: .internal, at: clock.wall(at: time))
                record(.span, priority, at: time) { number, time in
                    writer.end(span, number, priority: priority, at: time)
                }
            case .event: event("scripted", .info, priority, [:], at: time)
            case .metric:
                record(.metric, priority, at: time) { number, time in
                    writer.gauge(number, named: "scripted", unit: "1", at: time)
                }
            }
        }
    }

    private func record(
        _ kind: RecordKind, _ priority: Priority, at seconds: Double, _ write: (UInt64, UInt64) -> Void,
    ) {
        let time = state.withLock { state in
            state.lastTime = max(clock.wall(at: seconds), state.lastTime + 1)
            return state.lastTime
        }
        let number = log.number(kind, priority, at: time)
        let before = sink.notAdmittedCount
        write(number, time)
        log.keep(isAdmitted: sink.notAdmittedCount == before, at: seconds)
    }
}
