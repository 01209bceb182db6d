/// How often and why the app ended in a period, as the system counts it: the `MXAppExitMetric` of a payload.
package struct SystemExitCounts: Hashable, Sendable {
    /// A foreground exit has one of the first six, a background exit any of them.
    package enum Reason: String, CaseIterable, Sendable {
        case normal
        /// An exit that the app did not intend, such as an uncaught exception.
        case abnormal
        /// The app did not respond in time, for example at its launch.
        case watchdog
        case memoryResourceLimit = "memory_resource_limit"
        case badAccess = "bad_access"
        case illegalInstruction = "illegal_instruction"
        /// The system needed memory for another app.
        case memoryPressure = "memory_pressure"
        /// The app was suspended while it held the lock of a file that others use.
        case suspendedWithLockedFile = "suspended_with_locked_file"
        case backgroundTaskAssertionTimeout = "background_task_assertion_timeout"
        case cpuResourceLimit = "cpu_resource_limit"
    }

    /// Nanoseconds since 1970, usually a day.
    package var period: ClosedRange<UInt64>
    package var foreground: [Reason: Int]
    package var background: [Reason: Int]
    /// Empty if unknown, or if the period has several versions.
    package var appVersion: String
    package var appBuild: String

    package init(
        period: ClosedRange<UInt64>, foreground: [Reason: Int] = [:], background: [Reason: Int] = [:],
        appVersion: String = "", appBuild: String = "",
    ) {
        self.period = period
        self.foreground = foreground
        self.background = background
        self.appVersion = appVersion
        self.appBuild = appBuild
    }
}
