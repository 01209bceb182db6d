/// Lowers the telemetry mode before the SDK exceeds its resource budget, and raises it after calm periods.
///
///     var governor = BudgetGovernor()
///     let wanted = policy.decision(for: conditions, on: device)
///     if let step = governor.observe(sample, under: wanted.budget, wanting: wanted.mode) { record(step) }
///     let decision = policy.decision(for: conditions, on: device, cap: governor.cap)
///
/// A value that receives measurements and makes none itself. Give it a sample every few seconds:
///
/// - If a resource reaches four fifths of its budget, the mode steps down. So it does if the trend of the last two
///   samples projects that for the next one. If the budget is already exceeded, the mode becomes minimal immediately.
/// - If every resource stays at three fifths or less for the dwell time, the mode steps up. A step up that is reverted
///   within its dwell time doubles the next dwell time, up to the longest.
///
/// So the budget is exceeded for at most one sampling period, provided minimal mode fits into it. Two steps up are at
/// least a dwell time apart.
public struct BudgetGovernor: Sendable {
    public struct Settings: Equatable, Sendable {
        /// The share of the budget at which the mode steps down. Default 0.8.
        public var alarmShare = 0.8
        /// The share of the budget up to which usage counts as calm. Default 0.6.
        public var calmShare = 0.6
        /// The time that usage must be calm, also since the last step, before the mode steps up. Default 60 s.
        public var dwell: Duration = .seconds(60)
        public var longestDwell: Duration = .seconds(960)
        /// The shortest time between samples; earlier ones are ignored, because a CPU share over less time is noise.
        /// Default 1 s.
        public var shortestPeriod: Duration = .seconds(1)

        public init() {}
    }

    /// The highest mode currently allowed and the resource that limits it; `nil` if there is no limit.
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

    /// Processes a sample; updates the cap and returns the resulting step, if any.
    ///
    /// - Parameters:
    ///   - sample: Must be later than the previous sample, or it is ignored. The first sample only sets the start.
    ///   - budget: The budget of the decision without a cap.
    ///   - mode: The mode of the decision without a cap.
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
            // Usage that exceeds the budget in minimal mode is reported once: no lower mode exists.
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
