import AstrolabeDeviceConditions
import DeviceLink
package import Foundation
import ViewTree

// The app's lifecycle.
extension PhoneSimulator {
    /// Performs an action of the user or the operating system.
    ///
    /// - Throws: ``PhoneError`` if the app's phase does not allow the action, or the app cannot be started.
    package func perform(_ action: PhoneAction) async throws(PhoneError) {
        try await noting(.perform(action)) { () throws(PhoneError) in try await carryOut(action) }
    }

    /// Does what a recording has as a step, unless it fails.
    private func noting(
        _ action: Scenario.Action, _ work: () async throws(PhoneError) -> Void,
    ) async throws(PhoneError) {
        note(action)
        do throws(PhoneError) {
            try await work()
        } catch {
            record { $0.retract(action) }
            throw error
        }
    }

    private func carryOut(_ action: PhoneAction) async throws(PhoneError) {
        switch action {
        case .launch: try await launch()
        case .terminate: try await terminate()
        case .kill:
            try running().kill()
        case .suspend: try await suspend()
        case .resume:
            try expect(.suspended, "resume it")
            try running().resume()
            sendClock(isLeap: true)
            move(to: .background)
        case .background:
            try expect(.active, "send it to the background")
            move(to: .background)
        case .foreground:
            guard app.phase != .active else { return }
            if app.phase == .suspended {
                try running().resume()
                sendClock(isLeap: true)
            } else {
                try expect(.background, "bring it to the foreground")
            }
            move(to: .active)
        case .reinstall: try await reinstall()
        case .memoryWarning: try await set { $0.memory = .warning }
        case .memoryCritical: try await set { $0.memory = .critical }
        case .memoryNormal: try await set { $0.memory = .normal }
        case .keepRecording:
            guard let link, app.phase == .active || app.phase == .background else {
                throw .wrongPhase("the app is \(app.phase.description); to keep its recording, it must be running")
            }
            link.send(.keepRecording)
        }
    }

    /// Opens a URL in the app, as if the user had tapped a link to it. The app comes to the foreground first, and is
    /// launched if it is not running.
    ///
    /// - Throws: ``PhoneError`` if the URL has no scheme or is too long, or the app cannot be started.
    package func open(_ url: URL) async throws(PhoneError) {
        guard url.scheme != nil else {
            throw .badSetting("expected a URL with a scheme, such as shop://cart; found \(url.absoluteString)")
        }
        try await noting(.open(url)) { () throws(PhoneError) in try await deliver(url) }
    }

    private func deliver(_ url: URL) async throws(PhoneError) {
        switch app.phase {
        case .notRunning, .ended:
            try await launch()
            waitingURLs = [url]
        case .launching where link == nil: waitingURLs.append(url)
        case .launching, .active, .background, .suspended:
            if app.phase != .launching { try await carryOut(.foreground) }
            guard let link else { throw .wrongPhase("the app's link to the phone is closed") }
            guard link.send(.open(url)) else {
                throw .notSent("the URL is too long, or too many messages are pending")
            }
        }
    }

    /// Changes settings of the phone and reports the change to the app. A change of the language,
    /// the region, the calendar, the hours, the device or the sampling restarts the app.
    package func set(_ change: (inout PhoneSettingsUpdate) -> Void) async throws(PhoneError) {
        var update = PhoneSettingsUpdate()
        change(&update)
        try await apply(update)
    }

    package func apply(_ update: PhoneSettingsUpdate) async throws(PhoneError) {
        let old = settings
        settings = try update.applied(to: old)
        if settings == old { return }
        note(.set(update))
        publishState()
        if let conditions = settings.update(since: old) { link?.send(.conditions(conditions)) }
        if settings.network != old.network { try await applyNetwork() }
        let isRestarted =
            settings.fullLocale != old.fullLocale || settings.device != old.device || settings.sampling != old.sampling
        if isRestarted {
            try await restart()
        } else if settings.appearance != old.appearance {
            link?.send(.settings(settings.appearance))
        }
    }

    /// Ends the app, and launches it again if it was in the foreground. iOS does so after a change of the language.
    private func restart() async throws(PhoneError) {
        guard process != nil else { return }
        let wasInForeground = app.phase == .active || app.phase == .launching
        try await terminate()
        if wasInForeground, process == nil { try await launch() }
    }

    private func running() throws(PhoneError) -> AppProcess {
        guard let process else { throw .wrongPhase("the app is not running") }
        return process
    }

    private func expect(_ phase: PhoneState.Phase, _ what: String) throws(PhoneError) {
        guard app.phase == phase else {
            throw .wrongPhase("the app is \(app.phase.description); to \(what), it must be \(phase.description)")
        }
    }

    private func move(to state: LifecycleState) {
        lifecycle = state
        link?.send(.conditions(ConditionsUpdate(lifecycle: state)))
        app.phase = state == .active ? .active : .background
        publishState()
    }

    private func launch() async throws(PhoneError) {
        guard process == nil else { throw .wrongPhase("the app is already running") }
        guard let relays else { throw .cannotLaunch("the phone has no network yet") }
        let listener: LinkListener
        do {
            try FileManager.default.createDirectory(
                at: configuration.storage, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            listener = try LinkListener(path: linkPath)
        } catch {
            throw .cannotLaunch("cannot prepare the launch: \(error)")
        }
        let process: AppProcess
        do throws(PhoneError) {
            process = try AppProcess(
                configuration.executable, environment: environment(relays), log: configuration.log)
        } catch {
            listener.close()
            throw error
        }
        self.process = process
        self.listener = listener
        app.launches += 1
        app.phase = .launching
        app.pid = Int(process.processID)
        app.end = nil
        screen = nil
        status = nil
        hasHello = false
        output = []
        unpublishedOutput = []
        publishState()
        let launch = app.launches
        Task { for await link in listener.connections { await handleMessages(of: link, launch: launch) } }
        Task { for await end in process.end { ended(end) } }
        Task { for await lines in process.output { wrote(lines, launch: launch) } }
        Task {
            try await Task.sleep(for: configuration.launchTimeout)
            killIfLaunching(launch)
        }
        Task {
            try await Task.sleep(for: configuration.helloTimeout)
            killIfSilent(launch)
        }
    }

    /// Kills an app that ignores the link.
    private func killIfSilent(_ launch: Int) {
        guard launch == app.launches, app.phase == .launching, !hasHello else { return }
        process?.kill(.fault("no hello over the link within \(configuration.helloTimeout). \(AppEnd.linkAdvice)"))
    }

    /// Kills an app that shows no screen before the launch timeout.
    private func killIfLaunching(_ launch: Int) {
        guard launch == app.launches, app.phase == .launching else { return }
        process?.kill(.fault("no screen after \(configuration.launchTimeout.components.seconds) s"))
    }

    private func ended(_ end: AppEnd) {
        process = nil
        earlierRequests += status?.requests ?? 0
        link?.close()
        link = nil
        listener?.close()
        listener = nil
        if end.kind == .signal {
            let isLaunching = app.phase == .launching
            record { $0.noteCrash(isLaunching: isLaunching) }
        }
        app.phase = .ended
        waitingURLs = []
        app.pid = nil
        app.end = hasHello ? end : end.withoutHello
        cancelPending()
        publishState()
    }

    private func terminate() async throws(PhoneError) {
        let process = try running()
        process.resume()
        if let link { link.send(.terminate) } else { process.kill() }
        let launch = app.launches
        await waitForEnd(of: launch, timeout: configuration.terminationTimeout)
        if self.process === process {
            process.kill()
            await waitForEnd(of: launch, timeout: configuration.terminationTimeout)
        }
    }

    private func waitForEnd(of launch: Int, timeout: Duration) async {
        let subscription = subscribe()
        let waiting = Task {
            guard self.process != nil, self.app.launches == launch else { return }
            for await case .state(let state) in subscription.events where state.app.phase == .ended { return }
        }
        let timer = Task {
            try await Task.sleep(for: timeout)
            waiting.cancel()
        }
        await waiting.value
        timer.cancel()
    }

    /// Moves the app to the background, waits until it has handled that, and stops its process.
    private func suspend() async throws(PhoneError) {
        if app.phase == .active { move(to: .background) }
        try expect(.background, "suspend it")
        let process = try running()
        let launch = app.launches
        // The app handles messages in order, so the response to a touch without effect means that it handled the state.
        let timer = Task {
            try await Task.sleep(for: .seconds(2))
            cancelPending()
        }
        _ = try await touch(ViewEvent(node: 0, action: .tap))
        timer.cancel()
        guard launch == app.launches, self.process === process, app.phase == .background else { return }
        process.suspend()
        app.phase = .suspended
        publishState()
    }

    private func reinstall() async throws(PhoneError) {
        if let process {
            process.kill()
            await waitForEnd(of: app.launches, timeout: configuration.terminationTimeout)
        }
        do {
            if FileManager.default.fileExists(atPath: configuration.storage.path) {
                try FileManager.default.removeItem(at: configuration.storage)
            }
        } catch {
            throw .cannotLaunch("cannot erase the app's folder: \(error)")
        }
        try await launch()
    }
}

// The network.
extension PhoneSimulator {
    /// Gives the phone its network: the app's backend and the collector, each behind a relay.
    ///
    /// - Parameters:
    ///   - backend: `nil` if the app has none.
    ///   - path: The path of the backend's address, such as "/api".
    /// - Throws: `IOError` if no port is free.
    package func connect(backend: ServerAddress?, path: String = "", collector: ServerAddress) async throws {
        relays = Relays(
            backend: try backend.map { try NetworkRelay(to: $0) }, backendPath: path,
            collector: try NetworkRelay(to: collector))
        try await applyNetwork()
    }

    /// Ends the app, in order, and then the network.
    package func switchOff() async {
        if process != nil { try? await terminate() }
        await relays?.backend?.stop()
        await relays?.collector.stop()
        relays = nil
        endSubscriptions()
    }

    private func applyNetwork() async throws(PhoneError) {
        guard let relays else { return }
        do {
            // In virtual time the app itself waits for the network.
            let quality = settings.network.quality.map { time == nil ? $0 : NetworkQuality(cut: $0.cut) }
            try await relays.backend?.apply(quality)
            try await relays.collector.apply(quality)
        } catch {
            throw .badSetting("the network cannot be set to \(settings.network.rawValue): \(error)")
        }
    }

    private func environment(_ relays: Relays) -> [String: String] {
        let own = ProcessInfo.processInfo.environment
        var environment = own.filter { ["PATH", "TMPDIR", "LD_LIBRARY_PATH"].contains($0.key) }
        // A backtrace by the runtime takes seconds, in which the app seems to hang.
        environment["SWIFT_BACKTRACE"] = "enable=no"
        environment["ASTROLABE_DEVICE_LINK"] = linkPath
        environment["ASTROLABE_DEVICE_MODEL"] = settings.device.profile.model
        environment["ASTROLABE_DEVICE_SYSTEM"] = configuration.system
        environment[SessionSampling.variable] = settings.sampling.rawValue
        environment["ASTROLABE_DEVICE_MEMORY_GB"] = String(settings.device.profile.memory)
        // The phone's, not that of the machine. It changes with the next launch, as on a real one.
        environment["LANG"] = settings.locale + ".UTF-8"
        environment["ASTROLABE_DEVICE_LOCALE"] = settings.fullLocale
        environment["TZ"] = settings.resolvedTimeZone
        environment["ASTROLABE_BACKEND_URL"] = relays.backend.map {
            "http://127.0.0.1:\($0.port)\(relays.backendPath)"
        }
        // What the app keeps in its home, such as its user defaults, is the phone's, too.
        environment["HOME"] = configuration.storage.path
        environment["CFFIXED_USER_HOME"] = configuration.storage.path
        environment["ASTROLABE_APP_STORAGE"] = configuration.storage.path
        environment["ASTROLABE_WITNESS"] = configuration.witness.path
        environment["OTEL_EXPORTER_OTLP_ENDPOINT"] = "http://127.0.0.1:\(relays.collector.port)"
        return environment.merging(configuration.environment) { _, given in given }
    }
}

extension PhoneState.Phase {
    /// The phase as the end of a sentence that begins with "The app is".
    var description: String {
        switch self {
        case .notRunning: "not running"
        case .launching: "starting"
        case .active: "in the foreground"
        case .background: "in the background"
        case .suspended: "suspended"
        case .ended: "no longer running"
        }
    }
}
