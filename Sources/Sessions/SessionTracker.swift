import AstrolabePlatform

/// Performs the actions of `SessionState`: stores the session and notifies one listener.
package final class SessionTracker: Sendable {
    private struct State {
        /// `nil` until `launch`.
        var session: SessionState?
        /// Pending actions in order.
        var actions = SerialWorkQueue<SessionAction>()
        var isForgotten = false
    }

    private let state = Locked(State())
    private let storage: SessionStorage
    private let limits: SessionLimits
    private let now: @Sendable () -> SessionTime
    private let makeID: @Sendable () -> String
    private let onChange: @Sendable (SessionAction) -> Void
    private let onDeadline: @Sendable (UInt64?) -> Void

    /// Creates a tracker without a session: see ``launch(_:)``.
    ///
    /// - Parameters:
    ///   - onDeadline: Called with the time at which ``check()`` would end the session, in nanoseconds since 1970;
    ///     `nil` if there is none. Must return immediately.
    ///   - onChange: Called with each action except `persist`, one at a time and in order. Called on the thread that
    ///     caused them or on one that is already calling.
    package init(
        storage: SessionStorage, limits: SessionLimits = SessionLimits(), now: @escaping @Sendable () -> SessionTime,
        makeID: @escaping @Sendable () -> String, onDeadline: @escaping @Sendable (UInt64?) -> Void = { _ in },
        onChange: @escaping @Sendable (SessionAction) -> Void,
    ) {
        self.storage = storage
        self.limits = limits
        self.now = now
        self.makeID = makeID
        self.onDeadline = onDeadline
        self.onChange = onChange
    }

    /// Continues the stored session or begins a new one, and reports it to `onChange` before returning.
    package func launch(_ launch: SessionLaunch = .foreground) {
        let stored = storage.load()
        // Before the lock: the name of the boot is read from a file the first time.
        let now = now()
        let isMine = state.withLock { state in
            guard state.session == nil, !state.isForgotten else { return false }
            let (initial, actions) = SessionState.launch(
                launch, stored: stored, at: now, limits: limits, makeID: makeID)
            state.session = initial
            onDeadline(initial.deadline(at: now))
            return state.actions.add(actions)
        }
        if isMine { perform() }
    }

    /// The current session; `nil` if there is none. Reading it does not count as activity.
    package var current: SessionSnapshot? { state.withLock { $0.session?.current } }

    /// True once the launch is known, which continues a session, begins one or has none.
    package var isLaunched: Bool { state.withLock { $0.session != nil } }

    /// The current session's duration and screens until now.
    package var summary: SessionTotals? { state.withLock { $0.session?.summary(at: now()) } }

    /// Records an activity of the user: a tap, the app becoming active, or what the app reports.
    package func recordActivity() { change { $0.activity(at: $1, makeID: makeID) } }

    /// Records that a screen appeared; `nil` if none is visible.
    package func show(_ screen: String?) { change { $0.show(screen, at: $1, makeID: makeID) } }

    /// Records that the app came to the foreground.
    package func enterForeground() { change { $0.enterForeground(at: $1, makeID: makeID) } }

    /// Records that the app left the foreground, and stores the session.
    package func enterBackground() { change { $0.enterBackground(at: $1) } }

    /// Ends a session whose limit has passed in the background.
    package func check() { change { $0.check(at: $1, makeID: makeID) } }

    /// Ends the session and starts a new one.
    @discardableResult
    package func reset() -> SessionSnapshot? { change { $0.reset(at: $1, makeID: makeID) } }

    /// Forgets the session, and neither stores nor reports one from now on. The stored one is left to the caller.
    package func forget() {
        state.withLock { state in
            state.session = nil
            state.actions = SerialWorkQueue()
            state.isForgotten = true
        }
        onDeadline(nil)
    }

    /// Changes the state, performs what follows, and returns the session after the change.
    @discardableResult
    private func change(_ change: (inout SessionState, SessionTime) -> [SessionAction]) -> SessionSnapshot? {
        let (isMine, session) = state.withLock { state -> (Bool, SessionSnapshot?) in
            guard var session = state.session else { return (false, nil) }
            let now = now()
            let actions = change(&session, now)
            state.session = session
            onDeadline(session.deadline(at: now))
            return (state.actions.add(actions), session.current)
        }
        if isMine { perform() }
        return session
    }

    /// Performs pending actions, one thread at a time: of two sessions that start concurrently, the later one must win.
    private func perform() {
        while let action = state.withLock({ $0.actions.next() }) {
            if case .persist(let session) = action { save(session) } else { onChange(action) }
        }
    }

    private func save(_ session: SavedSession) {
        storage.save(session)
        // The code that forgot it may have deleted the file before it was written.
        if state.withLock({ $0.isForgotten }) { storage.remove() }
    }
}
