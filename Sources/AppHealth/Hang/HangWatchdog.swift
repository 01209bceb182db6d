import AstrolabeDeviceConditions
import AstrolabePlatform
import AstrolabeRecording
import AstrolabeSemantics
import AstrolabeTelemetryModel
import CAstrolabeCrashCapture
import Dispatch

/// A thread that pings the main thread regularly and writes heartbeats to the run's file.
///
/// A hang is stored in the file from its start: if it never ends, the next launch reports it.
final class HangWatchdog: Sendable {
    private let file: RunFile
    private let events: EventLogger
    private let ambient: AmbientAttributes
    private let thresholds: HangThresholds?
    private let life = Locked((isInForeground: true, hasBeenActive: false))
    private let response = Locked<(ping: UInt64, time: UInt64)>((0, 0))
    private let ids = IDGenerator()
    private let watch: Locked<Watch>
    /// Ends the pause when the app returns to the foreground.
    private let foregroundSignal = DispatchSemaphore(value: 0)

    /// Nanoseconds between two checks, in the foreground and otherwise.
    private static let interval: UInt64 = 40_000_000
    private static let slowInterval: UInt64 = 1_000_000_000

    /// - Parameter thresholds: `nil` if hangs are not detected.
    init(file: RunFile, events: EventLogger, ambient: AmbientAttributes, thresholds: HangThresholds?) {
        self.file = file
        self.events = events
        self.ambient = ambient
        self.thresholds = thresholds
        let threshold = UInt64(nanosecondsIn: (thresholds ?? HangThresholds()).hang.seconds)
        watch = Locked(Watch(detector: HangDetector(interval: Self.interval, threshold: threshold)))
    }

    func start(countedBy account: CPUTimeMeter) {
        DedicatedThread.start(countedBy: account) {
            self.watch.withLock { $0.waiting = WaitingTime() }
            while true {
                let pause = self.check() ? Self.interval : Self.slowInterval
                _ = self.foregroundSignal.wait(timeout: .now() + .nanoseconds(Int(pause)))
            }
        }
    }

    /// Updates the app's lifecycle state.
    ///
    /// If the app leaves the foreground, a hang in progress is reported immediately, because the process may be
    /// suspended before the next check.
    func move(to state: LifecycleState) {
        let isInForeground = !LifecycleCode(state).isOutOfSight
        let wasInForeground = life.withLock { life in
            defer {
                life.isInForeground = isInForeground
                if state == .active { life.hasBeenActive = true }
            }
            return life.isInForeground
        }
        if wasInForeground, !isInForeground { check() }
        if !wasInForeground, isInForeground { foregroundSignal.signal() }
    }

    /// Reports a hang that has just ended without waiting for the next check, before the last records are sent.
    ///
    /// Waits at most 0.1 s for a main thread that has not responded yet.
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
        /// Nanoseconds since 1970.
        var began: UInt64 = 0
        /// CPU time of the main thread at the last ping.
        var processorTime: UInt64?
    }

    /// Checks whether the main thread responds; returns false if hangs are not being detected.
    @discardableResult
    private func check() -> Bool {
        watch.withLock { watch in
            let life = life.withLock { $0 }
            let isDetecting = thresholds != nil && !watch.isDebugged && life.isInForeground
            let now = SystemTime.sinceBoot
            writeHeartbeat(now, &watch)
            let response = response.withLock { $0 }
            let waited = watch.waiting?.nanoseconds ?? 0
            let observation = HangDetector.Observation(
                now: now, lastResponse: response.ping, respondedAt: response.time, waited: waited - watch.waited,
                isDetecting: isDetecting, isServing: life.hasBeenActive, )
            watch.waited = waited
            perform(watch.detector.process(observation), observation, &watch)
            return isDetecting
        }
    }

    private func writeHeartbeat(_ now: UInt64, _ watch: inout Watch) {
        guard now - min(watch.lastHeartbeat, now) >= Self.slowInterval else { return }
        watch.lastHeartbeat = now
        watch.heartbeats += 1
        let memory = SystemBoot.memory
        file[ASTROLABE_WORD_HEARTBEAT] = SystemTime.wall
        file[ASTROLABE_WORD_MEMORY_FREE] = memory.free
        file[ASTROLABE_WORD_MEMORY_USED] = memory.used
        file.collectImages()
        if watch.heartbeats % 5 == 0 { watch.isDebugged = SystemBoot.isDebugged }
    }

    private func perform(_ action: HangDetector.Action, _ observation: HangDetector.Observation, _ watch: inout Watch) {
        switch action {
        case .none: break
        case .ping(let ping):
            watch.processorTime = MainThreadTime.nanoseconds
            DispatchQueue.main.async { [response] in response.withLock { $0 = (ping, SystemTime.sinceBoot) } }
        case .begin(let duration):
            begin(duration, &watch)
            sample(at: duration, &watch)
        case .ongoing(let duration): sample(at: duration, &watch)
        case .end(let duration):
            end(duration, hasEnded: true, &watch)
            // Another hang may follow immediately.
            perform(watch.detector.process(observation), observation, &watch)
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
        let span = file.sample(thread: astrolabe_process_id(), into: place, at: duration)
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
        let description = HangDescription(
            hang, id: ids.nextUUID(), duration: duration, hasEnded: hasEnded, images: file.images,
            thresholds: thresholds, )
        var attributes = hang.ambient.merging(description.attributes)
        if let before = watch.processorTime, let now = MainThreadTime.nanoseconds {
            let time = min(now - min(before, now), duration)
            attributes[AttributeKey.astrolabeHangProcessorTime] = .double(Double(time) / 1e9)
        }
        attributes[AttributeKey.astrolabeRunID] = .string(file.identity.runID)
        if let crumbs = PreviousRun.bounded(file.breadcrumbs) { attributes[AttributeKey.astrolabeBreadcrumbs] = crumbs }
        events.emit(
            earlier: EventName.hang, severity: .error, attributes: attributes, timeUnixNano: hang.began,
            context: hang.span, priority: .high, )
    }
}
