/// An action to perform after a change of state, in order.
package enum SessionAction: Equatable, Sendable {
    /// Announce that a session ended at `timeUnixNano`.
    case ended(SessionSnapshot, timeUnixNano: UInt64, SessionTotals)
    /// Add this session's id to every record from now on; none if there is no session.
    case became(SessionSnapshot?)
    /// Announce a new session, whose id is on every record already.
    case started(SessionSnapshot, SessionStartReason)
    /// Announce that the app returned to the foreground within the limits.
    case resumed(SessionSnapshot)
    /// Store this session, so that a restart within the limits continues it.
    case persist(SavedSession)
}

/// Why a session began. The raw values are those of `astrolabe.session.start_reason`.
package enum SessionStartReason: String, Sendable {
    /// The SDK started, and continued no session.
    case launch
    /// The user had not used the app for too long.
    case inactivity
    /// The session before had lasted for as long as one may.
    case maximumLength = "max_length"
    /// The app ended the session before: see ``SessionTracker/reset()``. Both belong to one visit.
    case reset
}

/// The state of the app's life that the tracker knows when it starts.
package enum SessionLaunch: Hashable, Sendable {
    /// In the foreground, or on a system that does not report the app's life.
    case foreground
    /// Started in the background, for a push or a refresh.
    case background
    /// Not known yet. The app's life will be reported.
    case unknown
}

/// Determines the current session. A pure value: it receives the time and returns actions.
///
///     launch ──▶ continued, if the stored session is within both limits
///            ├─▶ foreground: previous one ended, new one started
///            ├─▶ unknown: the new one's id is on records; it starts with the foreground or the first activity
///            └─▶ background: previous one ended; there is none until the foreground or the first activity
///     foreground ▶ resumed, or ended and replaced if a limit has passed
///     activity ──▶ continued, or ended and replaced if a limit has passed
///     check ─────▶ ended if a limit has passed in the background
///     reset ─────▶ ended and replaced
///
/// Only activity extends a session: the app becoming active, a screen that appears in the foreground, a tap, and what
/// the app reports. Elapsed time is measured on a monotonic clock, so a wall clock that is set ends no session.
package struct SessionState: Equatable, Sendable {
    private indirect enum Phase: Equatable {
        case running(SessionRun)
        /// Its id is on records, but it has not started. The previous session, if there is one, has not ended.
        case provisional(SessionRun, previous: SessionRun?)
        /// In the background without a session. The next one has this id if there is one, and this reason.
        case none(previousID: String?, reservedID: String?, SessionStartReason)
    }

    private var phase: Phase
    private let limits: SessionLimits
    private var isInFront: Bool
    /// True if the app has been in the background since it was last in the foreground.
    private var isAway: Bool
    private var persistedActivity: Int64?
    /// The screen that is visible.
    private var screen: String?

    /// The minimum nanoseconds between two writes of the last activity, which a kill may lose.
    private static let persistInterval: Int64 = 10_000_000_000

    /// Continues `stored` or begins a new session.
    package static func launch(
        _ launch: SessionLaunch, stored: SavedSession?, at now: SessionTime, limits: SessionLimits,
        makeID: () -> String,
    ) -> (SessionState, [SessionAction]) {
        let previous = stored.map { $0.run(at: now) }
        let isInFront = launch == .foreground
        func state(_ phase: Phase) -> SessionState {
            SessionState(phase: phase, limits: limits, isInFront: isInFront, isAway: launch == .background)
        }

        if let stored, let previous, !stored.hasEnded, continues(previous, at: now, limits) {
            return (state(.running(previous)), [.became(previous.snapshot)])
        }
        let ending = stored?.hasEnded == false ? previous : nil
        if launch == .background {
            let ended = ending.map { Self.end(of: $0, at: now, limits) } ?? []
            return (state(.none(previousID: previous?.snapshot.id, reservedID: nil, .launch)), ended + [.became(nil)])
        }
        let run = SessionRun(
            SessionSnapshot(id: makeID(), previousID: previous?.snapshot.id, startTimeUnixNano: now.wall),
            at: now.moment)
        var new = state(.provisional(run, previous: ending))
        if launch == .unknown { return (new, [.became(run.snapshot)]) }
        let actions = new.begin(at: now, makeID: makeID)
        return (new, actions)
    }

    /// The current session; `nil` in the background after its end.
    package var current: SessionSnapshot? { run?.snapshot }

    private var run: SessionRun? {
        switch phase {
        case .running(let run), .provisional(let run, _): run
        case .none: nil
        }
    }

    /// When the session ends by itself, in nanoseconds since 1970; `nil` in the foreground and without a session.
    ///
    /// Also `nil` if a limit has passed already: the records about the step to the background still belong to the
    /// session, and the flush of that step ends it.
    package func deadline(at now: SessionTime) -> UInt64? {
        guard !isInFront, case .running(let run) = phase else { return nil }
        let deadline = run.deadline(limits)
        return deadline > now.moment ? now.wall(of: deadline) : nil
    }

    /// The current session's duration and screens until now.
    package func summary(at now: SessionTime) -> SessionTotals? { run?.summary(endingAt: now.moment) }
}

extension SessionState {
    /// Records that the app came to the foreground.
    package mutating func enterForeground(at now: SessionTime, makeID: () -> String) -> [SessionAction] {
        let wasAway = isAway
        (isInFront, isAway) = (true, false)
        guard case .running(let run) = phase else { return begin(at: now, makeID: makeID) }
        if run.isOver(at: now.moment, limits) {
            return replace(run, run.reasonOfNext(at: now.moment, limits), at: now, makeID: makeID)
        }
        update { $0.lastInFront = now.moment }
        return wasAway ? [.resumed(run.snapshot)] : []
    }

    /// Records that the app left the foreground, or that a launch turned out to be one in the background.
    package mutating func enterBackground(at now: SessionTime) -> [SessionAction] {
        let wasInFront = isInFront
        (isInFront, isAway) = (false, true)
        switch phase {
        case .running(var run):
            if wasInFront { run.lastInFront = max(run.lastInFront, now.moment) }
            phase = .running(run)
            return persist(run, at: now)
        case .provisional(let run, let previous):
            phase = .none(previousID: run.snapshot.previousID, reservedID: run.snapshot.id, .launch)
            return (previous.map { Self.end(of: $0, at: now, limits) } ?? []) + [.became(nil)]
        case .none: return []
        }
    }

    /// Records an activity of the user.
    package mutating func activity(at now: SessionTime, makeID: () -> String) -> [SessionAction] {
        guard case .running(var run) = phase else { return begin(at: now, makeID: makeID) }
        if isInFront { run.lastInFront = max(run.lastInFront, now.moment) }
        if run.isOver(at: now.moment, limits) {
            return replace(run, run.reasonOfNext(at: now.moment, limits), at: now, makeID: makeID)
        }
        run.lastActivity = max(run.lastActivity, now.moment)
        phase = .running(run)
        let isDue = persistedActivity.map { run.lastActivity - $0 >= Self.persistInterval } ?? true
        return isDue ? persist(run, at: now) : []
    }

    /// Records that a screen appeared; `nil` if none is visible. In the foreground that is an activity.
    ///
    /// The system also creates an app's screens for a launch in the background.
    package mutating func show(_ screen: String?, at now: SessionTime, makeID: () -> String) -> [SessionAction] {
        guard screen != self.screen else { return [] }
        self.screen = screen
        guard screen != nil, isInFront else { return [] }
        let before = current?.id
        let actions = activity(at: now, makeID: makeID)
        // A session that begins with a visible screen has counted it.
        if before == current?.id { update { $0.screens += 1 } }
        return actions
    }

    /// Ends a session whose limit has passed in the background, and one in the foreground that is too old.
    package mutating func check(at now: SessionTime, makeID: () -> String) -> [SessionAction] {
        guard case .running(var run) = phase else { return [] }
        if isInFront {
            run.lastInFront = max(run.lastInFront, now.moment)
            phase = .running(run)
            let isTooOld = run.isOver(at: now.moment, limits) && !run.isInactive(at: now.moment, limits)
            return isTooOld ? replace(run, .maximumLength, at: now, makeID: makeID) : []
        }
        guard run.isOver(at: now.moment, limits) else { return [] }
        phase = .none(previousID: run.snapshot.id, reservedID: nil, run.reasonOfNext(at: now.moment, limits))
        return Self.end(of: run, at: now, limits) + [.became(nil)]
    }

    /// Ends the session on request of the app, for example after an order or a sign-out.
    package mutating func reset(at now: SessionTime, makeID: () -> String) -> [SessionAction] {
        var actions: [SessionAction] = []
        if case .provisional = phase { actions = begin(at: now, makeID: makeID) }
        guard case .running(let run) = phase else { return begin(at: now, makeID: makeID) }
        return actions + replace(run, .reset, endedAt: now.moment, at: now, makeID: makeID)
    }
}

extension SessionState {
    /// A stored session continues unless a limit has passed. One that was stored later than now by more than the limit
    /// has a time that cannot be trusted, so it is over.
    private static func continues(_ run: SessionRun, at now: SessionTime, _ limits: SessionLimits) -> Bool {
        var past = run
        past.lastActivity = min(run.lastActivity, now.moment)
        let isInFuture = SessionRun(run.snapshot, at: now.moment).isInactive(at: run.lastActivity, limits)
        return !isInFuture && !past.isOver(at: now.moment, limits)
    }

    /// Starts the session that is waiting for it, or a new one.
    private mutating func begin(at now: SessionTime, makeID: () -> String) -> [SessionAction] {
        switch phase {
        case .running: return []
        case .provisional(let run, let previous):
            let ended = previous.map { Self.end(of: $0, at: now, limits) } ?? []
            // The system may launch an app hours before it is opened.
            guard run.isInactive(at: now.moment, limits) else { return ended + start(run, .launch, at: now) }
            return ended + start(id: run.snapshot.id, after: run.snapshot.previousID, .launch, at: now)
        case .none(let previousID, let reservedID, let reason):
            return start(id: reservedID ?? makeID(), after: previousID, reason, at: now)
        }
    }

    private mutating func replace(
        _ old: SessionRun, _ reason: SessionStartReason, endedAt end: Int64? = nil, at now: SessionTime,
        makeID: () -> String,
    ) -> [SessionAction] {
        let ended = Self.ended(old, at: end ?? Self.endMoment(of: old, at: now, limits), now)
        return [ended] + start(id: makeID(), after: old.snapshot.id, reason, at: now)
    }

    private mutating func start(
        id: String, after previousID: String?, _ reason: SessionStartReason, at now: SessionTime,
    ) -> [SessionAction] {
        let snapshot = SessionSnapshot(id: id, previousID: previousID, startTimeUnixNano: now.wall)
        return start(SessionRun(snapshot, at: now.moment), reason, at: now)
    }

    private mutating func start(
        _ run: SessionRun, _ reason: SessionStartReason, at now: SessionTime,
    ) -> [SessionAction] {
        var run = run
        run.lastActivity = max(run.lastActivity, now.moment)
        run.lastInFront = max(run.lastInFront, now.moment)
        run.screens = screen == nil ? 0 : 1
        phase = .running(run)
        return [.became(run.snapshot)] + persist(run, at: now) + [.started(run.snapshot, reason)]
    }

    private mutating func persist(_ run: SessionRun, at now: SessionTime) -> [SessionAction] {
        persistedActivity = run.lastActivity
        return [.persist(SavedSession(run, at: now))]
    }

    private mutating func update(_ change: (inout SessionRun) -> Void) {
        guard case .running(var run) = phase else { return }
        change(&run)
        phase = .running(run)
    }

    /// The end of a session without a next one.
    private static func end(of run: SessionRun, at now: SessionTime, _ limits: SessionLimits) -> [SessionAction] {
        [
            ended(run, at: endMoment(of: run, at: now, limits), now),
            .persist(SavedSession(run, hasEnded: true, at: now)),
        ]
    }

    private static func ended(_ run: SessionRun, at end: Int64, _ now: SessionTime) -> SessionAction {
        .ended(run.snapshot, timeUnixNano: now.wall(of: end), run.summary(endingAt: end))
    }

    /// Not after now, unless the session itself is: then at its last activity.
    private static func endMoment(of run: SessionRun, at now: SessionTime, _ limits: SessionLimits) -> Int64 {
        min(run.end(limits), max(now.moment, run.lastActivity))
    }
}
