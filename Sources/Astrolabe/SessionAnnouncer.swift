import AstrolabeDeviceConditions
import AstrolabePlatform
import AstrolabeRecording
import AstrolabeSemantics
import AstrolabeSessions
import AstrolabeTelemetryModel
import Foundation

/// Puts the session on every record, and says when one ends and the next begins.
enum SessionAnnouncer {
    /// - Parameter sampler: Told each session before its first record.
    static func track(
        core: RecordingCore, directory: URL, limits: SessionLimits, sampler: SessionSampler?,
    ) -> SessionTracker {
        let events = EventLogger(core: core, scope: InstrumentationScope.ofSDK("astrolabe.sessions"))
        let tracker = SessionTracker(
            storage: .file(directory.appendingPathComponent("session")), limits: limits,
            now: { SessionTime(wall: core.clock.now, steady: core.clock.steady, boot: core.clock.bootID) },
            makeID: { core.ids.nextUUID() }, onDeadline: { [deadline = core.sessionDeadline] in deadline.set($0) },
            onChange: { announce($0, core: core, events: events, sampler: sampler) })
        core.sessionDeadline.whenPassed { [weak tracker] in tracker?.check() }
        return tracker
    }

    private static func announce(
        _ action: SessionAction, core: RecordingCore, events: EventLogger, sampler: SessionSampler?,
    ) {
        switch action {
        case .ended(let session, let time, let summary):
            var attributes = attributes(of: session)
            attributes[AttributeKey.sessionDurationSeconds] = .double(summary.duration)
            attributes[AttributeKey.screensVisited] = .int(Int64(summary.screens))
            emit(EventName.sessionEnd, attributes, timeUnixNano: time, by: events)
            core.keepAbandonedFlows(ofSession: session.id, endedAt: time)
        case .became(let session):
            // Without a session, the records until the next one share a number of their own.
            sampler?.update(session: session?.id ?? core.ids.nextUUID())
            core.ambient.set(AttributeKey.sessionID, to: session.map { .string($0.id) })
        case .started(let session, let reason):
            if let sampler, !sampler.isSampled { core.notices.reportSampledOut() }
            var attributes = attributes(of: session)
            attributes[AttributeKey.astrolabeSessionStartReason] = .string(reason.rawValue)
            emit(EventName.sessionStart, attributes, timeUnixNano: session.startTimeUnixNano, by: events)
        case .resumed(let session): emit(EventName.sessionResume, attributes(of: session), by: events)
        case .persist: break
        }
    }

    /// Of high priority, which no mode leaves out: a session without its ends looks like one that goes on.
    private static func emit(
        _ name: String, _ attributes: Attributes, timeUnixNano: UInt64? = nil, by events: EventLogger,
    ) {
        events.emit(name, severity: .info, attributes: attributes, timeUnixNano: timeUnixNano, priority: .high)
    }

    private static func attributes(of session: SessionSnapshot) -> Attributes {
        var attributes: Attributes = [AttributeKey.sessionID: session.id]
        if let previous = session.previousID { attributes[AttributeKey.sessionPreviousID] = .string(previous) }
        return attributes
    }
}

extension SessionLaunch {
    /// - Parameter isReported: Whether the app's life is reported. Otherwise it counts as in the foreground.
    init(_ state: LifecycleState, isReported: Bool) {
        switch state {
        case .active, .inactive: self = .foreground
        case .background, .suspended, .terminated: self = .background
        case .launching: self = isReported ? .unknown : .foreground
        }
    }
}

extension SessionTracker {
    /// Returns true if the current session began before a time in nanoseconds since 1970, or no launch is known yet.
    func continuesSession(from time: UInt64) -> Bool { current.map { $0.startTimeUnixNano < time } ?? !isLaunched }

    /// Follows a step of the app's life, before anything is recorded of it.
    func follow(_ step: LifecycleTransition) {
        switch step.to {
        case .active, .inactive:
            if step.entersForeground { enterForeground() }
            if step.to == .active { recordActivity() }
        case .background, .terminated: enterBackground()
        case .launching, .suspended: break
        }
    }

    /// Follows what the app's life was when it began to be watched.
    func begin(in state: LifecycleState) {
        switch SessionLaunch(state, isReported: true) {
        case .foreground: enterForeground()
        case .background: enterBackground()
        case .unknown: break
        }
    }
}
