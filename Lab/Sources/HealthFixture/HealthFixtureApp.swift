import Astrolabe
import AstrolabeDeviceConditions
import AstrolabeLinux
import AstrolabePlatform
import AstrolabeRecording
import AstrolabeSemantics
import AstrolabeSessionReplay
import Dispatch
import Foundation

/// The fixture's app: it starts the SDK as an app does, leaves traces of itself, and ends.
struct HealthFixtureApp {
    private let telemetry: Telemetry
    private let ending: String
    private let folder: String

    init(folder: String, port: UInt16, ending: String) {
        var configuration = TelemetryConfiguration(serviceName: "health")
        configuration.serviceVersion = ProcessInfo.processInfo.environment["FIXTURE_VERSION"] ?? "1.2.3"
        configuration.storageDirectory = URL(fileURLWithPath: folder)
        configuration.endpoint = URL(string: "http://127.0.0.1:\(port)").map { OTLPEndpoint(url: $0) }
        // A busy machine is no collector that does not respond.
        configuration.endpoint?.timeout = .seconds(120)
        configuration.health.launchCrashTimeout = Self.launchCrashTimeout
        configuration.sampler = ParentBasedSampler(root: AlwaysOnSampler())
        // As in a release build: debug builds flush more often.
        if ending == "idle" { configuration.flushInterval = .seconds(30) }
        if ending.hasPrefix("many-hangs") { configuration.health.hangsPerSession = .max }
        if ending == "hang-all-the-time" { configuration.health.hangsPerSession = 3 }
        if ending == "second-start" { configuration.logRecordProcessors = [HangWitness.shared] }
        if let consent = Self.consent {
            configuration.consent = consent
            configuration.storageDirectory = URL(fileURLWithPath: folder + "/storage")
            configuration.flushInterval = .seconds(3_600)
            configuration.replay.isEnabled = true
            configuration.replay.masking = .inputs
        }
        configuration.onDiagnostic = { FileHandle.standardError.write(Data(($0 + "\n").utf8)) }
        let conditions = Conditions(
            network: .wifi, power: Power(level: 0.8, source: .unplugged), lifecycle: .launching)
        switch ending {
        case "while-starting": configuration.conditions = CrashingConditions()
        case "shutdown": configuration.conditions = Self.systemConditions
        default: configuration.conditions = SimulatedConditions(conditions)
        }
        telemetry = Self.start(configuration, ending)
        self.ending = ending
        self.folder = folder
    }

    /// The system's, which have a thread on Linux.
    private static var systemConditions: (any ConditionsMonitor)? {
        #if os(Linux)
        LinuxConditionsMonitor()
        #else
        nil
        #endif
    }

    /// Starts the SDK; for one ending, after it was started and shut down before.
    private static func start(_ configuration: TelemetryConfiguration, _ ending: String) -> Telemetry {
        let telemetry = Telemetry.start(configuration)
        guard ending == "second-start" else { return telemetry }
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            await telemetry.shutdown()
            done.signal()
        }
        done.wait()
        return Telemetry.start(configuration)
    }

    func run() {
        if ending == "report" {
            deliverDiagnostics()
            return report()
        }
        telemetry.moveLifecycle(to: ending == "killed-in-background" ? .background : .active)
        telemetry.setScreen("ProductDetail", id: "AstronomyShop.ProductDetailView")
        telemetry.setAttribute("demo.canary", "yellow")
        for number in 1...3 { telemetry.addBreadcrumb("step \(number)", category: "test") }
        leaveNotes()
        switch ending {
        case "wait": RunLoop.main.run()
        case "abort-later":
            usleep(300_000)
            CrashWays.end(by: "abort")
        case "second-start":
            DispatchQueue.main.asyncAfter(deadline: .now() + 0.3) {
                HangScript.hang(for: 0.4) { leave("hangs", $0) }
                DispatchQueue.global().async {
                    HangWitness.shared.wait()
                    DispatchQueue.main.asyncAfter(deadline: .now() + 0.3) { CrashWays.end(by: "null-dereference") }
                }
            }
            RunLoop.main.run()
        case "crash-after-shutdown":
            report()
            CrashWays.end(by: "null-dereference")
        case "canary-crash": recordCanary { CrashWays.end(by: "null-dereference") }
        case "canary-refusal": recordCanary { await refuse() }
        case "canary-states": walkThroughStates()
        case "passed-on-after-refusal": CrashWays.passOn(telemetry, after: [.denied], folder)
        case "passed-on-after-consent": CrashWays.passOn(telemetry, after: [.denied, .granted], folder)
        case "shutdown": shutDown()
        case "inside-open-spans": crashInsideOpenSpans()
        case "beside-span": crashBesideSpan()
        case "hang-at-launch": hangAtLaunch()
        case "idle": idle()
        case "hang-all-the-time": hangAllTheTime()
        case "hang-into-background": hangIntoBackground()
        case "hang-of-1500": hang(for: 1.5)
        case "hang-until-killed": hang(for: nil)
        case "hang-before-shutdown": hangBeforeShutdown()
        case "many-hangs": play { $0.hangAgain(Self.isThorough ? 100 : 20, isRetrying: true) }
        case "many-hangs-under-load": play { $0.hangAgain(Self.isThorough ? 100 : 20, isRetrying: false) }
        case "flicker": play { $0.flicker(for: Self.isThorough ? 18 : 5, isHanging: false) }
        case "flicker-and-hang": play { $0.flicker(for: Self.isThorough ? 14 : 5, isHanging: true) }
        default: CrashWays.end(by: ending)
        }
    }

    /// The time that a start may wait until an earlier crash is sent: as long as a busy machine takes, except in the
    /// test of this bound.
    private static let launchCrashTimeout = Duration.seconds(
        ProcessInfo.processInfo.environment["FIXTURE_LAUNCH_CRASH_SECONDS"].flatMap { Double($0) } ?? 120)

    /// True if everything is done as often as `./astrolabe test --thorough` asks.
    private static let isThorough = ProcessInfo.processInfo.environment["ASTROLABE_THOROUGH"] != nil

    /// Shuts the SDK down, and says which threads of it there were and are left.
    private func shutDown() {
        Task.detached {
            // A thread has its name once it runs.
            await wait { SDKThreads.names.contains("astrolabe.hangs") && SDKThreads.names.count >= 2 }
            leave("threads", SDKThreads.names.joined(separator: "\n"))
            await telemetry.shutdown()
            await wait { SDKThreads.names.isEmpty }
            leave("threads-left", SDKThreads.names.joined(separator: "\n"))
            leave("threads-of-others", SDKThreads.others.joined(separator: "\n"))
            exit(0)
        }
        RunLoop.main.run()
    }

    /// The consent of the start, for the tests of it. Everything is stored in the folder `storage` then.
    private static let consent = ProcessInfo.processInfo.environment["FIXTURE_CONSENT"].flatMap {
        TelemetryConsent(rawValue: $0)
    }

    private var canary: CanaryRecords {
        CanaryRecords(
            telemetry: telemetry, canary: ProcessInfo.processInfo.environment["FIXTURE_CANARY"] ?? "canary",
            storage: folder + "/storage")
    }

    /// Records the canary, and ends while a span has it too.
    private func recordCanary(_ end: @escaping @Sendable () async -> Void) {
        let span = telemetry.tracer("app").spanBuilder("open").startSpan()
        span.setAttribute("demo.canary", canary.canary)
        Task.detached {
            await canary.record()
            await end()
            span.end()
        }
        RunLoop.main.run()
    }

    /// Goes through the states of `FIXTURE_STATES`, records a text of its own in each, and ends as
    /// `FIXTURE_END` says while spans of all states are open.
    private func walkThroughStates() {
        let environment = ProcessInfo.processInfo.environment
        let states = (environment["FIXTURE_STATES"] ?? "").split(separator: ",").map(String.init)
        Task.detached {
            var open: [Tracer.Span] = []
            for (index, state) in states.enumerated() {
                if let consent = TelemetryConsent(rawValue: state), index > 0 { await telemetry.setConsent(consent) }
                let text = "\(canary.canary)-\(index)-\(state)"
                let records = CanaryRecords(telemetry: telemetry, canary: text, storage: canary.storage)
                records.recordAtOnce()
                leave("session-\(index)", telemetry.session.current?.id ?? "")
                let span = telemetry.tracer("app").spanBuilder("open " + text).startSpan()
                span.setAttribute("demo.canary", text)
                open.append(span)
            }
            CrashWays.end(by: environment["FIXTURE_END"] ?? "killed")
            withExtendedLifetime(open) {}
        }
        RunLoop.main.run()
    }

    /// Refuses consent, goes on as before, and ends in order.
    private func refuse() async {
        leave("written", CanaryRecords.writtenFiles)
        await telemetry.flush()
        await telemetry.setConsent(.denied)
        leave("refused", String(telemetry.consent == .denied))
        telemetry.addBreadcrumb(canary.canary)
        telemetry.logger("app").emit(canary.canary)
        leave("written-after", CanaryRecords.writtenFiles)
        await telemetry.flush()
        await telemetry.shutdown()
        exit(0)
    }

    /// Hangs after a while in which the main thread has answered; for `nil` seconds, until it is killed.
    private func hang(for seconds: Double?) {
        let tracer = telemetry.tracer("fixture")
        let due = HangScript.now.steady + 300_000_000
        DispatchQueue.main.asyncAfter(deadline: .now() + 0.3) { [self] in
            if seconds == nil {
                let (began, lateBefore) = (HangScript.now, Heartbeat.shared.lateness)
                DispatchQueue.global().asyncAfter(deadline: .now() + 3.5) {
                    let duration = HangScript.now.steady - began.steady
                    leave("hangs", "\(began.wall) \(duration) 0 \(Heartbeat.shared.lateness - lateBefore)")
                    CrashWays.end(by: "killed")
                }
            }
            tracer.withSpan("hanging") { span in
                leave("span", span.context.traceID.description + " " + span.context.spanID.description)
                HangScript.hang(for: seconds ?? 60, due: due) { leave("hangs", $0) }
            }
            DispatchQueue.main.asyncAfter(deadline: .now() + 0.3) { finish() }
        }
        RunLoop.main.run()
    }

    /// Crashes while some spans are open, of which one has outgrown its first memory, and others have ended.
    private func crashInsideOpenSpans() {
        let tracer = telemetry.tracer("fixture", version: "7")
        tracer.withSpan("ended") { _ in }
        let renamed = tracer.spanBuilder("before").setSpanKind(.client).startSpan()
        renamed.updateName("after")
        let large = tracer.spanBuilder("large").startSpan()
        for number in 0..<40 { large.setAttribute("demo.text.\(number)", String(repeating: "x", count: 100)) }
        for _ in 0..<500 { tracer.spanBuilder("short").startSpan().end() }
        tracer.withSpan("outer") { outer in
            outer.setAttribute("demo.card", "4111 1111 1111 1111")
            tracer.withSpan("inner") { inner in
                inner.setAttribute("demo.step", 3)
                inner.addEvent("demo.reached")
                CrashWays.end(by: "null-dereference")
            }
        }
        withExtendedLifetime((renamed, large)) {}
    }

    /// Crashes in a piece of work of the main thread's own, while a span of the main actor waits for something.
    private func crashBesideSpan() {
        let tracer = telemetry.tracer("fixture")
        Task { @MainActor in
            await tracer.withSpan("waiting") { _ in
                DispatchQueue.main.async { CrashWays.end(by: "null-dereference") }
                await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            }
        }
        RunLoop.main.run()
    }

    /// Hangs before the main thread's run loop has begun.
    private func hangAtLaunch() {
        HangScript.hang(for: 1.2) { [self] in leave("hangs", $0) }
        DispatchQueue.main.asyncAfter(deadline: .now() + 0.3) { [self] in finish() }
        RunLoop.main.run()
    }

    /// Does nothing for a while, in front and in the background. `FIXTURE_IDLE_SECONDS` is how long.
    private func idle() {
        let seconds = ProcessInfo.processInfo.environment["FIXTURE_IDLE_SECONDS"].flatMap { Int($0) }
        let watchdog = "astrolabe.hangs"
        DispatchQueue.global().async { [self] in
            func count() -> Int {
                WakeUps.waitUntilQuiet(ofThread: watchdog)
                guard let seconds else { return WakeUps.count(ofThread: watchdog, for: 3) }
                sleep(UInt32(seconds))
                return WakeUps.countOfProcess(for: seconds)
            }
            let front = count()
            telemetry.moveLifecycle(to: .background)
            leave("wake-ups", "\(front) \(count())")
            exit(0)
        }
        RunLoop.main.run()
    }

    /// Hangs more often than the limit of a session.
    private func hangAllTheTime(_ count: Int = 6) {
        DispatchQueue.main.asyncAfter(deadline: .now() + 0.02) { [self] in
            guard count > 0 else { return finish() }
            _ = HangScript.hang(for: 0.4, isAsleep: false)
            hangAllTheTime(count - 1)
        }
        if count == 6 { RunLoop.main.run() }
    }

    /// Hangs, and is sent into the background meanwhile.
    private func hangIntoBackground() {
        DispatchQueue.main.asyncAfter(deadline: .now() + 0.3) { [self] in
            let conditions = telemetry.conditions
            let left = Locked<UInt64?>(nil)
            DispatchQueue.global().asyncAfter(deadline: .now() + 0.6) {
                conditions?.moveLifecycle(to: .background)
                left.withLock { $0 = HangScript.now.steady }
            }
            func isLongGone() -> Bool {
                guard let time = left.withLock({ $0 }) else { return false }
                return HangScript.now.steady > time + 200_000_000
            }
            HangScript.hang(for: 0.8, until: isLongGone) { leave("hangs", $0) }
            DispatchQueue.main.asyncAfter(deadline: .now() + 0.3) { finish() }
        }
        RunLoop.main.run()
    }

    /// Hangs, and shuts the SDK down as soon as that is over: in the next pass of the run loop.
    private func hangBeforeShutdown() {
        let due = HangScript.now.steady + 300_000_000
        DispatchQueue.main.asyncAfter(deadline: .now() + 0.3) { [self] in
            HangScript.hang(for: 0.6, due: due) { leave("hangs", $0) }
            DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(10)) {
                Task.detached {
                    await telemetry.shutdown(timeout: .seconds(60))
                    exit(0)
                }
            }
        }
        RunLoop.main.run()
    }

    private func play(_ act: (HangScript) -> Void) {
        act(HangScript(telemetry: telemetry, leave: { [self] in leave($0, $1) }, finish: { [self] in finish() }))
        RunLoop.main.run()
    }

    /// Writes the notes that the test compares the report with.
    private func leaveNotes() {
        leave("session", telemetry.session.current?.id ?? "")
        leave("pid", String(ProcessInfo.processInfo.processIdentifier))
    }

    private func leave(_ name: String, _ text: String) {
        // The test may read it at any time.
        try? Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/note-" + name), options: .atomic)
    }

    /// Delivers the payload in a file, as MetricKit would.
    private func deliverDiagnostics() {
        guard let path = ProcessInfo.processInfo.environment["FIXTURE_DIAGNOSTICS"],
            let payload = try? Data(contentsOf: URL(fileURLWithPath: path))
        else { return }
        telemetry.receive(diagnostics: payload)
    }

    private func report() {
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            await send()
            done.signal()
        }
        done.wait()
    }

    /// Sends everything and ends. The main thread stays idle meanwhile: waiting for this, it would hang.
    private func finish() {
        Task.detached {
            await send()
            exit(0)
        }
    }

    /// Sends all that there is. The limit only ends a test that would hang.
    private func send() async {
        let end = ContinuousClock.now + .seconds(120)
        while await telemetry.flush().ledger.pending > 0, ContinuousClock.now < end {
            try? await Task.sleep(for: .milliseconds(10))
        }
        await telemetry.shutdown(timeout: .seconds(60))
    }

    /// Returns when this holds. After a minute it returns in any case, so that the test tells what is missing.
    private func wait(until holds: () -> Bool) async {
        let end = ContinuousClock.now + .seconds(60)
        while !holds(), ContinuousClock.now < end { try? await Task.sleep(for: .milliseconds(10)) }
    }
}
