public import AstrolabeDeviceConditions
import AstrolabePlatform

/// Decides from the device conditions how much telemetry is collected and how it is sent.
///
///     let policy = CollectionPolicy()
///     let decision = policy.decision(for: monitor.current, on: device)
///     decision.mode             // .reduced
///     decision.reasons.first    // "Battery at 15 %, not charging: collect at most in reduced mode"
///
/// A pure function: the same conditions, device, configuration, remote document and cap give the same decision. Worse
/// conditions never collect or send more. `Docs/Internals/PolicyTables.md` has its tables.
public struct CollectionPolicy: Equatable, Sendable {
    /// Shared by the copies of a policy.
    private let parts: Parts

    private final class Parts: Sendable {
        let configuration: PolicyConfiguration
        let remote: RemotePolicy?
        let effective: PolicyConfiguration

        init(_ configuration: PolicyConfiguration, remote: RemotePolicy?) {
            self.configuration = configuration.bounded()
            self.remote = remote
            effective = remote.map { configuration.following($0).bounded() } ?? self.configuration
        }
    }

    /// The app's configuration, with values within their bounds.
    public var configuration: PolicyConfiguration { parts.configuration }

    /// The remote document in force; `nil` if there is none.
    package var remote: RemotePolicy? { parts.remote }

    /// The configuration with what the remote document changes.
    private var effective: PolicyConfiguration { parts.effective }

    /// Creates a policy; out-of-range values of the configuration are bounded.
    public init(_ configuration: PolicyConfiguration = PolicyConfiguration()) {
        self.init(configuration, remote: nil)
    }

    /// Creates a policy that follows a remote document.
    package init(_ configuration: PolicyConfiguration, remote: RemotePolicy?) {
        parts = Parts(configuration, remote: remote)
    }

    /// Returns true if both have the same configuration and the same remote document.
    public static func == (left: CollectionPolicy, right: CollectionPolicy) -> Bool {
        left.configuration == right.configuration && left.remote == right.remote
    }

    /// Returns the decision for the given conditions.
    ///
    /// - Parameters:
    ///   - device: Only the installed memory matters; heat and power are part of the conditions.
    ///   - cap: The limit from the SDK's own resource usage: see ``BudgetGovernor``.
    public func decision(
        for conditions: Conditions, on device: DeviceContext, cap: BudgetCap? = nil,
    ) -> PolicyDecision {
        let start = startingMode(conditions.power)
        var limits = modeLimits(conditions)
        if let cap { limits.append((cap.mode, .ownUse(cap.resource))) }
        limits = limits.filter { $0.mode < start.mode }.ordered { $0.mode < $1.mode }
        if limits.isEmpty { limits = [start] }
        let mode = limits[0].mode
        var reasons = limits.map { PolicyReason($0.cause, .mode(atMost: $0.mode)) }

        let fixed = remote?.fixedRate(in: mode)
        let factors = fixed == nil ? samplingFactors(conditions, device) : []
        let base = fixed ?? effective.samplingRates[mode]
        let rate = factors.reduce(base) { min($0 * $1.factor, 1) }
        if base > 0 { reasons += factors.map { PolicyReason($0.cause, .sampling(factor: $0.factor)) } }
        reasons += remoteReasons(in: mode)

        let (tier, tierCause) = budgetTier(conditions)
        if let tierCause { reasons.append(PolicyReason(tierCause, .budget(tier))) }

        let (upload, uploadReasons) = uploadPlan(conditions, tier: tier)
        reasons += uploadReasons

        let (buffers, bufferReason) = buffers(under: conditions.memory)
        if let bufferReason { reasons.append(bufferReason) }

        var replayFrameRate = remote?.turnsOff(.replay) == true ? 0 : configuration.replayFrameRates[mode]
        if let cause = replayBlocker(conditions) {
            if replayFrameRate > 0 { reasons.append(PolicyReason(cause, .stopReplay)) }
            replayFrameRate = 0
        }

        return PolicyDecision(
            mode: mode,
            samplingRate: rate,
            flushInterval: effective.flushIntervals[mode],
            upload: upload,
            replayFrameRate: replayFrameRate,
            buffers: buffers,
            budget: ResourceBudget(tier, bytesPerHour: configuration.bytesPerHour),
            admission: effective.admission,
            isRecorderOn: mode > .minimal && conditions.memory != .critical && remote?.turnsOff(.recorder) != true,
            remote: remote,
            reasons: reasons,
        )
    }
}

extension CollectionPolicy {
    private typealias ModeLimit = (mode: TelemetryMode, cause: PolicyReason.Cause)

    /// The mode without any restricting condition.
    private func startingMode(_ power: Power) -> ModeLimit {
        power.isExternal ? (.full, .externalPower(power.source)) : (.normal, .ordinaryPower(power.source))
    }

    /// The highest mode that each restricting condition allows.
    private func modeLimits(_ conditions: Conditions) -> [ModeLimit] {
        let power = conditions.power
        var limits: [ModeLimit] = []
        if power.isLowPowerMode, !power.isExternal { limits.append((.minimal, .lowPowerMode)) }
        if let battery = batteryCause(power) { limits.append((.reduced, battery)) }
        switch conditions.thermal {
        case .critical: limits.append((.minimal, .heat(.critical)))
        case .serious: limits.append((.reduced, .heat(.serious)))
        case .fair, .nominal: break
        }
        switch conditions.lifecycle {
        case .background, .terminated: limits.append((.reduced, .lifecycle(conditions.lifecycle)))
        case .suspended: limits.append((.minimal, .lifecycle(.suspended)))
        case .launching, .active, .inactive: break
        }
        return limits
    }

    /// The raising factor first: its excess over 1 is cut before the others apply.
    private func samplingFactors(
        _ conditions: Conditions, _ device: DeviceContext,
    ) -> [(factor: Double, cause: PolicyReason.Cause)] {
        var factors: [(factor: Double, cause: PolicyReason.Cause)] = []
        let memory = device.installedMemoryGB
        if memory >= configuration.largeMemoryGB, let gigabytes = Int(exactly: memory) {
            factors.append((configuration.largeMemoryFactor, .largeMemory(gigabytes: gigabytes)))
        }
        if conditions.power.isLowPowerMode { factors.append((configuration.lowPowerModeFactor, .lowPowerMode)) }
        if conditions.thermal >= .serious { factors.append((configuration.heatFactor, .heat(conditions.thermal))) }
        if let battery = batteryCause(conditions.power) { factors.append((configuration.lowBatteryFactor, battery)) }
        return factors
    }

    private func budgetTier(_ conditions: Conditions) -> (ResourceBudget.Tier, PolicyReason.Cause?) {
        let power = conditions.power
        let battery = batteryCause(power)
        if conditions.thermal == .critical { return (.critical, .heat(.critical)) }
        if case .criticalBattery = battery { return (.critical, battery) }
        if conditions.thermal == .serious { return (.lowPower, .heat(.serious)) }
        if power.isLowPowerMode, !power.isExternal { return (.lowPower, .lowPowerMode) }
        return battery == nil ? (.normal, nil) : (.lowPower, battery)
    }

    /// The cause of a battery that is low and not charging; `nil` otherwise and for an unknown level.
    private func batteryCause(_ power: Power) -> PolicyReason.Cause? {
        guard let level = power.level, !power.isExternal, level < configuration.lowBatteryLevel else { return nil }
        let percent = Int((level * 100).rounded(.down))
        return level < configuration.criticalBatteryLevel
            ? .criticalBattery(percent: percent) : .lowBattery(percent: percent)
    }

    /// Buffer sizes: at most 50 breadcrumbs and 100 frames on a memory warning; 20 and none under critical pressure.
    private func buffers(under pressure: MemoryPressure) -> (PolicyDecision.Buffers, PolicyReason?) {
        let breadcrumbs: Int
        let frames: Int
        switch pressure {
        case .normal: (breadcrumbs, frames) = (configuration.breadcrumbLimit, configuration.replayFrameLimit)
        case .warning:
            (breadcrumbs, frames) = (
                min(50, configuration.breadcrumbLimit), min(100, configuration.replayFrameLimit),
            )
        case .critical: (breadcrumbs, frames) = (min(20, configuration.breadcrumbLimit), 0)
        }
        let effect = PolicyReason.Effect.shortenBuffers(breadcrumbs: breadcrumbs, replayFrames: frames)
        return (
            PolicyDecision.Buffers(breadcrumbs: breadcrumbs, replayFrames: frames),
            pressure == .normal ? nil : PolicyReason(.memoryPressure(pressure), effect),
        )
    }

    /// Why the replay must stop: it needs a visible screen and memory for its frames.
    private func replayBlocker(_ conditions: Conditions) -> PolicyReason.Cause? {
        if conditions.memory == .critical { return .memoryPressure(.critical) }
        switch conditions.lifecycle {
        case .active, .inactive: return nil
        case .launching, .background, .suspended, .terminated: return .lifecycle(conditions.lifecycle)
        }
    }
}
