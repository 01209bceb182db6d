import Foundation
import Platform
import Recording
import Semantics
import Sessions
import TelemetryModel

/// Puts the session on every record, and says when one ends and the next begins.
enum SessionAnnouncer {
    static func track(core: RecordingCore, directory: URL, limits: SessionLimits) -> SessionTracker {
        let events = EventLogger(core: core, scope: InstrumentationScope(name: "astrolabe.sessions"))
        let tracker = SessionTracker(
            storage: .file(directory.appendingPathComponent("session.json")), limits: limits,
            now: { core.clock.now }, makeID: { core.ids.nextUUID() },
            onChange: { action in announce(action, core: core, events: events) }, )
        // A session that was resumed starts nothing, but its id belongs on the records all the same.
        core.ambient.set(AttributeKey.sessionID, to: .string(tracker.current.id))
        return tracker
    }

    private static func announce(_ action: SessionAction, core: RecordingCore, events: EventLogger) {
        switch action {
        case .ended(let session, let time):
            events.emit(EventName.sessionEnd, attributes: attributes(of: session), timeUnixNano: time)
        case .started(let session):
            core.ambient.set(AttributeKey.sessionID, to: .string(session.id))
            events.emit(EventName.sessionStart, attributes: attributes(of: session))
        case .persist: break
        }
    }

    private static func attributes(of session: Session) -> Attributes {
        var attributes: Attributes = [AttributeKey.sessionID: .string(session.id)]
        if let previous = session.previousID { attributes[AttributeKey.sessionPreviousID] = .string(previous) }
        return attributes
    }
}
