package import AstrolabeDeviceConditions
package import AstrolabePlatform
package import AstrolabeRecording
import AstrolabeSemantics
import AstrolabeTelemetryModel
import CAstrolabeCrashCapture

/// What watches over the health of one process, from before the rest of the SDK starts.
///
///     begin --> crashes are captured --> attach: earlier runs are told of, and this one's context is kept
///           --> finishStart --> move(to:)… --> end
///
/// There is one in a process, for signals are the process's; it stays to the end.
package final class HealthRecorder: Sendable {
    let settings: HealthConfiguration
    let file: RunFile
    private let onDiagnostic: @Sendable (String) -> Void
    private let life = Locked(RunLife())
    private let watchdog = Locked<HangWatchdog?>(nil)
    private let frames = Locked<FrameMonitor?>(nil)
    private let isTelling = Locked(false)
    private let display = Locked<DisplayFrames?>(nil)
    private let launch: Locked<LaunchTracker>

    private static let isTaken = Locked(false)

    private init(_ file: RunFile, settings: HealthConfiguration, onDiagnostic: @escaping @Sendable (String) -> Void) {
        self.file = file
        self.settings = settings
        self.onDiagnostic = onDiagnostic
        launch = Locked(
            LaunchTracker(
                process: file[ASTROLABE_WORD_PROCESS_START],
                prewarming: SystemBoot.variable(LaunchTracker.prewarmingVariable), ))
    }

    /// Begins to watch, before anything else that can go wrong; `nil` where it is not wanted, where the process has one
    /// already, or where there is no room for the file.
    ///
    /// - Parameter directory: For the files of the runs, private to the user.
    package static func begin(
        directory: String, identity: RunIdentity, settings: HealthConfiguration,
        onDiagnostic: @escaping @Sendable (String) -> Void,
    ) -> HealthRecorder? {
        guard settings.isEnabled, take() else { return nil }
        do {
            let file = try RunFile(directory: directory, identity: identity)
            astrolabe_run_end_at_exit(file.run)
            let recorder = HealthRecorder(file, settings: settings, onDiagnostic: onDiagnostic)
            recorder.install()
            return recorder
        } catch {
            onDiagnostic("crashes and hangs are not recorded: \(error)")
            isTaken.withLock { $0 = false }
            return nil
        }
    }

    /// True for the first who asks.
    private static func take() -> Bool {
        isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
    }

    private func install() {
        if SystemBoot.isDebugged {
            onDiagnostic("crashes are not captured while a debugger is attached")
            return
        }
        let descriptor = file.file.descriptor
        let result =
            settings.capturesCrashes
            ? astrolabe_crash_install(file.run, descriptor) : astrolabe_sampler_install(file.run, descriptor)
        if result != 0 { onDiagnostic("crashes are not captured: the system answered \(result)") }
    }

    /// Tells of the runs before this one, now or soon, and keeps what a crash of this one is to carry.
    package func attach(core: RecordingCore, frames: FrameMonitor, countedBy account: CPUTimeMeter) {
        let events = EventLogger(core: core, scope: Self.scope)
        let directory = file.file.path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let earlier = PreviousRuns(
            directory: directory.joined(separator: "/"), next: file, thresholds: settings.usedThresholds,
            onDiagnostic: onDiagnostic, )
        tell(earlier, to: events, countedBy: account)
        let file = file
        core.ambient.observe { [ambient = core.ambient] in file.publish { ambient.snapshot.attributes } }
        file.publish { core.ambient.snapshot.attributes }
        core.breadcrumbs.mirror { file.add(crumb: $0) }
        if settings.measuresStart {
            let launches = LaunchRecorder(tracer: Tracer(core: core, scope: Self.scope))
            frames.observe { [launch] in
                if let found = launch.withLock({ $0.showFrame(at: core.clock.now) }) { launches.record(found) }
            }
        }
        self.frames.withLock { $0 = frames }
        if settings.measuresFrames { display.withLock { $0 = DisplayFrames(frames) } }
        let watchdog = HangWatchdog(
            file: file, events: events, ambient: core.ambient,
            thresholds: settings.watchedHangs, )
        watchdog.start(countedBy: account)
        self.watchdog.withLock { $0 = watchdog }
    }

    /// Reading a crash and encoding it takes longer than a start may: it is done on a thread of its own, unless the
    /// process may not live for so long. That a run has ended is told at once.
    private func tell(_ earlier: PreviousRuns, to events: EventLogger, countedBy account: CPUTimeMeter) {
        let paths = earlier.paths
        guard !paths.isEmpty else { return }
        isTelling.withLock { $0 = true }
        let tell = { @Sendable [isTelling] in
            earlier.report(paths, to: events)
            isTelling.withLock { $0 = false }
        }
        if !earlier.mayWait(paths) || !DedicatedThread.start(countedBy: account, tell) { tell() }
    }

    static let scope = InstrumentationScope(name: "astrolabe.health")

    /// The SDK has started.
    ///
    /// - Parameter start: When it began to, in nanoseconds since 1970.
    package func finishStart(begunAt start: UInt64) {
        file[ASTROLABE_WORD_PHASE] = 1
        launch.withLock { $0.finishStart(begunAt: start, at: SystemTime.wall) }
    }

    /// The app has come to another state of its life.
    package func move(to state: LifecycleState) {
        perform(life.withLock { $0.move(to: state) })
        launch.withLock { $0.move(to: state, at: SystemTime.wall) }
        if LifecycleCode(state).isOutOfSight { frames.withLock { $0 }?.close() }
        // While the app is launched nobody sees it yet, or ever.
        if state != .launching { display.withLock { $0 }?.follow(!LifecycleCode(state).isOutOfSight) }
        watchdog.withLock { $0 }?.move(to: state)
    }

    /// Records what is under way and what is left to tell of earlier runs, before the last records are sent.
    package func settle() async {
        for _ in 0..<2_000 where isTelling.withLock({ $0 }) { try? await Task.sleep(nanoseconds: 1_000_000) }
        await watchdog.withLock { $0 }?.settle()
    }

    /// The process is about to end in order.
    package func end() {
        perform(life.withLock { $0.end() })
    }

    private func perform(_ actions: [RunLife.Action]) {
        for action in actions {
            switch action {
            case .storeLifecycle(let state): file[ASTROLABE_WORD_LIFECYCLE] = LifecycleCode(state).rawValue
            case .markClean: file[ASTROLABE_WORD_IS_CLEAN] = 1
            case .unmarkClean: file[ASTROLABE_WORD_IS_CLEAN] = 0
            }
        }
    }
}
