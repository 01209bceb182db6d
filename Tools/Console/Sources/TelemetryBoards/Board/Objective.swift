import TelemetryQuery

/// The share of good records that a time must reach, such as 99.5 % of the sessions of 28 days without a crash.
///
/// The rest is the error budget. Its alerts are those of the SRE workbook, "Alerting on SLOs": several windows with
/// several burn rates. A burn rate of 1 uses up the budget in exactly the objective's window.
package struct Objective: Hashable, Sendable {
    /// A pace at which the budget must not be used up.
    package struct BurnRate: Hashable, Sendable {
        package let rate: Double
        /// The time that must burn this fast, in nanoseconds.
        package let window: Int64
        /// The shorter time that must burn this fast, too, so that the alert ends soon after its cause.
        package let confirmation: Int64
        package let severity: AlertRule.Severity
    }

    private static let minute: Int64 = 60_000_000_000
    private static let hour = 60 * minute
    private static let day = 24 * hour

    package static let burnRates = [
        BurnRate(rate: 14.4, window: hour, confirmation: 5 * minute, severity: .critical),
        BurnRate(rate: 6, window: 6 * hour, confirmation: 30 * minute, severity: .critical),
        BurnRate(rate: 3, window: day, confirmation: 2 * hour, severity: .warning),
        BurnRate(rate: 1, window: 3 * day, confirmation: 6 * hour, severity: .warning),
    ]
    /// The default of ``window``: 28 days.
    package static let usualWindow = 28 * day

    /// A query of one `ratio(where …)`, the share of good records, without groups.
    package var query: BoardQuery
    /// The share to reach, between 0 and 1.
    package var target: Double
    /// The target as it was written, such as `99.5%`.
    package var targetText: String
    /// The time until now in which the target must be reached, in nanoseconds.
    package var window = Objective.usualWindow
    package var webhook: Webhook?

    /// The share of records that may be bad.
    package var budget: Double { 1 - target }

    /// Returns an alert for each burn rate that the objective can have.
    ///
    /// A rate is out of reach if even bad records alone burn slower. A window is shorter than the objective's.
    package func rules(named title: String) -> [AlertRule] {
        Self.burnRates.compactMap { burn in
            let limit = 1 - burn.rate * budget
            guard limit > 0, burn.window < window else { return nil }
            var rule = AlertRule(
                name: "\(title): \(BoardText.number(burn.rate))× burn", query: query, threshold: .below(limit),
                thresholdText: "\(limit)", window: burn.window)
            let life = TimeRange.text(ofDuration: Self.lifetime(of: window, at: burn.rate))
            rule.note = "At this pace, the error budget of \(TimeRange.text(ofDuration: window)) lasts \(life)."
            rule.interval = min(burn.confirmation / 5, 15 * Self.minute)
            rule.confirmation = burn.confirmation
            rule.severity = burn.severity
            rule.webhook = webhook
            return rule
        }
    }

    /// The time after which a full budget is used up, in whole hours.
    private static func lifetime(of window: Int64, at rate: Double) -> Int64 {
        max(Int64((Double(window / hour) / rate).rounded()), 1) * hour
    }
}

extension BoardPanel {
    /// The alerts of its objective.
    package var rules: [AlertRule] {
        guard case .objective(let objective) = content else { return [] }
        return objective.rules(named: title)
    }
}

extension Board {
    /// The alerts of the file, and those of its objectives.
    package var rules: [AlertRule] { alerts + panels.flatMap(\.rules) }
}
