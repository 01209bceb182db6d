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
        let events = EventLogger(core: core, scope: InstrumentationScope(name: "astrolabe.sessions"))
        let tracker = SessionTracker(
            storage: .file(directory.appendingPathComponent("session.json")), limits: limits,
            now: { core.clock.now }, makeID: { core.ids.nextUUID() },
            onChange: { action in
                if case .started(let session) = action, let sampler {
                    sampler.update(session: session.id)
                    if !sampler.isSampled { core.notices.reportSampledOut() }
                }
                announce(action, core: core, events: events)
            }, )
        // A session that was resumed starts nothing, but its id belongs on the records all the same.
        sampler?.update(session: tracker.current.id)
        core.ambient.set(AttributeKey.sessionID, to: .string(tracker.current.id))
        return tracker
    }

    private static func announce(_ action: SessionAction, core: RecordingCore, events: EventLogger) {
        switch action {
        case .ended(let session, let time):
            emit(EventName.sessionEnd, of: session, timeUnixNano: time, by: events)
        case .started(let session):
            core.ambient.set(AttributeKey.sessionID, to: .string(session.id))
            emit(EventName.sessionStart, of: session, by: events)
        case .persist: break
        }
    }

    /// Of high priority, which no mode leaves out: a session without its ends cannot be told from one that goes on.
    private static func emit(
        _ name: String, of session: SessionSnapshot, timeUnixNano: UInt64? = nil, by events: EventLogger,
    ) {
        events.emit(
            name, severity: .info, attributes: attributes(of: session), timeUnixNano: timeUnixNano, priority: .high,
        )
    }

    private static func attributes(of session: SessionSnapshot) -> Attributes {
        var attributes: Attributes = [AttributeKey.sessionID: session.id]
        if let previous = session.previousID { attributes[AttributeKey.sessionPreviousID] = .string(previous) }
        return attributes
    }
}
