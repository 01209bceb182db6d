import AstrolabePlatform

/// Performs the actions of `SessionState`: stores the session and notifies one listener.
package final class SessionTracker: Sendable {
    private struct State {
        var session: SessionState
        /// Pending actions in order.
        var actions = SerialWorkQueue<SessionAction>()
    }

    private let state: Locked<State>
    private let storage: SessionStorage
    private let now: @Sendable () -> UInt64
    private let makeID: @Sendable () -> String
    private let onChange: @Sendable (SessionAction) -> Void

    /// Resumes the stored session or starts a new one, and reports it to `onChange` before returning.
    ///
    /// - Parameter onChange: Called with each end and start, one at a time and in order. Called on the thread that
    ///   caused them or on one that is already calling.
    package init(
        storage: SessionStorage, limits: SessionLimits = SessionLimits(), now: @escaping @Sendable () -> UInt64,
        makeID: @escaping @Sendable () -> String, onChange: @escaping @Sendable (SessionAction) -> Void,
    ) {
        let (initial, actions) = SessionState.launch(stored: storage.load(), at: now(), limits: limits, makeID: makeID)
        state = Locked(State(session: initial))
        self.storage = storage
        self.now = now
        self.makeID = makeID
        self.onChange = onChange
        if state.withLock({ $0.actions.add(actions) }) { perform() }
    }

    /// The current session. Reading it does not count as activity.
    package var current: SessionSnapshot { state.withLock { $0.session.current } }

    /// Records an activity of the user: a tap, a screen, or the app becoming active.
    package func recordActivity() {
        let isMine = state.withLock { $0.actions.add($0.session.activity(at: now(), makeID: makeID)) }
        if isMine { perform() }
    }

    /// Ends the session and starts a new one.
    @discardableResult
    package func reset() -> SessionSnapshot {
        let (isMine, session) = state.withLock { state in
            (state.actions.add(state.session.reset(at: now(), makeID: makeID)), state.session.current)
        }
        if isMine { perform() }
        return session
    }

    /// Performs pending actions, one thread at a time: of two sessions that start concurrently, the later one must win.
    private func perform() {
        while let action = state.withLock({ $0.actions.next() }) {
            if case .persist(let session) = action { storage.save(session) } else { onChange(action) }
        }
    }
}
