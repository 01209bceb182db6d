/// Crashes, hangs, late frames, and how runs of the app begin and end.
extension AttributeKey {
    /// The threads of a process when it crashed, the crashed one first; see `Docs/Internals/HealthEvents.md`.
    ///
    /// Map, list, such as `[{"name": "main", "frames": […]}]`. Not in the conventions.
    package static let astrolabeCrashThreads = "astrolabe.crash.threads"

    /// The registers of the crashed thread.
    ///
    /// Map, strings, such as `{"rip": "0x7f2a41af9560"}`. Not in the conventions.
    package static let astrolabeCrashRegisters = "astrolabe.crash.registers"

    /// The number of the signal that ended the process.
    ///
    /// Int, such as `11`. Not in the conventions.
    package static let astrolabeCrashSignal = "astrolabe.crash.signal"

    /// The signal's cause as the system gives it, `si_code`.
    ///
    /// Int, such as `1`. Not in the conventions.
    package static let astrolabeCrashCode = "astrolabe.crash.code"

    /// The name of ``astrolabeCrashCode``.
    ///
    /// String, such as `SEGV_MAPERR`. Not in the conventions.
    package static let astrolabeCrashCodeName = "astrolabe.crash.code_name"

    /// The accessed address, if the access is why the process crashed.
    ///
    /// String, such as `0x10`. Not in the conventions.
    package static let astrolabeCrashAddress = "astrolabe.crash.address"

    /// The phase of the SDK: `starting` or `running`.
    ///
    /// String, such as `running`. Not in the conventions.
    package static let astrolabeCrashPhase = "astrolabe.crash.phase"

    /// The progress of the handler: `begun`, `registers`, `stack`, `threads` or `complete`.
    ///
    /// String, such as `complete`. Not in the conventions.
    package static let astrolabeCrashStage = "astrolabe.crash.stage"

    /// True where the handler itself met a signal.
    ///
    /// Bool, such as `true`. Not in the conventions.
    package static let astrolabeCrashIsNested = "astrolabe.crash.is_nested"

    /// True where the thread had used up its stack.
    ///
    /// Bool, such as `true`. Not in the conventions.
    package static let astrolabeCrashIsStackOverflow = "astrolabe.crash.is_stack_overflow"

    /// The age of the process.
    ///
    /// Double, seconds, such as `93.4`. Not in the conventions.
    package static let astrolabeCrashUptime = "astrolabe.crash.uptime"

    /// Memory that the device had free, a second before at most.
    ///
    /// Int, bytes, such as `5123456789`. Not in the conventions.
    package static let astrolabeCrashMemoryFree = "astrolabe.crash.memory.free"

    /// Memory that the process used, a second before at most.
    ///
    /// Int, bytes, such as `93454336`. Not in the conventions.
    package static let astrolabeCrashMemoryUsed = "astrolabe.crash.memory.used"

    /// The executables and libraries that frames of the record refer to; see `Docs/Internals/HealthEvents.md`.
    ///
    /// Map, list, such as `[{"name": "astronomy-shop", "build_id": "4f0c…"}]`. Not in the conventions.
    package static let astrolabeImages = "astrolabe.images"

    /// One hang.
    ///
    /// String, a UUID, such as `083d3d2d-9a0e-47f8-be3d-bc3c5538ba38`. Not in the conventions.
    package static let astrolabeHangID = "astrolabe.hang.id"

    /// The time for which the main thread did not respond.
    ///
    /// Double, seconds, such as `10.02`. Not in the conventions.
    package static let astrolabeHangDuration = "astrolabe.hang.duration"

    /// For how long of it the main thread had a processor: near ``astrolabeHangDuration`` where it computed, near 0
    /// where it waited.
    ///
    /// Double, seconds, such as `9.8`. Not in the conventions.
    package static let astrolabeHangProcessorTime = "astrolabe.hang.processor_time"

    /// `hang` or `severe`.
    ///
    /// String, such as `severe`. Not in the conventions.
    package static let astrolabeHangSeverity = "astrolabe.hang.severity"

    /// False where the process ended while it hung.
    ///
    /// Bool, such as `true`. Not in the conventions.
    package static let astrolabeHangHasEnded = "astrolabe.hang.has_ended"

    /// From how long on it counts as a hang.
    ///
    /// Double, seconds, such as `0.25`. Not in the conventions.
    package static let astrolabeHangThreshold = "astrolabe.hang.threshold"

    /// Stacks of the main thread while it hung; see `Docs/Internals/HealthEvents.md`.
    ///
    /// Map, list, such as `[{"time": 0.3, "frames": […]}]`. Not in the conventions.
    package static let astrolabeHangSamples = "astrolabe.hang.samples"

    /// Time between two of ``astrolabeHangSamples``.
    ///
    /// Double, seconds, such as `0.4`. Not in the conventions.
    package static let astrolabeHangSampleInterval = "astrolabe.hang.sample_interval"

    /// All frames of the period, late or not.
    ///
    /// Int, such as `600`. Not in the conventions.
    package static let astrolabeJankFrames = "astrolabe.jank.frames"

    /// The longest frame of the period.
    ///
    /// Double, seconds, such as `0.31`. Not in the conventions.
    package static let astrolabeJankLongest = "astrolabe.jank.longest"

    /// One run of the app, from the start of its process to its end.
    ///
    /// String, a UUID, such as `5f0c2b4e-6b1f-4c58-8f6f-0a2f5d6c7b8a`. Not in the conventions.
    package static let astrolabeRunID = "astrolabe.run.id"

    /// The duration of the run, as far as it is known.
    ///
    /// Double, seconds, such as `93.4`. Not in the conventions.
    package static let astrolabeRunDuration = "astrolabe.run.duration"

    /// Why the run ended: `clean`, `crash`, `hang`, `signal`, `low_memory`, `killed_in_foreground`,
    /// `killed_in_background`, `app_update`, `system_update`, `reboot` or `unknown`.
    ///
    /// String, such as `crash`. Not in the conventions.
    package static let astrolabeRunEndReason = "astrolabe.run.end.reason"

    /// The evidence for ``astrolabeRunEndReason``, in words.
    ///
    /// String, list, such as `["the device restarted"]`. Not in the conventions.
    package static let astrolabeRunEndEvidence = "astrolabe.run.end.evidence"

    /// The signal that ended the run, where ``astrolabeRunEndReason`` is `signal`.
    ///
    /// String, such as `SIGTERM`. Not in the conventions.
    package static let astrolabeRunEndSignal = "astrolabe.run.end.signal"

    /// The time since the last collection of metrics when the run ended. What was measured meanwhile is lost.
    ///
    /// Double, seconds, such as `12.5`. Not in the conventions.
    package static let astrolabeRunUncollected = "astrolabe.run.uncollected"

    /// The type of start: `cold` if the app was started, `warm` if it came back.
    ///
    /// String, such as `cold`. Not in the conventions.
    package static let astrolabeStartType = "astrolabe.start.type"

    /// True where the system had begun the process before the person asked for the app: such a start counts from the
    /// end of the app's launch.
    ///
    /// Bool, such as `true`. Not in the conventions.
    package static let astrolabeStartIsPrewarmed = "astrolabe.start.is_prewarmed"
}
