import AstrolabeAppHealth
import AstrolabeDelivery
import AstrolabeDeviceConditions
import AstrolabePlatform
import AstrolabeRecording
import AstrolabeSessions
import AstrolabeViewTracing

/// The beginning of a run: at a start, after the first unlock, or with a consent that follows a refusal.
extension Telemetry {
    /// Begins as the user's stored decision says, or else the configuration's.
    ///
    /// - Returns: Whether that was possible.
    func begin() -> Bool {
        guard let setup else { return false }
        setup.configuration.moveEarlierStorage()
        let stored = setup.store.stored
        let consent = consents.withLock { consents in
            consents.current = consents.decided ?? stored.consent ?? setup.configuration.consent
            return consents.current
        }
        stored.report(to: setup.configuration)
        if consent == .denied {
            // With what was recorded before the decision could be read.
            close(setup)
            if stored.mayErase { report(unerased: setup.store.erase()) }
            return true
        }
        // The user may have agreed before this launch could read their refusal.
        let since = stored.since(agreedAt: SystemTime.wall)
        if stored.consent == .denied { _ = store(consent, since: since, in: setup) }
        do {
            try begin(with: consent, since: since)
            return true
        } catch {
            setup.gate.close()
            setup.configuration.onDiagnostic("Telemetry could not start and is disabled: \(error)")
            return false
        }
    }

    /// Begins to record and, if consent is granted, to send.
    ///
    /// - Parameter since: When the user agreed after a refusal, in nanoseconds since 1970; 0 if never.
    /// - Throws: An error if no memory can be allocated, or if records of before the consent or of another tenant
    ///   cannot be deleted.
    func begin(with consent: TelemetryConsent, since: UInt64) throws(SystemError) {
        guard let setup, let core, let registry else { return }
        let configuration = setup.configuration
        let start = SystemTime.wall
        let isAnew = !core.periods.isPermitted
        let claimed = try RunEnvironment.claimed(
            by: configuration, store: setup.store, since: since, redactor: core.redactor)
        let (place, follower) = claimed.following(configuration, time: setup.time)
        let health =
            setup.recordsHealth && !configuration.isServer && follower?.policy?.turnsOff(.health) != true
            ? place.beginHealth(configuration, isLaunch: !isAnew, since: since) : nil
        let pipeline = try Pipeline(
            resource: place.resource, directory: place.directory, recordSize: configuration.limits.recordSize,
            bounds: configuration.isServer ? .server : .app,
            recorder: core.recorder == nil ? nil : configuration.recorderBounds, transport: setup.transport,
            time: setup.time, processor: setup.processor,
        )
        if let screenRecorder { _ = setup.gate.register(screenRecorder.scope) }
        // Unless it has been denied since the start began.
        let (period, closings) = consents.withLock { consents -> (UInt64, Int?) in
            guard consents.current != .denied else { return (core.periods.number, nil) }
            consents.since = since
            core.permit()
            return (core.periods.number, setup.gate.closings)
        }
        // Before the first record, which comes before the first decision.
        if let remote = follower?.policy { pipeline.sink.turnOff(remote.off, scopes: remote.offScopes) }
        setup.sampler?.begin(with: follower?.policy?.rateSource ?? "")
        if let closings { setup.gate.open(pipeline.sink, unlessClosedSince: closings) }
        if isAnew { registry.beginPeriod() }
        let tracker = tracker(in: place, configuration, sampler: setup.sampler)
        // Before earlier runs are reported, so that their critical records are sent.
        let delivery = pipeline.delivery(
            for: configuration, core: core, registry: registry, tracker: tracker, health,
            follower: follower, isAnew: isAnew, checkConsent: { [weak self] in self?.followRefusal() })
        delivery.hold(self.consent != .granted)
        if health?.attach(core: core, frames: frames, countedBy: setup.processor) == true, self.consent == .granted {
            health?.sendReports { await delivery.flush(.critical) }
        }
        if health != nil, configuration.health.measuresProcess, !observesProcess.exchange(true) {
            ProcessMetrics.observe(registry)
        }
        let driver =
            !configuration.isServer
            ? pipeline.driver(
                for: configuration, device: place.device, core: core, registry: registry, delivery: delivery,
                sampler: setup.sampler, views: views, screen: screenRecorder, health: health,
                tracker: tracker, remote: follower?.policy,
            ) : nil
        if let driver { follower?.begin(policyActions(driver, delivery)) }
        run.withLock {
            $0 = RunningPipeline(
                place: place, tracker: tracker, delivery: delivery, driver: driver, health: health, follower: follower,
                period: period)
        }
        let state = driver?.monitor.current.lifecycle ?? .launching
        tracker?.launch(SessionLaunch(state, isReported: driver != nil && configuration.reportsLifecycle))
        if isAnew { views.restart(isInBackground: [.background, .suspended, .terminated].contains(state)) }
        driver?.start()
        Task { await delivery.start() }
        health?.finishStart(begunAt: start)
    }
}
