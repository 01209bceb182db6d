package import AstrolabeDeviceConditions

/// The policy's response to changes of the conditions and to the SDK's own use of the device, as a value.
///
///     conditions -> record the change -> decide -> record the decision -> apply it -> flush, if the change asks for it
///
/// The caller performs the actions in their order, one at a time, before it handles the next event. The SDK does so on
/// a phone, and the fleet simulator does so in virtual time.
package struct PolicyLoop: Sendable {
    package indirect enum Action: Equatable, Sendable {
        /// Record what changed. Comes before the decision that follows from it is in force.
        case recordChange(ConditionsChange)
        case recordBudgetStep(BudgetStep)
        case recordDecision(PolicyDecision, previous: PolicyDecision)
        /// Collect, sample and send as the decision says.
        case apply(PolicyDecision)
        case flush(FlushTrigger)
    }

    private var policy: CollectionPolicy
    private let device: DeviceContext
    private var governor = BudgetGovernor()
    /// The last decision.
    package private(set) var decision: PolicyDecision
    /// The conditions that the last decision was made for.
    package private(set) var conditions: Conditions

    package init(_ policy: CollectionPolicy, device: DeviceContext, conditions: Conditions) {
        self.policy = policy
        self.device = device
        self.conditions = conditions
        decision = policy.decision(for: conditions, on: device)
    }

    /// Starts over in these conditions and returns the decision for them, which is applied without a record.
    package mutating func begin(in conditions: Conditions) -> PolicyDecision {
        self.conditions = conditions
        decision = policy.decision(for: conditions, on: device, cap: governor.cap)
        return decision
    }

    package mutating func follow(_ change: ConditionsChange) -> [Action] {
        let triggers = policy.flushTriggers(from: change.previous, to: change.current, on: device)
        return [.recordChange(change)] + decide(for: change.current) + triggers.map(Action.flush)
    }

    /// Takes into account what the SDK has used so far.
    package mutating func follow(_ sample: ResourceSample) -> [Action] {
        let wanted = policy.decision(for: conditions, on: device)
        guard let step = governor.observe(sample, under: wanted.budget, wanting: wanted.mode) else { return [] }
        return [.recordBudgetStep(step)] + decide(for: conditions)
    }

    /// Changes whether telemetry may use expensive networks.
    package mutating func setUploadsOnCellular(_ isAllowed: Bool) -> [Action] {
        var configuration = policy.configuration
        guard configuration.uploadsOnCellular != isAllowed else { return [] }
        configuration.uploadsOnCellular = isAllowed
        policy = CollectionPolicy(configuration, remote: policy.remote)
        let before = decision.upload.strategy
        let actions = decide(for: conditions)
        let mayNowSend = before <= .wifiOnly && decision.upload.strategy >= .batched && decision.upload.canSend
        return actions + (mayNowSend ? [.flush(.uploadsAllowed)] : [])
    }

    /// Follows a remote document, or none.
    package mutating func setRemote(_ remote: RemotePolicy?) -> [Action] {
        policy = CollectionPolicy(policy.configuration, remote: remote)
        return decide(for: conditions)
    }

    /// True if telemetry may use expensive networks.
    package var uploadsOnCellular: Bool { policy.configuration.uploadsOnCellular }

    private mutating func decide(for conditions: Conditions) -> [Action] {
        let previous = decision
        let next = begin(in: conditions)
        return next.hasSameEffect(as: previous) ? [] : [.recordDecision(next, previous: previous), .apply(next)]
    }
}
