package import AstrolabeDeviceConditions
package import AstrolabePlatform
package import AstrolabeRecording
import AstrolabeSemantics
package import AstrolabeTelemetryModel
import CAstrolabeCrashCapture
import Dispatch
package import Foundation

/// Records the health of one process, starting before the rest of the SDK.
///
///     begin --> crashes are captured --> attach: previous runs are reported, and this run's context is stored
///           --> finishStart --> move(to:)… --> end
///
/// There is one at a time, because signal handlers are global. Another may begin after `end`.
package final class HealthRecorder: Sendable {
    let settings: HealthConfiguration
    let file: HealthRunFile
    private let directory: String
    private let since: UInt64
    private let onDiagnostic: @Sendable (String) -> Void
    private let life = Locked(RunLife())
    private let watchdog = Locked<HangWatchdog?>(nil)
    private let frames = Locked<FrameMonitor?>(nil)
    private let reporting = Locked(Reporting())
    private let display = Locked<DisplayFrames?>(nil)
    private let finishedLaunch = Locked<FinishedLaunch?>(nil)
    private let launch: Locked<LaunchTracker>
    /// The device's state, for the report of a crash.
    private let moment = Locked(Attributes())
    /// Stores the attributes that a crash of this run will carry.
    private let publish = Locked<(@Sendable () -> Void)?>(nil)

    private let reported: CaptureLedger
    /// The recorder of what the system reports, and the reports that came before previous runs were reported.
    private let diagnostics = Locked((recorder: SystemDiagnosticRecorder?.none, waiting: [Data]()))
    private let systemMetrics = Locked<SystemMetricsRecorder?>(nil)
    #if canImport(MetricKit) && (os(iOS) || os(visionOS))
    private let subscriber = Locked<MetricKitSubscriber?>(nil)
    #endif

    private static let isTaken = Locked(false)
    private let hasEnded = Locked(false)

    /// The report of previous runs.
    private struct Reporting {
        /// Its end; `nil` if there is nothing to report.
        var end: FirstValue<Void>?
        /// True if unreported runs are left to the next start.
        var isStopped = false
        var isDone = false
    }

    private init(
        _ file: HealthRunFile, settings: HealthConfiguration, isLaunch: Bool, since: UInt64,
        onDiagnostic: @escaping @Sendable (String) -> Void,
    ) {
        self.file = file
        self.since = since
        self.settings = settings
        self.onDiagnostic = onDiagnostic
        let path = file.file.path
        directory = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        reported = CaptureLedger(directory: directory)
        launch = Locked(
            isLaunch
                ? LaunchTracker(
                    process: file[ASTROLABE_WORD_PROCESS_START],
                    prewarming: SystemBoot.variable(LaunchTracker.prewarmingVariable)) : .unrecorded)
    }

    /// Starts recording, before anything else can fail.
    ///
    /// Returns `nil` if it is disabled, if the process already has a recorder, or if the file cannot be created.
    ///
    /// - Parameters:
    ///   - directory: The directory of the run files, private to the user.
    ///   - isLaunch: False if the user has refused since the process began. Its start is not recorded then.
    ///   - since: When the user last agreed after a refusal, in nanoseconds since 1970. Reports of the system on a time
    ///     before are not recorded.
    package static func begin(
        directory: String, identity: RunIdentity, settings: HealthConfiguration, isLaunch: Bool = true,
        since: UInt64 = 0, onDiagnostic: @escaping @Sendable (String) -> Void,
    ) -> HealthRecorder? {
        guard settings.isEnabled, take() else { return nil }
        do {
            let isPrewarmed = isLaunch && SystemBoot.variable(LaunchTracker.prewarmingVariable) == "1"
            let file = try HealthRunFile(directory: directory, identity: identity, isPrewarmed: isPrewarmed)
            // A run that begins with a consent says nothing of the time before.
            if !isLaunch { file[ASTROLABE_WORD_PROCESS_START] = file[ASTROLABE_WORD_LAUNCH] }
            astrolabe_run_end_at_exit(file.run)
            let recorder = HealthRecorder(
                file, settings: settings, isLaunch: isLaunch, since: since, onDiagnostic: onDiagnostic)
            recorder.install()
            return recorder
        } catch {
            onDiagnostic("Crashes and hangs are not recorded: \(error)")
            isTaken.withLock { $0 = false }
            return nil
        }
    }

    /// Returns true if the process has no recorder.
    private static func take() -> Bool {
        !isTaken.exchange(true)
    }

    private func install() {
        if SystemBoot.isDebugged {
            onDiagnostic("Crashes are not captured while a debugger is attached")
            return
        }
        let descriptor = file.file.descriptor
        let result =
            settings.capturesCrashes
            ? astrolabe_crash_install(file.run, descriptor) : astrolabe_sampler_install(file.run, descriptor)
        #if canImport(ObjectiveC)
        if result == 0, settings.capturesCrashes { UncaughtExceptions.capture() }
        #endif
        if result != 0 { onDiagnostic("Crashes are not captured: cannot install the signal handlers, errno \(result)") }
    }

    /// Reports previous runs, now or soon, and stores the context that a crash of this run will carry.
    ///
    /// - Returns: Whether a report is urgent: see ``sendReports(_:)``.
    package func attach(core: RecordingCore, frames: FrameMonitor, countedBy account: CPUTimeMeter) -> Bool {
        let events = EventLogger(core: core, scope: Self.scope)
        systemMetrics.withLock { $0 = SystemMetricsRecorder(core: core, directory: directory, since: since) }
        let previous = PreviousRuns(
            directory: directory, next: file, thresholds: settings.usedThresholds, reported: reported,
            onDiagnostic: onDiagnostic)
        let isUrgent = report(previous, to: events, core, countedBy: account)
        let file = file
        // It is kept by what it reads.
        let publish: @Sendable () -> Void = { [moment, weak ambient = core.ambient] in
            guard let ambient else { return }
            file.publish { moment.withLock { $0 }.merging(ambient.snapshot.attributes) }
        }
        core.ambient.observe(publish)
        self.publish.withLock { $0 = publish }
        publish()
        core.scopes.mirror { scopes in file.publish({ scopes }, as: ASTROLABE_BLOB_SCOPES) }
        core.breadcrumbs.mirror { file.add(crumb: $0) }
        if launch.withLock({ $0.isPrewarmed }) {
            let finished = FinishedLaunch { [launch] in
                let now = SystemTime.wall
                file.launch(at: now)
                launch.withLock { $0.finishLaunching(at: now) }
            }
            finishedLaunch.withLock { $0 = finished }
        }
        noteCollection()
        if settings.measuresStart {
            let launches = LaunchRecorder(tracer: Tracer(core: core, scope: Self.scope))
            frames.observe { [launch, display, measuresFrames = settings.measuresFrames] in
                if let found = launch.withLock({ $0.showFrame(at: core.clock.now) }) { launches.record(found) }
                // The first frame is all that a start needs.
                if !measuresFrames { display.withLock { $0 }?.follow(false) }
            }
        }
        self.frames.withLock { $0 = frames }
        if settings.measuresFrames || settings.measuresStart { display.withLock { $0 = DisplayFrames(frames) } }
        let watchdog = HangWatchdog(
            file: file, events: events, ambient: core.ambient,
            thresholds: settings.watchedHangs, limit: settings.hangsPerSession, reported: reported,
            onDiagnostic: onDiagnostic)
        watchdog.start(countedBy: account)
        self.watchdog.withLock { $0 = watchdog }
        return isUrgent
    }

    /// Sends urgent reports and waits until they are sent, or until `settings.launchCrashTimeout` has passed.
    ///
    /// An app that crashes at each launch would otherwise never live long enough to send one.
    package func sendReports(_ send: @escaping @Sendable () async -> Void) {
        guard settings.launchCrashTimeout > .zero else { return }
        file[ASTROLABE_WORD_IS_SENDING] = 1
        let done = DispatchSemaphore(value: 0)
        Task.detached(priority: .userInitiated) {
            await send()
            done.signal()
        }
        _ = done.wait(timeout: .now() + settings.launchCrashTimeout.seconds)
        file[ASTROLABE_WORD_IS_SENDING] = 0
    }

    /// Reports previous runs, and returns whether that was urgent.
    ///
    /// Reading and encoding them takes longer than a start may, so it runs on its own thread if it can wait.
    private func report(
        _ previous: PreviousRuns, to events: EventLogger, _ core: RecordingCore, countedBy account: CPUTimeMeter,
    ) -> Bool {
        let paths = previous.paths
        guard !paths.isEmpty else {
            reporting.withLock { $0.isDone = true }
            recordDiagnostics(to: events)
            return false
        }
        let end = FirstValue<Void>()
        reporting.withLock { $0.end = end }
        let period = core.periods.number
        let report = { @Sendable [self] in
            previous.report(paths, to: events, core, unless: { reporting.withLock { $0.isStopped } })
            if core.periods.number == period, !reporting.withLock({ $0.isStopped }) { recordDiagnostics(to: events) }
            reporting.withLock { $0.isDone = !$0.isStopped }
            end.set(())
        }
        let isUrgent = previous.isUrgent(paths)
        if isUrgent || !DedicatedThread.start(countedBy: account, report) { report() }
        return isUrgent
    }

    /// Records what the system reports about crashes and hangs.
    ///
    /// Waits until previous runs are reported, so that a crash is known that the payload describes too.
    ///
    /// - Parameter payload: The JSON representation of an `MXDiagnosticPayload`.
    package func receive(diagnostics payload: Data) {
        let recorder = diagnostics.withLock { diagnostics in
            if diagnostics.recorder == nil, diagnostics.waiting.count < 16 { diagnostics.waiting.append(payload) }
            return diagnostics.recorder
        }
        recorder?.record(payload)
    }

    /// Records what the system measured of the app. A payload that was received before counts once.
    package func receive(metrics: SystemMetrics) {
        systemMetrics.withLock { $0 }?.record(metrics)
    }

    private func recordDiagnostics(to events: EventLogger) {
        let recorder = SystemDiagnosticRecorder(
            events: events, reported: reported, settings: settings, since: since)
        let waiting = diagnostics.withLock { diagnostics in
            defer { diagnostics = (recorder, []) }
            return diagnostics.waiting
        }
        for payload in waiting { recorder.record(payload) }
        #if canImport(MetricKit) && (os(iOS) || os(visionOS))
        let subscriber = MetricKitSubscriber(
            diagnostics: { [weak self] in self?.receive(diagnostics: $0) },
            metrics: { [weak self] in self?.receive(metrics: $0) })
        self.subscriber.withLock { $0 = subscriber }
        subscriber.start()
        #endif
    }

    /// Describes the device's state from now on in the report of a crash.
    package func describe(moment attributes: Attributes) {
        moment.withLock { $0 = attributes }
        publish.withLock { $0 }?()
    }

    /// Bytes of memory that are free; `nil` if the system does not report them.
    package static var freeMemory: UInt64? {
        let free = SystemBoot.memory.free
        return free > 0 ? free : nil
    }

    static let scope = InstrumentationScope.ofSDK("astrolabe.health")

    /// Records that the SDK has started.
    ///
    /// - Parameter start: When its start began, in nanoseconds since 1970.
    package func finishStart(begunAt start: UInt64) {
        file[ASTROLABE_WORD_PHASE] = 1
        launch.withLock { $0.finishStart(begunAt: start, at: SystemTime.wall) }
    }

    /// Updates the app's lifecycle state.
    package func move(to state: LifecycleState) {
        perform(life.withLock { $0.move(to: state) })
        if state == .active || state == .inactive { file.launch(at: SystemTime.wall) }
        launch.withLock { $0.move(to: state, at: SystemTime.wall) }
        if LifecycleCode(state).isOutOfSight { frames.withLock { $0 }?.close() }
        // A launching app may never become visible.
        if state != .launching { display.withLock { $0 }?.follow(!LifecycleCode(state).isOutOfSight) }
        watchdog.withLock { $0 }?.move(to: state)
    }

    /// Records a hang in progress and finishes reporting previous runs, before the last records are sent.
    package func finish() async {
        guard !hasEnded.withLock({ $0 }) else { return }
        await finishReporting()
        await watchdog.withLock { $0 }?.finish()
    }

    /// Waits until previous runs are reported. What is not reported after `timeout` is left to the next start.
    ///
    /// - Parameter timeout: Only a closure of the app that does not return, such as a processor, takes so long.
    package func finishReporting(timeout: Duration = .seconds(5)) async {
        guard let end = reporting.withLock({ $0.end }), await end.value(within: timeout) == nil else { return }
        reporting.withLock { $0.isStopped = true }
    }

    /// Metrics have been collected: what was measured until now survives the process.
    package func noteCollection() { file[ASTROLABE_WORD_COLLECTED] = SystemTime.wall }

    /// True if previous runs were reported, or there was none to report.
    package var hasReported: Bool { reporting.withLock { $0.isDone } }

    /// Marks the run as ending normally, and stops recording health. Another recorder can begin.
    ///
    /// Afterwards, no crash and no hang is noted in the folder, which may have been removed.
    ///
    /// A second call does nothing: the handlers of the process belong to the other recorder.
    package func end() {
        guard !hasEnded.exchange(true) else { return }
        perform(life.withLock { $0.end() })
        file[ASTROLABE_WORD_COLLECTED] = 0
        reported.close()
        watchdog.withLock { $0 }?.stop()
        display.withLock { $0 }?.follow(false)
        #if canImport(MetricKit) && (os(iOS) || os(visionOS))
        subscriber.withLock { $0 }?.stop()
        #endif
        astrolabe_crash_uninstall()
        // Those of this run are not to be found in a crash of a later one.
        astrolabe_open_spans_forget()
        Self.isTaken.withLock { $0 = false }
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
