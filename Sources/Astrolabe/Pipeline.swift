import AstrolabeAppHealth
import AstrolabeDelivery
import AstrolabeDeviceConditions
import AstrolabeJournal
import AstrolabePlatform
import AstrolabePolicy
import AstrolabeRecording
import AstrolabeSemantics
import AstrolabeSessions
import AstrolabeTelemetryModel
import AstrolabeViewTracing
import AstrolabeWire
import Foundation

/// The path of a record behind the recording core: journal, queue and delivery, and the calls to them.
final class Pipeline: Sendable {
    let sink: JournalSink
    private let durableLedger: DurableLedger
    private let transport: any OTLPTransport
    private let time: DeliveryTime
    let processor: CPUTimeMeter
    private let schedule: CollectionSchedule
    private let bounds: StorageBounds
    /// False if the policy, or the budget of an hour, turns the flight recorder off.
    private let recorder = Locked((policy: true, budget: true))
    /// Called when records arrive quickly.
    private let whenBusy = Locked<@Sendable () -> Void>({})

    /// Begins a run in the folder, for records of so many bytes. Throws if there is no memory for it.
    ///
    /// - Parameter recorder: The flight recorder's limits; `nil` if there is none.
    init(
        resource: Resource, directory: URL, recordSize: Int, bounds: StorageBounds,
        recorder: RecorderBounds? = nil, transport: any OTLPTransport, time: DeliveryTime,
        processor: CPUTimeMeter,
    ) throws(SystemError) {
        let durableLedger = DurableLedger(
            path: directory.appendingPathComponent("queue.db").path, maximumRecords: bounds.queueRecords,
            maximumBytes: bounds.queueBytes, clock: time.queueClock)
        var settings = JournalConfiguration(directory: directory.appendingPathComponent("journal").path)
        settings.segmentSize = max(recordSize, RecordLimits().recordSize) + 8_192
        settings.reservePriority = Priority.high.rawValue
        settings.preparesOnDemand = true
        settings.onRetire = { durableLedger.retire($0) }
        let header = EncodedResource(resource, schemaURL: SchemaURL.current)
        let ring = recorder.map { recorder in
            var ring = settings
            ring.directory = directory.appendingPathComponent("recorder").path
            ring.reservePriority = 0
            ring.segmentsAhead = 1
            // One segment is written, one is ready, and the others hold what was recorded.
            ring.maximumBytes = max(recorder.capacity, 8 * settings.segmentSize)
            ring.maximumRecoveredRecords = bounds.queueRecords
            ring.maximumRecoveredBytes = recorder.capacity
            ring.overwrittenOutcome = .notSent
            return ring
        }
        settings.segmentsAhead = 8
        settings.burstSegmentSize = max(4 * settings.segmentSize, bounds.journalBytes / 200)
        settings.maximumBytes = bounds.journalBytes
        settings.maximumRecoveredRecords = bounds.queueRecords
        settings.maximumRecoveredBytes = bounds.recoveredBytes
        sink = JournalSink(
            try RecordJournal(settings, header: header.fields),
            // Without memory for it, there is none in this run.
            ring: ring.flatMap { try? RecordJournal($0, header: header.fields) })
        self.durableLedger = durableLedger
        self.transport = transport
        self.time = time
        self.bounds = bounds
        self.processor = processor
        schedule = CollectionSchedule(time: time)
    }

    /// The service that sees the records to the server; it is not started yet.
    ///
    /// - Parameters:
    ///   - follower: What follows documents of remote policy; `nil` if nothing does.
    ///   - isAnew: Whether it follows a refusal. Drops of before are not in its ledger then.
    ///   - checkConsent: Called first in each flush.
    func delivery(
        for configuration: TelemetryConfiguration, core: RecordingCore, registry: MetricRegistry,
        tracker: SessionTracker?, _ health: HealthRecorder?, follower: (any PolicyFollower)? = nil, isAnew: Bool,
        checkConsent: @escaping @Sendable () -> Void,
    ) -> DeliveryService {
        var settings = DeliveryService.Settings(endpoint: configuration.endpoint)
        if let interval = configuration.flushInterval {
            settings.plan.flushInterval = interval.seconds
        } else if configuration.usesDevelopmentDefaults {
            settings.plan.flushInterval = BuildDefaults.flushInterval.seconds
        }
        // Until the policy has decided, as when a launch waits for the report of a crash: it may forbid the rest. A
        // server has no policy.
        if !configuration.isServer { settings.plan.upload = UploadPlan(.queued, canSend: true) }
        settings.batchSize = bounds.batchRecords
        settings.batchBytes = bounds.batchBytes
        let recorderBounds = configuration.recorderBounds
        settings.recorder.before = UInt64(nanosecondsIn: recorderBounds.window.seconds)
        settings.recorder.dailyBytes = recorderBounds.dailyBytes
        settings.recorder.hourlyBytes = recorderBounds.hourlyBytes
        settings.recorder.promotesTraces = configuration.recorderKey == .trace
        // Without memory for its ring there is none.
        turnRecorder(of: core) { _ in }
        var hooks = DeliveryHooks()
        hooks.hasReportedRuns = { health?.hasReported ?? true }
        hooks.continuesSession = { [start = core.clock.now] in tracker?.continuesSession(from: start) ?? false }
        hooks.onRecorderBudget = { [self] isKept in turnRecorder(of: core) { $0.budget = isKept } }
        settings.requestHeaders = configuration.requestHeaders
        schedule.set(interval: configuration.metricInterval)
        let ledgerMetrics = LedgerMetrics(registry: registry)
        // A flush may begin before a refusal and go on after the next consent, if code of the app holds it.
        let period = core.periods.number
        hooks.checkConsent = { if core.periods.number == period { checkConsent() } }
        hooks.beginFlush = {
            guard core.periods.number == period else { return }
            core.clock.reanchor()
            tracker?.check()
        }
        if let follower {
            hooks.afterFlush = { cause, hasDelivered in
                if core.periods.number == period { follower.afterFlush(cause, hasDelivered: hasDelivered) }
            }
        }
        hooks.isCollectionDue = { [sink, schedule] cause in
            schedule.isDue(cause) && sink.collects(.metric) && !sink.isOff(.metric)
        }
        hooks.collect = { [journal = sink.journal] ledger in
            guard core.periods.number == period else { return }
            ledgerMetrics.record(ledger) {
                let before = journal.statistics().current.appended
                registry.collect()
                health?.noteCollection()
                return journal.statistics().current.appended - before
            }
        }
        let filtered = core.droppedByFilters
        let filteredBefore = isAnew ? filtered() : 0
        hooks.droppedBefore = { [sink] in
            [.notAdmitted: sink.notAdmittedCount, .filtered: max(filtered() - filteredBefore, 0)]
        }
        if configuration.measuresExport {
            let exportMetrics = ExportMetrics(registry: registry)
            hooks.onExport = { exportMetrics.record($0) }
        }
        hooks.onDiagnostic = configuration.onDiagnostic
        hooks.onSilence = BuildDefaults.onDiagnostic
        sink.whenNotAdmitted { [notices = core.notices] kind in
            notices.report(.notAdmitted) {
                "Records of kind \"\(kind.rawValue)\" are dropped as \"not admitted\" by the mode or by "
                    + "remote policy. See PolicyConfiguration.admission and the Policy guide."
            }
        }
        let delivery = DeliveryService(
            journal: sink.journal, ring: sink.ring, durableLedger: durableLedger, transport: transport,
            settings: settings, hooks: hooks,
            time: time,
            processor: processor,
        )
        sink.whenCritical { [weak delivery] in Task { await delivery?.flush(.critical) } }
        let isPromoting = Locked(false)
        sink.whenRequested { [weak delivery, time] in
            guard !isPromoting.exchange(true) else { return }
            Task {
                // The root of the trace ends soon after the span that failed.
                try? await time.sleep(1)
                isPromoting.withLock { $0 = false }
                await delivery?.promote()
            }
        }
        let isEmptying = Locked(false)
        sink.whenFilling { [weak delivery, whenBusy] in
            guard !isEmptying.exchange(true) else { return }
            Task {
                whenBusy.withLock { $0 }()
                await delivery?.flush(.filling)
                isEmptying.withLock { $0 = false }
            }
        }
        return delivery
    }

    /// Turns the flight recorder on or off, of the core and of the sink.
    private func turnRecorder(of core: RecordingCore, _ change: (inout (policy: Bool, budget: Bool)) -> Void) {
        recorder.withLock { state in
            change(&state)
            let isOn = state.policy && state.budget && sink.ring != nil
            core.recordSampledOut(isOn)
            sink.record(inRing: isOn)
        }
    }

    /// The controller that applies the policy's decisions to all of these.
    ///
    /// - Parameters:
    ///   - sampler: `nil` where the configuration names a sampler of its own.
    ///   - remote: The remote document that holds from the start.
    func driver(
        for configuration: TelemetryConfiguration, device: DeviceContext, core: RecordingCore,
        registry: MetricRegistry, delivery: DeliveryService, sampler: SessionSampler?, views: ViewTracer,
        screen: (any ScreenRecorder)?, health: HealthRecorder?, tracker: SessionTracker?,
        remote: RemotePolicy? = nil,
    ) -> PolicyController {
        var settings = configuration.policy
        if configuration.treatsLoopbackAsReachable, configuration.endpoint?.isOnThisMachine == true {
            settings.isCollectorLocal = true
        }
        let (interval, rate) = (configuration.flushInterval, configuration.fixedSamplingRate)
        let (isDevelopment, triggers) = (configuration.usesDevelopmentDefaults, configuration.recorder.triggers)
        let usage = UsageReader(
            sink: sink, delivery: delivery, processor: processor, breadcrumbs: core.breadcrumbs, time: time,
        )
        // Its frame rate says how much there is to be of the replay.
        if let screen { sink.alwaysAdmit(screen.scope) }
        let commands = DeliveryCommands(delivery)
        let actions = PolicyController.Actions(
            apply: { [self, sink, schedule, breadcrumbs = core.breadcrumbs, notices = core.notices] decision in
                // What was measured so far is recorded while it is still collected, and dropped while it still is off.
                let isOff = decision.remote?.turnsOff(.metrics) == true
                let isLast = sink.collects(.metric) && decision.admission(of: .metric) == .never
                if isLast || sink.isOff(.metric) != isOff { registry.collect() }
                sink.admit(decision.mode, decision.admission)
                sink.turnOff(decision.remote?.off ?? [], scopes: decision.remote?.offScopes ?? [])
                core.recorder?.update(triggers.following(decision.remote?.triggers))
                turnRecorder(of: core) { $0.policy = decision.isRecorderOn }
                schedule.set(factor: decision.mode.metricIntervalFactor)
                sampler?.follow(decision, fixedRate: rate)
                if let sampler, !sampler.isSampled { notices.reportSampledOut() }
                breadcrumbs.keep(atMost: decision.buffers.breadcrumbs)
                screen?.apply(
                    frameRate: decision.replayFrameRate, frameLimit: decision.buffers.replayFrames)
                let isShort = isDevelopment && (decision.mode == .full || decision.mode == .normal)
                let ofPolicy =
                    isShort ? min(decision.flushInterval, BuildDefaults.flushInterval) : decision.flushInterval
                let used = decision.remote?.flushIntervals[decision.mode] ?? interval ?? ofPolicy
                var plan = DeliveryPlan(flushInterval: used.seconds, upload: decision.upload)
                plan.recorderDailyBytes = decision.remote?.triggers.dailyBytes
                delivery.setPlan(plan)
                commands.reschedule()
            },
            flush: { commands.flush($0) }, sample: { await usage.sample() }, sleep: time.sleepUntilSample,
            prepare: { step in
                if step.entersForeground { core.clock.reanchor() }
                tracker?.follow(step)
            },
            move: { step in
                health?.move(to: step.to)
                if step.to == .background || step.to == .terminated { views.enterBackground() }
                if step.from == .background, step.to == .inactive { views.leaveBackground() }
            },
            begin: { state in
                tracker?.begin(in: state)
                health?.move(to: state)
            },
        )
        let driver = PolicyController(
            CollectionPolicy(settings, remote: remote), device: device,
            monitor: configuration.conditions ?? SystemConditions.makeMonitor(),
            recorder: ConditionsRecorder(
                core: core, registry: registry, device: device, session: { tracker?.summary },
                freeMemory: { HealthRecorder.freeMemory }, describeMoment: { health?.describe(moment: $0) }),
            actions: actions,
        )
        whenBusy.withLock { $0 = { [weak driver] in driver?.quicken() } }
        return driver
    }
}

/// The SDK's use of the device, for the governor of its budget.
private struct UsageReader: Sendable {
    let sink: JournalSink
    let delivery: DeliveryService
    let processor: CPUTimeMeter
    let breadcrumbs: Breadcrumbs
    let time: DeliveryTime
    private let chargedRecords = Locked(0)

    init(
        sink: JournalSink, delivery: DeliveryService, processor: CPUTimeMeter, breadcrumbs: Breadcrumbs,
        time: DeliveryTime,
    ) {
        self.sink = sink
        self.delivery = delivery
        self.processor = processor
        self.breadcrumbs = breadcrumbs
        self.time = time
    }

    /// The cost of a record to the thread that makes it, which is the host's: a span of 8 attributes takes less (see
    /// `Docs/Internals/Benchmarks.md`), on a slower processor more.
    private static let costOfRecord = Duration.nanoseconds(1_500)

    func sample() async -> ResourceSample {
        let journal = sink.journal.statistics()
        let ring = sink.ring?.statistics()
        let appended = journal.current.appended + (ring?.current.appended ?? 0)
        let news = chargedRecords.withLock { charged in
            defer { charged = appended }
            return appended - charged
        }
        processor.charge(Self.costOfRecord * news)
        let (sent, request) = (await delivery.bytesSent, await delivery.largestRequest)
        let crumbs = breadcrumbs.all.reduce(0) { $0 + Self.size(of: $1) }
        let memory = journal.segmentBytes + (ring?.segmentBytes ?? 0) + request + crumbs
        return ResourceMeter(
            processor: processor, memoryBytes: { memory }, bytesSent: { sent },
            now: { [time] in UInt64(max(time.now(), 0) * 1e9) },
        ).sample()
    }

    /// Bytes of a breadcrumb, roughly: its texts, and a machine word or two for each thing.
    private static func size(of crumb: Breadcrumb) -> Int {
        128 + crumb.category.utf8.count + crumb.message.utf8.count + crumb.attributes.count * 96
    }
}

/// When metrics are collected: on their own interval, when a flush is requested, and before the process may end.
private final class CollectionSchedule: Sendable {
    private struct State {
        var interval = 0.0
        var factor = 1.0
        var last: Double
    }

    private let time: DeliveryTime
    private let state: Locked<State>

    init(time: DeliveryTime) {
        self.time = time
        state = Locked(State(last: time.now()))
    }

    func set(interval: Duration) {
        state.withLock { $0.interval = interval.seconds }
    }

    /// Sets how many intervals lie between two collections.
    func set(factor: Int) {
        state.withLock { $0.factor = Double(max(factor, 1)) }
    }

    func isDue(_ cause: FlushCause) -> Bool {
        let now = time.now()
        return state.withLock { state in
            switch cause {
            case .requested, .conditions(.enteredBackground), .conditions(.terminating): break
            case .scheduled, .critical, .filling, .conditions:
                guard now - state.last >= state.interval * state.factor else { return false }
            }
            state.last = now
            return true
        }
    }
}

/// The ledger as metrics, so that a backend can tell what a device has lost, and why. If nothing has happened since the
/// last report except that report itself, there is no new one: an idle app sends nothing.
private struct LedgerMetrics: Sendable {
    private struct Report: Equatable {
        var created: Int
        var pending: Int
        var notSent: Int
        var dropped: Int
    }

    private let last = Locked(Report?.none)
    private let created: Meter.Gauge
    private let delivered: Meter.Gauge
    private let pending: Meter.Gauge
    private let notSent: Meter.Gauge
    private let dropped: Meter.Gauge

    init(registry: MetricRegistry) {
        let meter = Meter(registry: registry, scope: InstrumentationScope.ofSDK("astrolabe.delivery"))
        created = meter.gauge(MetricName.recordsCreated, unit: "{record}")
        delivered = meter.gauge(MetricName.recordsDelivered, unit: "{record}")
        pending = meter.gauge(MetricName.recordsPending, unit: "{record}")
        notSent = meter.gauge(MetricName.recordsNotSent, unit: "{record}")
        dropped = meter.gauge(MetricName.recordsDropped, unit: "{record}")
    }

    /// - Parameter collect: Makes records of all metrics and returns how many.
    func record(_ ledger: RecordLedger, collecting collect: () -> Int) {
        var report = Report(
            created: ledger.created, pending: ledger.pending, notSent: ledger.notSent, dropped: ledger.droppedTotal)
        if last.withLock({ $0 != report }) { record(ledger) }
        report.created += collect()
        last.withLock { [report] in $0 = report }
    }

    private func record(_ ledger: RecordLedger) {
        created.record(ledger.created)
        delivered.record(ledger.delivered)
        pending.record(ledger.inJournal, attributes: [AttributeKey.astrolabeRecordPlace: "journal"])
        pending.record(ledger.inQueue, attributes: [AttributeKey.astrolabeRecordPlace: "queue"])
        notSent.record(ledger.notSent)
        for (reason, count) in ledger.dropped {
            dropped.record(count, attributes: [AttributeKey.astrolabeDropReason: reason.rawValue])
        }
    }
}
