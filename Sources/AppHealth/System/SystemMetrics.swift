/// The system's measurements of the app in a period: an `MXMetricPayload`.
package struct SystemMetrics: Equatable, Sendable {
    /// Why the app ended. A foreground exit has one of the first six, a background exit any of them.
    package enum ExitReason: String, CaseIterable, Sendable {
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

    /// The number of durations from `lower` to below `upper` seconds.
    package struct Bucket: Equatable, Sendable {
        package var lower: Double
        package var upper: Double
        package var count: Int

        package init(lower: Double, upper: Double, count: Int) {
            self.lower = lower
            self.upper = upper
            self.count = count
        }
    }

    /// Nanoseconds since 1970, usually a day.
    package var period: ClosedRange<UInt64>
    package var foregroundExits: [ExitReason: Int] = [:]
    package var backgroundExits: [ExitReason: Int] = [:]
    /// Seconds of CPU time; `nil` if it was not measured, as for the next two.
    package var cpuTime: Double?
    /// The most memory that the app had, in bytes.
    package var peakMemory: Double?
    /// Bytes that the app wrote to files.
    package var diskWritten: Double?
    /// From the start of the process to the first frame, of cold starts.
    package var launches: [Bucket] = []
    /// Times in which the main thread did not respond.
    package var hangs: [Bucket] = []
    /// Empty if unknown, or if the period has several versions.
    package var appVersion = ""
    package var appBuild = ""

    package init(period: ClosedRange<UInt64>) {
        self.period = period
    }
}
