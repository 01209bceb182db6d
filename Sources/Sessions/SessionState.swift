import AstrolabePlatform

/// An action to perform after a change of state, in order.
package enum SessionAction: Hashable, Sendable {
    /// Announce that a session ended at `timeUnixNano`.
    case ended(SessionSnapshot, timeUnixNano: UInt64)
    /// Announce a new session, whose id is added to every record from now on.
    case started(SessionSnapshot)
    /// Store this session, so that a restart within the limits continues it.
    case persist(SessionSnapshot)
}

/// Determines the current session. A pure value: it receives the time and returns actions.
///
///     launch ──▶ resumed, if the stored session is within both limits
///            └─▶ previous one ended, new one started
///     activity ─▶ continued, or ended and replaced if a limit has passed
///     reset ────▶ ended and replaced
///
/// Only `activity` extends a session; reading the current one or working in the background does not.
package struct SessionState: Hashable, Sendable {
    package private(set) var current: SessionSnapshot
    private let limits: SessionLimits
    private var persistedActivityUnixNano: UInt64

    /// The minimum nanoseconds between two writes of the last activity, which a kill may lose.
    private static let persistIntervalNano: UInt64 = 10_000_000_000

    /// Resumes `stored` or starts a new session.
    package static func launch(
        stored: SessionSnapshot?, at now: UInt64, limits: SessionLimits, makeID: () -> String,
    ) -> (SessionState, [SessionAction]) {
        if let stored, !isOver(stored, at: now, limits: limits) {
            return (SessionState(current: stored, limits: limits, persistedActivityUnixNano: 0), [])
        }
        let session = SessionSnapshot(id: makeID(), previousID: stored?.id, startTimeUnixNano: now)
        let state = SessionState(current: session, limits: limits, persistedActivityUnixNano: now)
        let ending = stored.map { [SessionAction.ended($0, timeUnixNano: endTime(of: $0, limits: limits))] } ?? []
        return (state, ending + [.persist(session), .started(session)])
    }

    /// Records an activity of the user.
    package mutating func activity(at now: UInt64, makeID: () -> String) -> [SessionAction] {
        if Self.isOver(current, at: now, limits: limits) {
            return replace(at: now, endedAt: Self.endTime(of: current, limits: limits), makeID: makeID)
        }
        current.lastActivityUnixNano = max(now, current.lastActivityUnixNano)
        guard current.lastActivityUnixNano - persistedActivityUnixNano >= Self.persistIntervalNano else { return [] }
        persistedActivityUnixNano = current.lastActivityUnixNano
        return [.persist(current)]
    }

    /// Ends the session on request of the app, for example after an order or a sign-out.
    package mutating func reset(at now: UInt64, makeID: () -> String) -> [SessionAction] {
        replace(at: now, endedAt: now, makeID: makeID)
    }

    private mutating func replace(at now: UInt64, endedAt end: UInt64, makeID: () -> String) -> [SessionAction] {
        let old = current
        current = SessionSnapshot(id: makeID(), previousID: old.id, startTimeUnixNano: now)
        persistedActivityUnixNano = now
        return [.ended(old, timeUnixNano: end), .persist(current), .started(current)]
    }

    /// Whether a session exceeds its limits. A clock that was set back ends no session.
    private static func isOver(_ session: SessionSnapshot, at now: UInt64, limits: SessionLimits) -> Bool {
        elapsed(since: session.lastActivityUnixNano, now) >= limits.inactivity.seconds
            || elapsed(since: session.startTimeUnixNano, now) >= limits.maximumDuration.seconds
    }

    /// The time at which an expired session ended, which is when it reached a limit.
    private static func endTime(of session: SessionSnapshot, limits: SessionLimits) -> UInt64 {
        let byInactivity = session.lastActivityUnixNano &+ UInt64(nanosecondsIn: limits.inactivity.seconds)
        let byDuration = session.startTimeUnixNano &+ UInt64(nanosecondsIn: limits.maximumDuration.seconds)
        return min(byInactivity, byDuration)
    }

    private static func elapsed(since start: UInt64, _ now: UInt64) -> Double {
        now > start ? Double(now - start) / 1e9 : 0
    }
}
