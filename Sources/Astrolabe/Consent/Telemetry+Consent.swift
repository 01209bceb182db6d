import AstrolabeDelivery
import AstrolabePlatform
import AstrolabeRecording
import AstrolabeSemantics
import AstrolabeSessionReplay
import AstrolabeTelemetryModel

extension Telemetry {
    /// The consent that holds now.
    public var consent: TelemetryConsent { consents.withLock { $0.current } }

    /// Changes the consent, and stores it for later launches, where it wins over the configuration's.
    ///
    /// `denied` takes effect at once: on return, stored records, the session and the installation id are deleted, and
    /// no request is in progress. A later consent begins with a new session and a new installation id.
    ///
    /// Before the device's first unlock after a restart, it returns after that unlock.
    public func setConsent(_ consent: TelemetryConsent) async {
        guard let setup, !isShutDown.withLock({ $0 }) else { return }
        let change = consents.withLock { consents in
            if consent == .denied { setup.gate.close() }
            let earlier = consents.change
            let change = Task {
                await earlier?.value
                await self.change(to: consent, setup)
            }
            consents = Consents(current: consent, decided: consent, change: change)
            return change
        }
        await change.value
    }

    private func change(to new: TelemetryConsent, _ setup: Setup) async {
        let store = ConsentStore(folder: setup.configuration.folder)
        if let problem = store.store(new) {
            setup.configuration.onDiagnostic(
                "The consent \"\(new.rawValue)\" holds for this launch only, because it cannot be stored: \(problem)")
        }
        if new == .denied {
            await refuse(store)
        } else if run.withLock({ $0 == nil }) {
            guard !isShutDown.withLock({ $0 }) else { return }
            do { try begin(with: new) } catch {
                setup.configuration.onDiagnostic("Telemetry could not start and is disabled: \(error)")
            }
        } else {
            delivery?.hold(new == .pending)
            // Not waited for: a request can take long.
            if new == .granted { Task { [delivery] in await delivery?.flush() } }
        }
    }

    /// Ends what runs and deletes what it stored.
    private func refuse(_ store: ConsentStore) async {
        setup?.gate.close()
        let ended = run.withLock { run in
            defer { run = nil }
            return run
        }
        await ended?.end(sendingFor: nil)
        tracker.withLock { $0 = nil }
        replay.apply(frameRate: 0, frameLimit: 0)
        core?.breadcrumbs.keep(atMost: 0)
        core?.breadcrumbs.keep(atMost: setup?.configuration.policy.breadcrumbLimit ?? 0)
        core?.ambient.set(AttributeKey.sessionID, to: nil)
        core?.setUser([:])
        // Measurements until now go nowhere.
        registry?.collect()
        report(unerased: store.erase())
    }

    func report(unerased names: [String]) {
        guard !names.isEmpty else { return }
        setup?.configuration.onDiagnostic("Consent is denied, but these files could not be deleted: \(names)")
    }
}
