import AstrolabeDelivery
import AstrolabeDeviceConditions
import AstrolabePlatform
import AstrolabePolicy

/// Carries the policy's word to all who act on it: what is collected, what is sampled, and what is sent when.
///
///     conditions --> record the change --> decide --> record the decision --> act --> flush, where the change asks
///
/// A change is recorded before the decision that follows from it is in force. What happens is dealt with one thing at a
/// time and in order, by the thread that brought it or by one that is dealing with another already.
final class PolicyController: Sendable {
    /// What is done with a decision.
    struct Actions: Sendable {
        /// Told each decision that does something else than the one before, in order.
        var apply: @Sendable (PolicyDecision) -> Void
        var flush: @Sendable (FlushTrigger) -> Void
        /// What the SDK has used so far.
        var sample: @Sendable () async -> ResourceSample
        /// Told each step of the app's life, before a decision follows from it and before anything is flushed.
        var move: @Sendable (LifecycleTransition) -> Void = { _ in }
        /// Told the state of the app's life before its first step.
        var begin: @Sendable (LifecycleState) -> Void = { _ in }
    }

    let monitor: any ConditionsMonitor
    private let policy: CollectionPolicy
    private let device: DeviceContext
    private let recorder: ConditionsRecorder
    private let actions: Actions
    private let state: Locked<State>

    private struct State {
        var governor = BudgetGovernor()
        var decision: PolicyDecision
        /// Those that the last decision was made for.
        var conditions: Conditions
        var observation: ConditionsObservation?
        var sampling: Task<Void, Never>?
        /// What changes before the beginning has been dealt with waits for that.
        var events = SerialWorkQueue<Event>(isBusy: true)
        var isStopped = false
    }

    /// What a decision may follow from.
    private enum Event {
        case change(ConditionsChange)
        case sample(ResourceSample)
    }

    init(
        _ policy: CollectionPolicy, device: DeviceContext, monitor: any ConditionsMonitor,
        recorder: ConditionsRecorder, actions: Actions,
    ) {
        self.policy = policy
        self.device = device
        self.monitor = monitor
        self.recorder = recorder
        self.actions = actions
        monitor.start()
        let conditions = monitor.current
        state = Locked(State(decision: policy.decision(for: conditions, on: device), conditions: conditions))
    }

    deinit {
        state.withLock { $0.sampling?.cancel() }
    }

    var decision: PolicyDecision { state.withLock { $0.decision } }

    /// Applies the first decision, then follows the conditions and the SDK's own use of the device.
    func start() {
        let observation = monitor.observe { [weak self] in self?.handle(.change($0)) }
        begin(in: monitor.current)
        handleWaiting()
        let sampling = Task(priority: .utility) { [weak self] in
            while (try? await Task.sleep(nanoseconds: Self.samplingPeriod)) != nil {
                guard let self else { return }
                await measure()
            }
        }
        state.withLock { state in
            state.observation = observation
            state.sampling = sampling
        }
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

    /// Nanoseconds between two looks at what the SDK uses.
    private static let samplingPeriod: UInt64 = 5_000_000_000

    /// Looks at what the SDK has used so far, and does as its budget says.
    func measure() async { observe(await actions.sample()) }

    func observe(_ sample: ResourceSample) { handle(.sample(sample)) }

    private func handle(_ event: Event) {
        if state.withLock({ $0.events.add([event]) }) { handleWaiting() }
    }

    private func handleWaiting() {
        while let event = nextEvent() {
            switch event {
            case .change(let change): follow(change)
            case .sample(let sample): judge(sample)
            }
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
        let decision = state.withLock { state in
            state.conditions = conditions
            state.decision = policy.decision(for: conditions, on: device, cap: state.governor.cap)
            return state.decision
        }
        actions.apply(decision)
        actions.begin(conditions.lifecycle)
    }

    private func follow(_ change: ConditionsChange) {
        recorder.record(change)
        if let step = change.lifecycle { actions.move(step) }
        decide(for: change.current)
        for trigger in policy.flushTriggers(from: change.previous, to: change.current, on: device) {
            actions.flush(trigger)
        }
    }

    private func judge(_ sample: ResourceSample) {
        let conditions = state.withLock { $0.conditions }
        let wanted = policy.decision(for: conditions, on: device)
        let step = state.withLock { $0.governor.observe(sample, under: wanted.budget, wanting: wanted.mode) }
        guard let step else { return }
        recorder.record(step)
        decide(for: conditions)
    }

    private func decide(for conditions: Conditions) {
        let (decision, previous) = state.withLock { state in
            let previous = state.decision
            state.conditions = conditions
            state.decision = policy.decision(for: conditions, on: device, cap: state.governor.cap)
            return (state.decision, previous)
        }
        guard !decision.hasSameEffect(as: previous) else { return }
        recorder.record(decision, after: previous)
        actions.apply(decision)
    }
}
