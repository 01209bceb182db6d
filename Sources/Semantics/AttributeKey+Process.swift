/// The use of resources by the process, and the system's account of its end.
extension AttributeKey {
    /// The kind of CPU time: `user` or `system`.
    ///
    /// String, such as `user`. In development.
    package static let cpuMode = "cpu.mode"

    /// Why the app ended, as the system says: `normal`, `abnormal`, `watchdog`, `memory_resource_limit`, `bad_access`,
    /// `illegal_instruction`, `memory_pressure`, `suspended_with_locked_file`, `background_task_assertion_timeout` or
    /// `cpu_resource_limit`.
    ///
    /// String, such as `watchdog`. Not in the conventions.
    package static let astrolabeExitReason = "astrolabe.exit.reason"

    /// The state of the app when it ended: `foreground` or `background`.
    ///
    /// String, such as `background`. Not in the conventions.
    package static let astrolabeExitState = "astrolabe.exit.state"
}

extension MetricName {
    /// CPU time of the process.
    ///
    /// Sum, monotonic, seconds. Carries ``AttributeKey/cpuMode``. In development.
    package static let processCPUTime = "process.cpu.time"

    /// Memory of the process: on Apple platforms the footprint by which the system decides to end an app, elsewhere the
    /// memory that is resident.
    ///
    /// Sum, not monotonic, bytes. In development.
    package static let processMemoryUsage = "process.memory.usage"

    /// Threads of the process. Sum, not monotonic, `{thread}`. In development.
    package static let processThreadCount = "process.thread.count"

    /// Open file descriptors of the process. Sum, not monotonic, `{file_descriptor}`. In development.
    package static let processFileDescriptorCount = "process.unix.file_descriptor.count"

    /// Memory of the container that the process runs in. Sum, not monotonic, bytes. In development.
    package static let containerMemoryUsage = "container.memory.usage"

    /// Memory that the container may still use; absent without a limit. Sum, not monotonic, bytes. In development.
    package static let containerMemoryAvailable = "container.memory.available"

    /// CPU time of the app over the period of a MetricKit payload.
    ///
    /// Sum, monotonic, delta, seconds. Carries ``AttributeKey/serviceVersion`` and
    /// `astrolabe.app.build_number`. Not in the conventions.
    package static let appCPUTime = "astrolabe.app.cpu.time"

    /// The most memory that the app had in that period. Gauge, bytes. Not in the conventions.
    package static let appMemoryPeak = "astrolabe.app.memory.peak"

    /// Bytes that the app wrote to files in that period. Sum, monotonic, delta, bytes. Not in the conventions.
    package static let appDiskWritten = "astrolabe.app.disk.written"

    /// Cold starts of that period, until the first frame.
    ///
    /// Histogram, delta, seconds, without a sum. Not in the conventions.
    package static let appLaunchDuration = "astrolabe.app.launch.duration"

    /// Hangs of the main thread in that period. Histogram, delta, seconds, without a sum. Not in the conventions.
    package static let appHangDuration = "astrolabe.app.hang.duration"

    /// Exits of the app that the system counted, usually over a day.
    ///
    /// Sum, monotonic, delta, `{exit}`. Carries ``AttributeKey/astrolabeExitReason``,
    /// ``AttributeKey/astrolabeExitState``, and ``AttributeKey/serviceVersion`` and
    /// `astrolabe.app.build_number` if the period has one version. Counts the exits that
    /// ``EventName/runEnd`` describes once more: do not add them up. Not in the conventions.
    package static let appExits = "astrolabe.app.exits"
}
