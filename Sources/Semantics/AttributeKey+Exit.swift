/// The system's own counts of how the app ended.
extension AttributeKey {
    /// Why the app ended, as the system says: `normal`, `abnormal`, `watchdog`, `memory_resource_limit`, `bad_access`,
    /// `illegal_instruction`, `memory_pressure`, `suspended_with_locked_file`, `background_task_assertion_timeout` or
    /// `cpu_resource_limit`.
    ///
    /// String, such as `watchdog`. Not in the conventions.
    package static let astrolabeExitReason = "astrolabe.exit.reason"

    /// Where the app was when it ended: `foreground` or `background`.
    ///
    /// String, such as `background`. Not in the conventions.
    package static let astrolabeExitState = "astrolabe.exit.state"
}

extension MetricName {
    /// Exits of the app that the system counted, usually over a day.
    ///
    /// Sum, monotonic, delta, `{exit}`. Carries ``AttributeKey/astrolabeExitReason``,
    /// ``AttributeKey/astrolabeExitState``, and ``AttributeKey/serviceVersion`` and ``AttributeKey/appBuildID`` if the
    /// period has one version. Counts the exits that ``EventName/runEnd`` describes once more: do not add them up. Not
    /// in the conventions.
    package static let appExits = "astrolabe.app.exits"
}
