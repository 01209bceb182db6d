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
/// background it does not wake up. A hang is stored in the file from its start: if it never ends, the next launch
/// reports it.
final class HangWatchdog: Sendable {
    private let file: RunFile
    private let events: EventLogger
    private let ambient: AmbientAttributes
    private let thresholds: HangThresholds?
    /// Hangs that are recorded in one session.
    private let limit: Int
    private let reported: ReportedTroubles
    private let onDiagnostic: @Sendable (String) -> Void
    private let life = Locked(Life())
    private let ids = IDGenerator()
    private let watch: Locked<Watch>

    /// Ends a pause.
    private let wakeUp = DispatchSemaphore(value: 0)
    /// That of the watchdog that runs. One per process, as the main run loop is.
    private static let current = Locked<DispatchSemaphore?>(nil)

    /// Nanoseconds between two checks while the main thread works.
    private static let interval: UInt64 = 40_000_000
    /// Nanoseconds between two heartbeats, while the main thread works and while it waits.
    private static let heartbeat: UInt64 = 1_000_000_000
    private static let idleHeartbeat: UInt64 = 60_000_000_000
    /// Checks in a row without a pass after which the thread sleeps.
    private static let idleChecks = 10

    private struct Life {
        var isInForeground = true
        var hasBeenActive = false
        var isStopped = false
    }

    /// - Parameter thresholds: `nil` if hangs are not detected.
    init(
        file: RunFile, events: EventLogger, ambient: AmbientAttributes, thresholds: HangThresholds?, limit: Int,
        reported: ReportedTroubles, onDiagnostic: @escaping @Sendable (String) -> Void,
    ) {
        self.file = file
        self.events = events
        self.ambient = ambient
        self.thresholds = thresholds
        self.limit = limit
        self.reported = reported
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
            self.watch.withLock { $0.waiting = WaitingTime() }
            while !self.life.withLock({ $0.isStopped }) {
                switch self.check() {
                case .shortly: self.sleep(Self.interval)
                case .whenNeeded: self.sleepUntilNeeded()
                }
            }
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
    /// Waits at most 0.1 s for a main thread that is still at work.
    func finish() async {
        for _ in 0..<20 {
            check()
            guard watch.withLock({ $0.detector.isHanging }) else { return }
            try? await Task.sleep(nanoseconds: 5_000_000)
        }
    }

    /// The state between two checks.
    private struct Watch {
        var detector: HangDetector
        var sampling = HangSampling(places: Int(ASTROLABE_SAMPLE_COUNT), interval: HangWatchdog.interval)
        var isDebugged = SystemBoot.isDebugged
        /// The waiting time of the watchdog's own thread, once it runs.
        var waiting: WaitingTime?
        var waited: UInt64 = 0
        var lastHeartbeat: UInt64 = 0
        var heartbeats = 0
        /// Passes of the main run loop by the last check, and how many checks found no other.
        var passes: UInt64 = 0
        var idleChecks = 0
        /// Nanoseconds since 1970.
        var began: UInt64 = 0
        /// CPU time of the main thread when the pass under way was first seen.
        var processorTime: UInt64?
        /// Hangs that were recorded in a session.
        var recorded: (session: String, count: Int) = ("", 0)
    }

    private enum NextCheck {
        case shortly
        /// When a pass begins or the app returns to the foreground.
        case whenNeeded
    }

    /// Returns whether something ended the sleep early.
    @discardableResult
    private func sleep(_ nanoseconds: UInt64) -> Bool {
        wakeUp.wait(timeout: .now() + .nanoseconds(Int(nanoseconds))) == .success
    }

    private func sleepUntilNeeded() {
        let isInForeground = life.withLock { $0.isInForeground }
        var isNeeded = true
        if isInForeground {
            astrolabe_main_loop_await_pass(true)
            // A pass that began before it was awaited does not wake this thread.
            if watch.withLock({ $0.passes == astrolabe_main_loop_read().passes }) {
                isNeeded = sleep(Self.idleHeartbeat)
            }
            astrolabe_main_loop_await_pass(false)
        } else {
            wakeUp.wait()
        }
        watch.withLock { watch in
            // A heartbeat alone needs one check.
            watch.idleChecks = isNeeded ? 0 : Self.idleChecks
            watch.waited = watch.waiting?.nanoseconds ?? 0
            watch.detector.resume(at: SystemTime.sinceBoot)
        }
    }

    /// Checks whether the main thread hangs.
    @discardableResult
    private func check() -> NextCheck {
        watch.withLock { watch in
            let life = life.withLock { $0 }
            let isDetecting = thresholds != nil && !watch.isDebugged && life.isInForeground && life.hasBeenActive
            let loop = astrolabe_main_loop_read()
            let now = SystemTime.sinceBoot
            writeHeartbeat(now, &watch)
            let waited = watch.waiting?.nanoseconds ?? 0
            let observation = HangDetector.Observation(
                now: now, pass: loop.pass, longPass: loop.long_pass, longPassEnd: loop.long_pass_end,
                waited: waited - watch.waited, isDetecting: isDetecting, )
            watch.waited = waited
            for action in watch.detector.process(observation) { perform(action, &watch) }
            if loop.passes != watch.passes { watch.processorTime = MainThreadTime.nanoseconds }
            watch.idleChecks = loop.passes == watch.passes && loop.pass == 0 ? watch.idleChecks + 1 : 0
            watch.passes = loop.passes
            return isDetecting && watch.idleChecks < Self.idleChecks ? .shortly : .whenNeeded
        }
    }

    private func writeHeartbeat(_ now: UInt64, _ watch: inout Watch) {
        guard now - min(watch.lastHeartbeat, now) >= Self.heartbeat else { return }
        watch.lastHeartbeat = now
        watch.heartbeats += 1
        let memory = SystemBoot.memory
        file[ASTROLABE_WORD_HEARTBEAT] = SystemTime.wall
        file[ASTROLABE_WORD_MEMORY_FREE] = memory.free
        file[ASTROLABE_WORD_MEMORY_USED] = memory.used
        file.collectImages()
        if watch.isDebugged || watch.heartbeats % 5 == 0 { watch.isDebugged = SystemBoot.isDebugged }
    }

    private func perform(_ action: HangDetector.Action, _ watch: inout Watch) {
        switch action {
        case .none: break
        case .begin(let duration):
            begin(duration, &watch)
            sample(at: duration, &watch)
        case .ongoing(let duration): sample(at: duration, &watch)
        case .end(let duration): end(duration, hasEnded: true, &watch)
        case .stop(let duration): end(duration, hasEnded: false, &watch)
        }
    }

    private func begin(_ duration: UInt64, _ watch: inout Watch) {
        watch.began = SystemTime.wall - duration
        watch.sampling = HangSampling(places: Int(ASTROLABE_SAMPLE_COUNT), interval: Self.interval)
        file.publish({ ambient.snapshot.attributes }, as: ASTROLABE_BLOB_HANG_AMBIENT)
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

    private func end(_ duration: UInt64, hasEnded: Bool, _ watch: inout Watch) {
        guard let thresholds else { return }
        // A hang that ended before any check observed it has no data in the file.
        if file[ASTROLABE_WORD_HANG_BEGAN] == 0 { begin(duration, &watch) }
        guard let hang = HangRecord(file.run) else { return }
        file[ASTROLABE_WORD_HANG_BEGAN] = 0
        guard isWithinLimit(hang, &watch) else { return }
        let id = ids.nextUUID()
        let description = HangDescription(
            hang, id: id, duration: duration, hasEnded: hasEnded, images: file.images,
            thresholds: thresholds, )
        var attributes = hang.ambient.merging(description.attributes)
        if let before = watch.processorTime, let now = MainThreadTime.nanoseconds {
            let time = min(now - min(before, now), duration)
            attributes[AttributeKey.astrolabeHangProcessorTime] = .double(Double(time) / 1e9)
        }
        attributes[AttributeKey.astrolabeRunID] = .string(file.identity.runID)
        if let crumbs = PreviousRun.bounded(file.breadcrumbs) { attributes[AttributeKey.astrolabeBreadcrumbs] = crumbs }
        let isSevere = Double(duration) / 1e9 >= thresholds.severe.seconds
        events.emit(
            earlier: EventName.hang, severity: isSevere ? .error : .warn, attributes: attributes,
            timeUnixNano: hang.began, context: hang.span, priority: isSevere ? .high : .normal, )
        reported.add(
            ReportedTrouble(
                kind: .hang(seconds: Double(duration) / 1e9), id: id, time: hang.began,
                appBuild: file.identity.appBuild, session: hang.ambient[AttributeKey.sessionID]?.stringValue ?? "", ))
    }

    /// Counts the hang in its session. Of an app that hangs all the time, the first are enough.
    private func isWithinLimit(_ hang: HangRecord, _ watch: inout Watch) -> Bool {
        let session = hang.ambient[AttributeKey.sessionID]?.stringValue ?? ""
        if watch.recorded.session != session { watch.recorded = (session, 0) }
        watch.recorded.count &+= 1
        if limit < .max, watch.recorded.count == limit + 1 {
            onDiagnostic("This session had \(limit) hangs. Later ones are not recorded.")
        }
        return watch.recorded.count <= limit
    }
}
