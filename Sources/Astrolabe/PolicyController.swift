import AstrolabeDelivery
import AstrolabeDeviceConditions
import AstrolabePlatform
import AstrolabePolicy

/// Performs what the policy decides: what is collected, what is sampled, and what is sent when.
///
/// ``PolicyLoop`` says what follows from an event, and in which order. Events are handled one at a time and in order.
/// The thread that brought an event handles it, or a thread that is handling another already.
final class PolicyController: Sendable {
    /// The effects of a decision.
    struct Actions: Sendable {
        /// Told each decision that does something else than the one before, in order.
        var apply: @Sendable (PolicyDecision) -> Void
        var flush: @Sendable (FlushTrigger) -> Void
        /// Returns the SDK's use of the device so far.
        var sample: @Sendable () async -> ResourceSample
        /// Sleeps for a number of seconds, between two samples; throws if the task is cancelled.
        var sleep: @Sendable (Double) async throws -> Void
        /// Told each step of the app's life before it is recorded.
        var prepare: @Sendable (LifecycleTransition) -> Void = { _ in }
        /// Told each step of the app's life, before a decision follows from it and before anything is flushed.
        var move: @Sendable (LifecycleTransition) -> Void = { _ in }
        /// Told the state of the app's life before its first step.
        var begin: @Sendable (LifecycleState) -> Void = { _ in }
    }

    let monitor: any ConditionsMonitor
    private let recorder: ConditionsRecorder
    private let actions: Actions
    private let state: Locked<State>

    private struct State {
        var loop: PolicyLoop
        var pace = SamplingPace()
        var observation: ConditionsObservation?
        var sampling: Task<Void, Never>?
        /// Waiting events; those that arrive before the first decision was applied wait for that.
        var events = SerialWorkQueue<Event>(isBusy: true)
        var isStopped = false
    }

    /// An event that can lead to a decision.
    private indirect enum Event {
        case change(ConditionsChange)
        case sample(ResourceSample)
        case uploadsOnCellular(Bool)
        case remote(RemotePolicy?)
    }

    init(
        _ policy: CollectionPolicy, device: DeviceContext, monitor: any ConditionsMonitor,
        recorder: ConditionsRecorder, actions: Actions,
    ) {
        self.monitor = monitor
        self.recorder = recorder
        self.actions = actions
        monitor.start()
        state = Locked(State(loop: PolicyLoop(policy, device: device, conditions: monitor.current)))
    }

    deinit {
        state.withLock { $0.sampling?.cancel() }
    }

    var decision: PolicyDecision { state.withLock { $0.loop.decision } }

    /// Applies the first decision, then follows the conditions and the SDK's own use of the device.
    func start() {
        let observation = monitor.observe { [weak self] change in
            self?.handle(.change(change))
            self?.quicken()
        }
        begin(in: monitor.current)
        handleWaiting()
        state.withLock { state in
            state.observation = observation
            state.sampling = makeSampling()
        }
    }

    /// Samples at the pace of the SDK's work until it is cancelled.
    private func makeSampling() -> Task<Void, Never> {
        Task(priority: .utility) { [weak self, sleep = actions.sleep] in
            while let interval = self?.samplingInterval, (try? await sleep(interval.seconds)) != nil {
                await self?.measure()
            }
        }
    }

    /// The time until the next sample of what the SDK uses.
    var samplingInterval: Duration { state.withLock { $0.pace.interval } }

    /// Samples soon again, because records arrive quickly or the conditions have changed.
    func quicken() {
        let idle = state.withLock { state -> Task<Void, Never>? in
            guard state.pace.isIdle, !state.isStopped, let idle = state.sampling else { return nil }
            state.pace.quicken()
            state.sampling = makeSampling()
            return idle
        }
        idle?.cancel()
    }

    func stop() {
        let (observation, sampling) = state.withLock { state in
            state.isStopped = true
            return (state.observation, state.sampling)
        }
        observation?.cancel()
        sampling?.cancel()
        monitor.stop()
    }

    /// Looks at what the SDK has used so far, and does as its budget says.
    func measure() async { observe(await actions.sample()) }

    func observe(_ sample: ResourceSample) {
        state.withLock { $0.pace.follow(sample) }
        handle(.sample(sample))
    }

    /// True if telemetry may use expensive networks.
    var uploadsOnCellular: Bool { state.withLock { $0.loop.uploadsOnCellular } }

    func setUploadsOnCellular(_ isAllowed: Bool) { handle(.uploadsOnCellular(isAllowed)) }

    /// Follows a remote document from now on, or none.
    func setRemote(_ remote: RemotePolicy?) { handle(.remote(remote)) }

    private func handle(_ event: Event) {
        if state.withLock({ $0.events.add([event]) }) { handleWaiting() }
    }

    private func handleWaiting() {
        while let event = nextEvent() {
            let steps = state.withLock { state in
                switch event {
                case .change(let change): state.loop.follow(change)
                case .sample(let sample): state.loop.follow(sample)
                case .uploadsOnCellular(let isAllowed): state.loop.setUploadsOnCellular(isAllowed)
                case .remote(let remote): state.loop.setRemote(remote)
                }
            }
            for step in steps { perform(step) }
        }
    }

    private func nextEvent() -> Event? {
        state.withLock { state in
            if state.isStopped { state.events = SerialWorkQueue() }
            return state.events.next()
        }
    }

    private func begin(in conditions: Conditions) {
        recorder.describeNetwork(conditions.network)
        actions.apply(state.withLock { $0.loop.begin(in: conditions) })
        actions.begin(conditions.lifecycle)
        recorder.recordLaunch(conditions)
    }

    private func perform(_ step: PolicyLoop.Action) {
        switch step {
        case .recordChange(let change):
            if let step = change.lifecycle { actions.prepare(step) }
            recorder.record(change)
            if let step = change.lifecycle { actions.move(step) }
        case .recordBudgetStep(let step): recorder.record(step)
        case .recordDecision(let decision, let previous): recorder.record(decision, after: previous)
        case .apply(let decision): actions.apply(decision)
        case .flush(let trigger): actions.flush(trigger)
        }
    }
}
