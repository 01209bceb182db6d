import AstrolabeDelivery
import AstrolabeDeviceConditions
import AstrolabePlatform
import AstrolabePolicy
import AstrolabeSemantics
import AstrolabeTelemetryModel
import Foundation

/// A simulated device, which runs its timeline on its own clock, with the SDK's real code from the record to the
/// network.
///
/// It does the work of the operating system and the facade on a phone. It starts and ends processes, passes conditions
/// on, performs what `PolicyLoop` says, and looks when the next flush is due.
final class VirtualDevice {
    let timeline: DeviceTimeline
    private let context: DeviceContext
    private let policy: CollectionPolicy
    private var loop: PolicyLoop
    let clock: VirtualClock
    private let receiver: FleetReceiver?
    private let resource: Resource
    let network: VirtualNetwork
    private let storage: DeviceStorage
    private let endpoint: OTLPEndpoint
    let log: DeviceLog
    private var activity: AppActivity
    private var names: SeededRandom

    var run: DeviceRun?
    /// The real conditions of the device.
    var conditions = Conditions(lifecycle: .terminated)
    /// The conditions that the app knows. A suspended app receives none.
    private var seen = Conditions()
    var decision: PolicyDecision { loop.decision }
    private var nextFlush: Double?
    var nextBin: Double
    var accounted = 0.0
    private var hasCrashed = false
    /// True if the ledger may have changed since it was read.
    var isDirty = false
    /// True if this run knows what earlier runs have left.
    var hasFlushed = false
    private let death = Locked(false)

    /// The endpoint. No host name is resolved, because requests do not leave the process.
    private static let collector = "http://collector.example:4318"

    init(
        _ device: Int, timeline: DeviceTimeline, context: DeviceContext, policy: CollectionPolicy,
        outages: CollectorOutages, seed: UInt64, root: String, start: UInt64 = FleetSettings.defaultStart,
        receiver: FleetReceiver? = nil,
    ) throws {
        guard let url = URL(string: Self.collector) else {
            throw FleetCollector.Fault(description: "expected an address, got \(Self.collector)")
        }
        self.timeline = timeline
        self.context = context
        self.policy = policy
        endpoint = OTLPEndpoint(url: url)
        clock = VirtualClock(start: start)
        self.receiver = receiver
        let attributes: Attributes = [
            "service.name": "astronomy-shop", "service.version": "1.0.0",
            "device.model.identifier": AttributeValue.string(context.deviceModelRaw),
            RecordWriter.device: AttributeValue.int(Int64(device)),
        ]
        resource = Resource(attributes: attributes.merging(receiver?.resourceAttributes(of: device) ?? [:]))
        names = SeededRandom(seed: seed, stream: .names, device: device)
        activity = AppActivity(seed: seed, device: device)
        storage = DeviceStorage(root: root + "/" + String(device), names: &names)
        network = VirtualNetwork(
            device: device, clock: clock, timeline: timeline, outages: outages, seed: seed, receiver: receiver)
        log = DeviceLog(device: device, clock: clock, duration: timeline.duration, model: context.deviceModel)
        loop = PolicyLoop(policy, device: context, conditions: conditions)
        nextBin = FleetResults(duration: timeline.duration).binWidth
        network.connect(
            VirtualNetwork.Events(
                arrived: { [log] in log.arrive($0, at: $1, unacknowledged: $2) }, fault: { [log] in log.problem($0) },
                died: { [log, storage, death] in
                    death.withLock { $0 = true }
                    do { try storage.freeze() } catch { log.problem("cannot copy the files at a kill: \(error)") }
                },
            ))
    }

    /// Runs the timeline to its end and returns the results.
    func live() async throws -> FleetResults {
        for step in timeline.steps where step.time < timeline.duration {
            await pass(to: step.time)
            try await perform(step.event, at: step.time)
        }
        await pass(to: timeline.duration)
        try await lastLook()
        return log.finish(network.traffic)
    }

    private var isAwake: Bool { run != nil && conditions.lifecycle != .suspended }

    /// Advances time: flushes, the app's activity, and the ledger at the end of each bin.
    private func pass(to time: Double) async {
        while true {
            let due = isAwake ? min(nextFlush ?? .infinity, activity.next ?? .infinity) : .infinity
            let next = min(due, nextBin, time)
            clock.advance(to: next)
            account(to: next)
            if next == nextBin, nextBin <= time {
                await look()
                nextBin += binWidth
            } else if next == time {
                return
            } else if let flush = nextFlush, flush <= next {
                await self.flush(.scheduled)
                if let run { nextFlush = clock.now + (await run.delivery.untilNextFlush) }
            } else if let run {
                activity.pass(to: next, in: run)
                isDirty = true
                if let cause = run.takeUrgent() { await flush(cause) }
            }
        }
    }

    var binWidth: Double { FleetResults(duration: timeline.duration).binWidth }

    private func perform(_ event: DeviceTimeline.Event, at time: Double) async throws {
        switch event {
        case .network(let path, let link):
            log.tell { story in
                story.network.append(DeviceStory.Change(time: time, value: path.medium))
                story.links.append(DeviceStory.Change(time: time, value: link))
            }
            await change(ConditionsUpdate(network: path))
        case .power(let power):
            log.tell { $0.battery.append(DeviceStory.Change(time: time, value: power)) }
            await change(ConditionsUpdate(power: power))
        case .heat(let state):
            log.tell { $0.heat.append(DeviceStory.Change(time: time, value: state)) }
            await change(ConditionsUpdate(thermal: state))
        case .memory(let pressure): await change(ConditionsUpdate(memory: pressure))
        case .lifecycle(let state): if run != nil { await change(ConditionsUpdate(lifecycle: state)) }
        case .launch: try await launch()
        case .scheduleKill: if run != nil { network.scheduleKill() }
        case .end(let how): end(how)
        case .records(let kind, let priority, let count):
            guard let run else { return }
            run.records(kind, priority, count: count, at: time)
            isDirty = true
            if let cause = run.takeUrgent() { await flush(cause) }
        }
    }

    /// Reports changed conditions if the app is awake, with one valid lifecycle step at a time.
    private func change(_ update: ConditionsUpdate) async {
        guard run != nil else {
            for state in update.states(from: conditions) where state.lifecycle == conditions.lifecycle {
                conditions = state
            }
            return
        }
        for state in update.states(from: conditions) {
            account(to: clock.now)
            conditions = state
            tellActivity()
            await follow()
        }
    }

    private func follow() async {
        guard let run, isAwake else { return activity.end() }
        let (before, now) = (seen, conditions)
        guard before != now else { return }
        seen = now
        for action in loop.follow(ConditionsChange(previous: before, current: now)) { await perform(action, in: run) }
    }

    private func perform(_ action: PolicyLoop.Action, in run: DeviceRun) async {
        switch action {
        case .recordChange(let change): record(change, in: run)
        case .recordDecision(let decision, let previous):
            run.event(
                EventName.policyChange, .info, .high,
                [
                    AttributeKey.astrolabePolicyMode: AttributeValue.string(decision.mode.rawValue),
                    AttributeKey.astrolabePolicyPreviousMode: AttributeValue.string(previous.mode.rawValue),
                ], at: clock.now)
        case .apply(let decision):
            let isNewPlan = await run.apply(decision)
            if isNewPlan { nextFlush = clock.now + (await run.delivery.untilNextFlush) }
            tellActivity()
        case .flush(let trigger): await flush(.conditions(trigger))
        // Nobody measures what the simulation uses of the device.
        case .recordBudgetStep: break
        }
    }

    private func record(_ change: ConditionsChange, in run: DeviceRun) {
        if change.previous.network != change.current.network {
            run.event(
                EventName.networkChange, .info, .high,
                [AttributeKey.networkConnectionType: AttributeValue.string(change.current.network.medium.rawValue)],
                at: clock.now)
        }
        guard let step = change.lifecycle else { return }
        if let state = step.appState {
            run.event(
                EventName.deviceAppLifecycle, .info, .high, [AttributeKey.iosAppState: AttributeValue.string(state)],
                at: clock.now)
        }
        if step.to == .active, timeline.isUsed { activity.begin(at: clock.now) } else { activity.end() }
    }

    private func launch() async throws {
        guard run == nil else { return }
        account(to: clock.now)
        conditions.lifecycle = .launching
        conditions.memory = .normal
        seen = conditions
        loop = PolicyLoop(policy, device: context, conditions: conditions)
        let run = try open()
        self.run = run
        hasFlushed = false
        log.note { $0.starts += 1 }
        tellActivity()
        nextFlush = clock.now + (await run.delivery.untilNextFlush)
        isDirty = true
        run.event("app.start", .info, .normal, [:], at: clock.now)
        guard hasCrashed else { return }
        hasCrashed = false
        run.event("app.crash", .fatal, .critical, ["exception.type": "SIGSEGV"], at: clock.now)
        if let cause = run.takeUrgent() { await flush(cause) }
    }

    func open() throws -> DeviceRun {
        try DeviceRun(
            identity: RecordIdentity(device: log.device, run: receiver?.run ?? 0), resource: resource,
            storage: storage, clock: clock, network: network, endpoint: endpoint, decision: decision,
            jitter: SeededRandom(seed: names.next(), stream: .jitter), log: log,
        )
    }

    /// Ends the process without a shutdown, which loses the content of its memory.
    private func end(_ how: DeviceTimeline.EndOfRun) {
        network.scheduleKill(false)
        guard let ended = run else { return }
        // The system releases the files of a process at once. A task that still refers to the run might hold them
        // longer.
        ended.delivery.abandon()
        account(to: clock.now)
        if how == .crash { hasCrashed = true }
        let time = clock.now
        log.note { $0.ends[how, default: 0] += 1 }
        log.tell { $0.ends.append(DeviceStory.Mark(time: time, what: how)) }
        run = nil
        conditions.lifecycle = .terminated
        activity.end()
        nextFlush = nil
        tellActivity()
    }

    private func flush(_ cause: FlushCause) async {
        guard let run else { return }
        isDirty = true
        log.beginFlush()
        await run.delivery.flush(cause)
        hasFlushed = true
        account(to: clock.now)
        guard death.withLock({ $0 }) else { return }
        death.withLock { $0 = false }
        log.note { $0.killsInFlight += 1 }
        end(.kill)
    }
}
