/// Steps the mode down before the SDK takes more of the device than its budget, and up again when it has been calm.
///
///     var governor = BudgetGovernor()
///     let wanted = policy.decision(for: conditions, on: device)
///     if let step = governor.observe(sample, under: wanted.budget, wanting: wanted.mode) { record(step) }
///     let decision = policy.decision(for: conditions, on: device, cap: governor.cap)
///
/// A value that is told what was measured and does no measuring itself. Give it a sample every few seconds:
///
/// - Where a resource reaches four fifths of its budget, or would by the next sample if it rose on as it did over the
///   last two, the mode goes one step down; where the budget is broken already, it goes to minimal at once.
/// - Where every resource has been at three fifths or less for the dwell time, the mode goes one step up. Each step
///   up that has to be taken back before it lasted for its dwell time doubles the next one, up to the longest.
///
/// So the budget is broken for at most one sampling period, if minimal mode fits into it at all, and no two steps up
/// come within the dwell time.
public struct BudgetGovernor: Sendable {
    public struct Settings: Hashable, Sendable {
        /// Of the budget, from which the mode steps down.
        public var alarmShare = 0.8
        /// Of the budget, up to which things are calm.
        public var calmShare = 0.6
        /// How long things must be calm, and how long after the last step, before the mode steps up.
        public var dwell: Duration = .seconds(60)
        public var longestDwell: Duration = .seconds(960)
        /// Samples that follow sooner are ignored: a share of the processor over less time is noise.
        public var shortestPeriod: Duration = .seconds(1)

        public init() {}
    }

    /// The most that is left for the mode, and what took the rest; `nil` without a limit.
    public private(set) var cap: BudgetCap?
    private let settings: Settings
    private var last: Observation?
    private var lastStep: Duration?
    private var lastStepUp: Duration?
    private var calmSince: Duration?
    private var dwell: Duration
    private var hasReportedFloor = false

    public init(_ settings: Settings = Settings()) {
        self.settings = settings
        dwell = settings.dwell
    }

    /// Takes a sample into account; returns the step that it led to, if any, and changes the cap with it.
    ///
    /// - Parameters:
    ///   - sample: Later than the one before, or it is ignored; the first only sets the start.
    ///   - budget: That of the decision without a cap.
    ///   - mode: That of the decision without a cap.
    public mutating func observe(
        _ sample: ResourceSample, under budget: ResourceBudget, wanting mode: TelemetryMode,
    ) -> BudgetStep? {
        guard let previous = last else {
            last = Observation(sample)
            return nil
        }
        let period = sample.time - previous.sample.time
        guard period >= settings.shortestPeriod else { return nil }
        let current = Observation(sample, after: previous, period: period, bytesPerHour: budget.bytesPerHour)
        last = current
        let loads = Load.all(current, after: previous, budget)
        guard let worst = loads.max(by: { $0.projectedShare < $1.projectedShare }) else { return nil }

        if worst.projectedShare >= settings.alarmShare {
            calmSince = nil
            return stepDown(from: min(mode, cap?.mode ?? .full), for: worst, at: sample.time)
        }
        hasReportedFloor = false
        return stepUp(loads, worst, at: sample.time)
    }

    private mutating func stepDown(from mode: TelemetryMode, for load: Load, at time: Duration) -> BudgetStep? {
        guard let lower = mode.lower else {
            // A load that minimal mode does not fit is told once, for nothing more can be done about it.
            guard load.share >= 1, !hasReportedFloor else { return nil }
            hasReportedFloor = true
            return BudgetStep(.floor, load, from: mode, to: mode, at: time)
        }
        if let lastStepUp {
            dwell = time - lastStepUp < dwell ? min(dwell * 2, settings.longestDwell) : settings.dwell
        }
        lastStepUp = nil
        lastStep = time
        let next: TelemetryMode = load.share >= 1 ? .minimal : lower
        cap = BudgetCap(mode: next, resource: load.resource)
        return BudgetStep(.down, load, from: mode, to: next, at: time)
    }

    private mutating func stepUp(_ loads: [Load], _ worst: Load, at time: Duration) -> BudgetStep? {
        guard let cap, loads.allSatisfy({ $0.share <= settings.calmShare }) else {
            calmSince = nil
            return nil
        }
        let calmSince = calmSince ?? time
        self.calmSince = calmSince
        guard time - max(calmSince, lastStep ?? calmSince) >= dwell, let next = cap.mode.higher else { return nil }
        lastStep = time
        lastStepUp = time
        self.cap = next == .full ? nil : BudgetCap(mode: next, resource: cap.resource)
        return BudgetStep(.up, worst, from: cap.mode, to: next, at: time)
    }
}
