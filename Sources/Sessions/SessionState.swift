import AstrolabePlatform

/// What must be done after the state has changed, in this order.
package enum SessionAction: Hashable, Sendable {
    /// Announce that a session has ended; it did so at `timeUnixNano`.
    case ended(Session, timeUnixNano: UInt64)
    /// Announce a new session, whose id goes on every record from here on.
    case started(Session)
    /// Keep this session, so that a restart within the limits carries it on.
    case persist(Session)
}

/// Decides which session is the current one. Pure: it is told the time and hands back what to do.
///
///     launch ──▶ resumed, where the stored session is within both limits
///            └─▶ old one ended, new one started
///     activity ─▶ carried on, or ended and started anew where a limit has passed
///     reset ────▶ ended and started anew
///
/// Only `activity` extends a session. Reading the current one does not, nor does work in the background.
package struct SessionState: Hashable, Sendable {
    package private(set) var current: Session
    private let limits: SessionLimits
    private var persistedActivityUnixNano: UInt64

    /// How much of the last activity may be forgotten by a kill: activity is written at most this often.
    private static let persistIntervalNano: UInt64 = 10_000_000_000

    /// Resumes `stored` or starts anew.
    package static func launch(
        stored: Session?, at now: UInt64, limits: SessionLimits, makeID: () -> String,
    ) -> (SessionState, [SessionAction]) {
        if let stored, !isOver(stored, at: now, limits: limits) {
            return (SessionState(current: stored, limits: limits, persistedActivityUnixNano: 0), [])
        }
        let session = Session(id: makeID(), previousID: stored?.id, startTimeUnixNano: now)
        let state = SessionState(current: session, limits: limits, persistedActivityUnixNano: now)
        let ending = stored.map { [SessionAction.ended($0, timeUnixNano: endTime(of: $0, limits: limits))] } ?? []
        return (state, ending + [.persist(session), .started(session)])
    }

    /// The person did something.
    package mutating func activity(at now: UInt64, makeID: () -> String) -> [SessionAction] {
        if Self.isOver(current, at: now, limits: limits) {
            return replace(at: now, endedAt: Self.endTime(of: current, limits: limits), makeID: makeID)
        }
        current.lastActivityUnixNano = max(now, current.lastActivityUnixNano)
        guard current.lastActivityUnixNano - persistedActivityUnixNano >= Self.persistIntervalNano else { return [] }
        persistedActivityUnixNano = current.lastActivityUnixNano
        return [.persist(current)]
    }

    /// The app ends the session itself, as after an order or a sign-out.
    package mutating func reset(at now: UInt64, makeID: () -> String) -> [SessionAction] {
        replace(at: now, endedAt: now, makeID: makeID)
    }

    private mutating func replace(at now: UInt64, endedAt end: UInt64, makeID: () -> String) -> [SessionAction] {
        let old = current
        current = Session(id: makeID(), previousID: old.id, startTimeUnixNano: now)
        persistedActivityUnixNano = now
        return [.ended(old, timeUnixNano: end), .persist(current), .started(current)]
    }

    /// A clock set back makes a session neither older nor over.
    private static func isOver(_ session: Session, at now: UInt64, limits: SessionLimits) -> Bool {
        elapsed(since: session.lastActivityUnixNano, now) >= limits.inactivity
            || elapsed(since: session.startTimeUnixNano, now) >= limits.maximumDuration
    }

    /// A session that ran out ended when it ran out, not when somebody noticed.
    private static func endTime(of session: Session, limits: SessionLimits) -> UInt64 {
        let byInactivity = session.lastActivityUnixNano &+ UInt64(nanosecondsIn: limits.inactivity)
        let byDuration = session.startTimeUnixNano &+ UInt64(nanosecondsIn: limits.maximumDuration)
        return min(byInactivity, byDuration)
    }

    private static func elapsed(since start: UInt64, _ now: UInt64) -> Double {
        now > start ? Double(now - start) / 1e9 : 0
    }
}
