import AstrolabeDelivery
import AstrolabePlatform
import AstrolabeRecording

extension Telemetry {
    /// The consent that holds now.
    public var consent: TelemetryConsent { consents.withLock { $0.current } }

    /// True if requests of the app may name the session and the installation: with the user's consent, and not while
    /// the decision is pending.
    package var namesItself: Bool { consent == .granted }

    /// Changes the consent, and stores it for later launches, where it wins over the configuration's.
    ///
    /// `denied` takes effect at once. On return, the decision is on the disk, stored records, the session and the
    /// installation id are deleted, and no further request begins. It waits for the request in progress and for
    /// closures of the app, at most 4 seconds, and reports to `onDiagnostic` if they go on. A later consent begins with
    /// a new session, a new installation id, and nothing of the time before.
    ///
    /// Before the device's first unlock after a restart, it returns after that unlock.
    public func setConsent(_ consent: TelemetryConsent) async {
        guard let setup, !isShutDown.withLock({ $0 }) else { return }
        let change = consents.withLock { consents in
            if consent == .denied { close(setup) }
            let earlier = consents.change
            let change = Task {
                if consent == .denied { self.deleteAtOnce(setup, stores: true) }
                await earlier?.value
                await self.change(to: consent, setup)
            }
            consents.current = consent
            consents.decided = consent
            consents.change = change
            consents.isStored = false
            return change
        }
        guard consent == .denied else { return await change.value }
        await waitForUnlock()
        guard await !Self.ends(change, within: 2 * Self.refusalTimeout) else { return }
        setup.configuration.onDiagnostic(
            "Consent is denied, and nothing is recorded or sent. The start or an earlier change of consent has not "
                + "ended, because a closure of the app has not returned.")
    }

    /// The seconds that a refusal waits for work in progress.
    private static let refusalTimeout = 2.0

    /// Waits for a task, and returns false if it has not ended after so many seconds. The task goes on.
    private static func ends(_ task: Task<Void, Never>, within seconds: Double) async -> Bool {
        // A cancelled caller waits too.
        let end = FirstValue<Void>()
        Task {
            await task.value
            end.set(())
        }
        return await end.value(within: .seconds(seconds)) != nil
    }

    private func change(to new: TelemetryConsent, _ setup: Setup) async {
        guard new != .denied else { return await refuse(setup, stores: true) }
        let isAnew = run.withLock { $0 == nil }
        let now = max(SystemTime.wall, 1)
        var since = setup.store.stored.since(agreedAt: now)
        // One that another process has stored holds here too. One of before is there if a refusal could not be stored.
        if isAnew, since == 0 || since == consents.withLock({ $0.since }) { since = now }
        // A later decision may have come meanwhile, which follows.
        guard store(new, since: since, in: setup) else { return }
        if isAnew { return begin(with: new, since: since, in: setup) }
        delivery?.hold(new == .pending)
        // Not waited for: a request can take long.
        if new == .granted { Task { [delivery] in await delivery?.flush() } }
    }

    /// Begins after a refusal.
    private func begin(with new: TelemetryConsent, since: UInt64, in setup: Setup) {
        guard !isShutDown.withLock({ $0 }) else { return }
        do { try begin(with: new, since: since) } catch {
            setup.configuration.onDiagnostic("Telemetry could not start and is disabled: \(error)")
        }
    }

    /// Lets nothing through from now on, forgets what was remembered for later records, and names no one.
    func close(_ setup: Setup) {
        setup.gate.close()
        core?.refuse()
        tracker.withLock { $0 = nil }
        // Measurements until now go nowhere.
        registry?.beginPeriod()
    }

    /// Stores the refusal and deletes the rest, whatever is in progress.
    ///
    /// - Parameter stores: False for a refusal that another process has stored.
    private func deleteAtOnce(_ setup: Setup, stores: Bool) {
        run.withLock { $0 }?.abandon()
        if stores { _ = storing.withLock { _ in setup.store.store(.denied) } }
        _ = setup.store.erase()
    }

    /// Stores a decision that is not a refusal; returns false if another one has been made since.
    func store(_ new: TelemetryConsent, since: UInt64, in setup: Setup) -> Bool {
        let (isCurrent, problem) = storing.withLock { _ -> (Bool, String?) in
            guard consent == new else { return (false, nil) }
            return (true, setup.store.store(new, since: since))
        }
        if isCurrent { consents.withLock { $0.isStored = problem == nil } }
        if let problem { report(unstored: new, problem) }
        return isCurrent
    }

    /// Ends what runs and deletes what it stored: before it waits for anything, and again after it has.
    private func refuse(_ setup: Setup, stores: Bool) async {
        // An earlier change may have opened it.
        close(setup)
        let ended = run.exchange(nil)
        screenRecorder?.apply(frameRate: 0, frameLimit: 0)
        ended?.abandon()
        let unerased = setup.store.erase()
        // After that, because the disk may have been full.
        if stores, let problem = storing.withLock({ _ in setup.store.store(.denied) }) {
            report(unstored: .denied, problem)
        }
        guard let ended else { return report(unerased: unerased) }
        let ending = Task { await ended.endAbandoned() }
        if await !Self.ends(ending, within: Self.refusalTimeout) {
            setup.configuration.onDiagnostic(
                "Consent is denied, and stored records are deleted. A request or a closure of the app goes on. Its "
                    + "result is not used.")
            Task {
                await ending.value
                self.eraseLater(setup)
            }
        }
        report(unerased: setup.store.erase())
    }

    /// Deletes what was written after the refusal had waited long enough, unless the user has agreed since.
    private func eraseLater(_ setup: Setup) {
        consents.withLock { consents in
            let earlier = consents.change
            consents.change = Task {
                await earlier?.value
                if self.consent == .denied { _ = setup.store.erase() }
            }
        }
    }

    /// Follows a refusal that another process has stored, also if the user has agreed again since. Called before each
    /// flush, which then sends nothing.
    func followRefusal() {
        guard let setup, let since = consents.withLock({ $0.followed }), setup.store.stored.isRefusal(after: since)
        else { return }
        consents.withLock { consents in
            guard consents.followed == since else { return }
            close(setup)
            delivery?.hold(true)
            consents.current = .denied
            consents.decided = nil
            let earlier = consents.change
            consents.change = Task {
                self.deleteAtOnce(setup, stores: false)
                await earlier?.value
                await self.follow(setup)
            }
        }
    }

    /// Ends what runs. Begins again if the user has agreed since, unless the app has called `setConsent` meanwhile.
    private func follow(_ setup: Setup) async {
        await refuse(setup, stores: false)
        guard case .decided(let consent, let since) = setup.store.stored, consent != .denied else { return }
        let isNext = consents.withLock { consents in
            guard consents.decided == nil else { return false }
            consents.current = consent
            return true
        }
        if isNext { begin(with: consent, since: since, in: setup) }
    }

    private func report(unstored consent: TelemetryConsent, _ problem: String) {
        setup?.configuration.onDiagnostic(
            "The consent \"\(consent.rawValue)\" may hold for this launch only, because it cannot be stored: "
                + problem)
    }

    func report(unerased names: [String]) {
        guard !names.isEmpty else { return }
        setup?.configuration.onDiagnostic("Consent is denied, but these files could not be deleted: \(names)")
    }
}

extension ConsentStore.Stored {
    /// `nil` if the user has not decided.
    var consent: TelemetryConsent? {
        switch self {
        case .undecided: nil
        case .decided(let consent, _): consent
        case .damaged, .unreadable: .denied
        }
    }

    /// When the user agreed after a refusal, in nanoseconds since 1970; 0 if never.
    ///
    /// - Parameter time: Now, for a user who agrees now. A clock before 1970 counts as one nanosecond after it.
    func since(agreedAt time: UInt64) -> UInt64 {
        switch self {
        case .undecided: 0
        case .decided(let consent, let since): consent == .denied ? max(time, 1) : since
        case .damaged, .unreadable: max(time, 1)
        }
    }

    /// Returns true if the user has refused since a consent, for a process that has not.
    ///
    /// - Parameter since: When they agreed after an earlier refusal, in nanoseconds since 1970; 0 if never.
    func isRefusal(after since: UInt64) -> Bool {
        switch self {
        case .undecided, .unreadable: false
        case .damaged: true
        case .decided(let consent, let agreed): consent == .denied || agreed > 0 && agreed != since
        }
    }

    /// True if a denial deletes stored records: not if the decision may be read later.
    var mayErase: Bool { if case .unreadable = self { false } else { true } }

    func report(to configuration: TelemetryConfiguration) {
        switch self {
        case .undecided, .decided: break
        case .damaged:
            configuration.onDiagnostic(
                "The file of the user's consent is damaged, which counts as denied. Ask the user again, and call "
                    + "setConsent.")
        case .unreadable(let error):
            configuration.onDiagnostic(
                "The user's consent cannot be read, which counts as denied in this launch: \(error)")
        }
    }
}
