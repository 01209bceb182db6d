import AstrolabeDeviceConditions
import AstrolabePlatform
import AstrolabeRecording
import AstrolabeSemantics
import AstrolabeTelemetryModel
import CAstrolabeCrashCapture
import Dispatch

/// A thread that checks the main thread's run loop while it works, and writes heartbeats to the run's file.
///
/// While the main thread waits for work, the thread sleeps too, except for a heartbeat each minute. In the
/// background it does not wake up. A hang is stored in the file from its start until it is recorded: if it never ends,
/// the next launch reports it.
///
/// The lock `watch` is held while the main thread is checked and its stack is sampled into the mapped file. It is not
/// held while the system's files are read, and not while a hang is recorded, which calls the app.
final class HangWatchdog: Sendable {
    private let file: HealthRunFile
    private let events: EventLogger
    private let ambient: AmbientAttributes
    private let thresholds: HangThresholds?
    /// Hangs that are recorded in one session.
    private let limit: Int
    private let reported: CaptureLedger
    private let onDiagnostic: @Sendable (String) -> Void
    private let life = Locked(Life())
    private let ids = IDGenerator()
    private let watch: Locked<Watch>
    private let mainLoop: @Sendable () -> astrolabe_main_loop

    /// Ends a pause.
    private let wakeUp = DispatchSemaphore(value: 0)
    /// That of the watchdog that runs. One per process, as the main run loop is.
    private static let current = Locked<DispatchSemaphore?>(nil)

    /// Nanoseconds between two checks while the main thread works.
    static let interval: UInt64 = 40_000_000
    /// Nanoseconds between two heartbeats, while the main thread works and while it waits.
    private static let heartbeat: UInt64 = 1_000_000_000
    private static let idleHeartbeat: UInt64 = 60_000_000_000

    private struct Life {
        var isInForeground = true
        var hasBeenActive = false
        var isStopped = false
        var hasEnded = false
    }

    /// True if its thread has ended.
    var hasEnded: Bool { life.withLock { $0.hasEnded } }

    /// - Parameters:
    ///   - thresholds: `nil` if hangs are not detected.
    ///   - mainLoop: Reads the state of the main run loop; replaced in tests.
    init(
        file: HealthRunFile, events: EventLogger, ambient: AmbientAttributes, thresholds: HangThresholds?, limit: Int,
        reported: CaptureLedger,
        mainLoop: @escaping @Sendable () -> astrolabe_main_loop = { astrolabe_main_loop_read() },
        onDiagnostic: @escaping @Sendable (String) -> Void,
    ) {
        self.file = file
        self.events = events
        self.ambient = ambient
        self.thresholds = thresholds
        self.limit = limit
        self.reported = reported
        self.mainLoop = mainLoop
        self.onDiagnostic = onDiagnostic
        let threshold = UInt64(nanosecondsIn: (thresholds ?? HangThresholds()).hang.seconds)
        watch = Locked(Watch(detector: HangDetector(interval: Self.interval, threshold: threshold)))
        guard thresholds != nil else { return }
        Self.current.withLock { $0 = wakeUp }
        _ = astrolabe_main_loop_observe(threshold) { HangWatchdog.current.withLock { $0 }?.signal() }
    }

    func start(countedBy account: CPUTimeMeter) {
        DedicatedThread.start(countedBy: account) {
            astrolabe_name_thread("astrolabe.hangs")
            let waiting = WaitingTime()
            // Read here, because the start waits for nothing that this thread can do.
            let isDebugged = SystemBoot.isDebugged
            self.watch.withLock { ($0.waiting, $0.isDebugged) = (waiting, isDebugged) }
            // Of this thread's checks alone: a pass that another thread saw must not let this one sleep.
            var pace = WatchPace()
            while !self.life.withLock({ $0.isStopped }) {
                let (loop, isDetecting) = self.check()
                let next = pace.check(passes: loop.passes, isInPass: loop.pass != 0)
                if isDetecting, next == .shortly {
                    self.sleep(Self.interval)
                } else {
                    pace.wake(isNeeded: self.sleepUntilNeeded(after: loop.passes))
                }
            }
            self.watch.withLock { $0.waiting = nil }
            self.life.withLock { $0.hasEnded = true }
        }
    }

    /// Ends the thread and stops observing the main thread.
    func stop() {
        life.withLock { $0.isStopped = true }
        astrolabe_main_loop_stop()
        wakeUp.signal()
    }

    /// Updates the app's lifecycle state.
    ///
    /// If the app leaves the foreground, a hang in progress is reported immediately, because the process may be
    /// suspended before the next check.
    func move(to state: LifecycleState) {
        let isInForeground = !LifecycleCode(state).isOutOfSight
        let (before, isFirst) = life.withLock { life in
            defer {
                life.isInForeground = isInForeground
                if state == .active { life.hasBeenActive = true }
            }
            return (life, state == .active && !life.hasBeenActive)
        }
        if before.isInForeground, !isInForeground { check() }
        if isInForeground, isFirst || !before.isInForeground { wakeUp.signal() }
    }

    /// Reports a hang that has just ended without waiting for the next check, before the last records are sent.
    ///
    /// Waits for a main thread that hangs, and for another thread that records a hang.
    ///
    /// - Parameter timeout: The longest wait. Default 0.1 s.
    func finish(timeout: Duration = .milliseconds(100)) async {
        check()
        let isIdle = FirstValue<Void>()
        let mustWait = watch.withLock { watch in
            if watch.isBusy { watch.finishing.append(isIdle) }
            return watch.isBusy
        }
        // A hang that ended since the watchdog's last check is still recorded.
        if mustWait, await isIdle.value(within: timeout) == nil { check() }
    }

    /// The state between two checks.
    private struct Watch {
        var detector: HangDetector
        var sampling = HangSampling(places: Int(ASTROLABE_SAMPLE_COUNT), interval: HangWatchdog.interval)
        /// False before its thread runs.
        var isDebugged = false
        /// The waiting time of the watchdog's own thread, once it runs.
        var waiting: WaitingTime?
        var waited: UInt64 = 0
        var lastHeartbeat: UInt64 = 0
        var heartbeats = 0
        /// Passes of the main run loop by the last check.
        var passes: UInt64 = 0
        /// Nanoseconds since 1970; 0 if no hang is under way.
        var began: UInt64 = 0
        /// The number of hangs that are being recorded at the moment.
        var recording = 0
        /// CPU time of the main thread when the pass under way was first seen.
        var processorTime: UInt64?
        /// Hangs that were recorded in a session.
        var recorded: (session: String, count: Int) = ("", 0)
        /// Those that wait until there is no hang and none is being recorded.
        var finishing: [FirstValue<Void>] = []

        var isBusy: Bool { detector.isHanging || recording > 0 }

        /// Returns those that have waited for what is now the case.
        mutating func takeFinished() -> [FirstValue<Void>] {
            guard !isBusy else { return [] }
            defer { finishing = [] }
            return finishing
        }
    }

    /// A step to take after a check, once the lock is released.
    private indirect enum Consequence {
        /// The time is the nanoseconds that the main thread had a CPU, if that is known.
        case record(HangRecord, processorTime: UInt64?)
        case reportLimit
    }

    /// Returns whether something ended the sleep early.
    @discardableResult
    private func sleep(_ nanoseconds: UInt64) -> Bool {
        wakeUp.wait(timeout: .now() + .nanoseconds(Int(nanoseconds))) == .success
    }

    /// Returns false if it was only until the next heartbeat.
    ///
    /// - Parameter passes: Passes of the main run loop by this thread's last check.
    private func sleepUntilNeeded(after passes: UInt64) -> Bool {
        let isInForeground = life.withLock { $0.isInForeground }
        var isNeeded = true
        let began = SystemTime.sinceBoot
        if isInForeground {
            astrolabe_main_loop_await_pass(true)
            // A pass that began before it was awaited does not wake this thread.
            guard mainLoop().passes == passes else {
                astrolabe_main_loop_await_pass(false)
                return true
            }
            isNeeded = sleep(Self.idleHeartbeat)
        } else {
            wakeUp.wait()
        }
        // A pass that begins from here on is later than this time.
        let now = SystemTime.sinceBoot
        astrolabe_main_loop_await_pass(false)
        let awaited = mainLoop().awaited_pass
        watch.withLock { $0.detector.resume(at: awaited > began ? min(awaited, now) : now) }
        return isNeeded
    }

    /// Checks whether the main thread hangs, and returns the state of its run loop that was seen.
    @discardableResult
    private func check() -> (loop: astrolabe_main_loop, isDetecting: Bool) {
        writeHeartbeat()
        let waited = waited
        var consequences: [Consequence] = []
        let seen = watch.withLock { check(&$0, waited: waited, &consequences) }
        for consequence in consequences {
            switch consequence {
            case .record(let hang, let time): record(hang, processorTime: time)
            case .reportLimit: onDiagnostic("This session had \(limit) hangs. Later ones are not recorded.")
            }
        }
        for waiting in watch.withLock({ $0.takeFinished() }) { waiting.set(()) }
        return seen
    }

    /// Nanoseconds that the watchdog's thread has waited for a CPU; 0 before it runs and once it has ended.
    private var waited: UInt64 { watch.withLock({ $0.waiting })?.nanoseconds ?? 0 }

    private func check(
        _ watch: inout Watch, waited: UInt64, _ consequences: inout [Consequence],
    ) -> (loop: astrolabe_main_loop, isDetecting: Bool) {
        let life = life.withLock { $0 }
        let isDetecting = thresholds != nil && !watch.isDebugged && life.isInForeground && life.hasBeenActive
        let loop = mainLoop()
        let now = SystemTime.sinceBoot
        // Another check may have read a later time.
        let waited = max(waited, watch.waited)
        let observation = HangDetector.Observation(
            now: now, pass: loop.pass, longPass: loop.long_pass, longPassEnd: loop.long_pass_end,
            waited: waited - watch.waited, isDetecting: isDetecting)
        watch.waited = waited
        consequences = watch.detector.process(observation).compactMap { perform($0, &watch) }
        if loop.passes != watch.passes { watch.processorTime = MainThreadTime.nanoseconds }
        watch.passes = loop.passes
        return (loop, isDetecting)
    }

    /// Writes a heartbeat if one is due. Reads files of the system on Linux, so it does that without the lock.
    private func writeHeartbeat() {
        let now = SystemTime.sinceBoot
        let (isDue, looksForDebugger) = watch.withLock { watch in
            guard now - min(watch.lastHeartbeat, now) >= Self.heartbeat else { return (false, false) }
            watch.lastHeartbeat = now
            watch.heartbeats += 1
            return (true, watch.isDebugged || watch.heartbeats % 5 == 0)
        }
        guard isDue else { return }
        let memory = SystemBoot.memory
        file[ASTROLABE_WORD_HEARTBEAT] = SystemTime.wall
        file[ASTROLABE_WORD_MEMORY_FREE] = memory.free
        file[ASTROLABE_WORD_MEMORY_USED] = memory.used
        file.collectImages()
        guard looksForDebugger else { return }
        let isDebugged = SystemBoot.isDebugged
        watch.withLock { $0.isDebugged = isDebugged }
    }

    private func perform(_ action: HangDetector.Action, _ watch: inout Watch) -> Consequence? {
        switch action {
        case .none: return nil
        case .begin(let duration):
            begin(duration, &watch)
            sample(at: duration, &watch)
            return nil
        case .ongoing(let duration):
            sample(at: duration, &watch)
            return nil
        case .end(let duration): return end(duration, hasEnded: true, &watch)
        case .stop(let duration): return end(duration, hasEnded: false, &watch)
        }
    }

    private func begin(_ duration: UInt64, _ watch: inout Watch) {
        let now = SystemTime.wall
        watch.began = now - min(duration, now)
        watch.sampling = HangSampling(places: Int(ASTROLABE_SAMPLE_COUNT), interval: Self.interval)
        // A reader after a kill must not take parts of two hangs for one.
        file[ASTROLABE_WORD_HANG_BEGAN] = 0
        file.publish({ ambient.snapshot.attributes }, as: ASTROLABE_BLOB_HANG_AMBIENT)
        let id = ids.next128()
        file[ASTROLABE_WORD_HANG_ID_HIGH] = id.high
        file[ASTROLABE_WORD_HANG_ID_LOW] = id.low
        file[ASTROLABE_WORD_HANG_STATE] = 0
        file[ASTROLABE_WORD_HANG_SAMPLES] = 0
        file[ASTROLABE_WORD_HANG_SEEN] = watch.began + duration
        for word in [ASTROLABE_WORD_HANG_TRACE_HIGH, ASTROLABE_WORD_HANG_TRACE_LOW, ASTROLABE_WORD_HANG_SPAN] {
            file[word] = 0
        }
        file[ASTROLABE_WORD_HANG_BEGAN] = watch.began
    }

    private func sample(at duration: UInt64, _ watch: inout Watch) {
        file[ASTROLABE_WORD_HANG_SEEN] = watch.began + duration
        switch watch.sampling.process(duration) {
        case .wait: return
        case .take(let place): sample(into: place, at: duration)
        case .thinOut(let place):
            for old in stride(from: 2, to: watch.sampling.places, by: 2) { file.moveSample(old, to: old / 2) }
            sample(into: place, at: duration)
        }
        file[ASTROLABE_WORD_HANG_INTERVAL] = watch.sampling.interval
        file[ASTROLABE_WORD_HANG_SAMPLES] = UInt64(watch.sampling.count)
    }

    private func sample(into place: Int, at duration: UInt64) {
        let span = file.sample(thread: astrolabe_main_thread_id(), into: place, at: duration)
        guard let span, span.span != 0, file[ASTROLABE_WORD_HANG_SPAN] == 0 else { return }
        file[ASTROLABE_WORD_HANG_TRACE_HIGH] = span.trace_high
        file[ASTROLABE_WORD_HANG_TRACE_LOW] = span.trace_low
        file[ASTROLABE_WORD_HANG_SPAN] = span.span
    }

    private func end(_ duration: UInt64, hasEnded: Bool, _ watch: inout Watch) -> Consequence? {
        guard thresholds != nil else { return nil }
        // A hang that ended before any check observed it has no data in the file.
        if watch.began == 0 { begin(duration, &watch) }
        file[ASTROLABE_WORD_HANG_SEEN] = watch.began + duration
        file[ASTROLABE_WORD_HANG_STATE] = hasEnded ? 1 : 2
        watch.began = 0
        guard let hang = HangRecord(file.run) else { return nil }
        let session = hang.ambient[AttributeKey.sessionID]?.stringValue ?? ""
        if watch.recorded.session != session { watch.recorded = (session, 0) }
        watch.recorded.count &+= 1
        // Of an app that hangs all the time, the first are enough.
        guard watch.recorded.count <= limit else {
            file[ASTROLABE_WORD_HANG_BEGAN] = 0
            return watch.recorded.count == limit + 1 ? .reportLimit : nil
        }
        var processorTime: UInt64?
        if let before = watch.processorTime, let now = MainThreadTime.nanoseconds {
            processorTime = min(now - min(before, now), duration)
        }
        watch.recording += 1
        return .record(hang, processorTime: processorTime)
    }

    /// Records a hang, and then removes it from the file unless another one has begun. Calls the app.
    ///
    /// If the process ends before, the next start records it.
    private func record(_ hang: HangRecord, processorTime: UInt64?) {
        guard let thresholds else { return }
        let description = HangDescription(hang, id: hang.id, images: file.images, thresholds: thresholds)
        var attributes = hang.ambient.merging(description.attributes)
        if let time = processorTime {
            attributes[AttributeKey.astrolabeHangProcessorTime] = .double(Double(time) / 1e9)
        }
        attributes[AttributeKey.astrolabeRunID] = .string(file.identity.runID)
        // The same in a report by the next start, if the process ends before the file says that it is recorded.
        attributes[AttributeKey.logRecordUID] = .string(hang.id)
        if let crumbs = PreviousRun.bounded(file.breadcrumbs) { attributes[AttributeKey.astrolabeBreadcrumbs] = crumbs }
        let seconds = Double(hang.duration) / 1e9
        let isSevere = seconds >= thresholds.severe.seconds
        events.emit(
            earlier: EventName.hang, severity: isSevere ? .error : .warn, attributes: attributes,
            timeUnixNano: hang.began, context: hang.span, priority: isSevere ? .high : .normal)
        reported.add(
            CapturedTrouble(
                kind: .hang(seconds: seconds), id: hang.id, time: hang.began,
                appBuild: file.identity.appBuild, session: hang.ambient[AttributeKey.sessionID]?.stringValue ?? ""))
        watch.withLock { watch in
            watch.recording -= 1
            if file[ASTROLABE_WORD_HANG_BEGAN] == hang.began { file[ASTROLABE_WORD_HANG_BEGAN] = 0 }
        }
    }
}
