import AstrolabePlatform

/// Performs what `SessionState` decides: keeps the session and tells one listener.
package final class SessionTracker: Sendable {
    private struct State {
        var session: SessionState
        /// What is still to be done, in the order in which it was decided.
        var actions = SerialWorkQueue<SessionAction>()
    }

    private let state: Locked<State>
    private let storage: SessionStorage
    private let now: @Sendable () -> UInt64
    private let makeID: @Sendable () -> String
    private let onChange: @Sendable (SessionAction) -> Void

    /// Resumes the stored session or starts one, and reports that to `onChange` before it returns.
    ///
    /// - Parameter onChange: Called with each end and start, one at a time and in their order, by the thread that
    ///   caused them or by one that was calling already.
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

    /// The current session. Reading it is no activity.
    package var current: Session { state.withLock { $0.session.current } }

    /// The person did something: a tap, a screen, the app becoming active.
    package func recordActivity() {
        let isMine = state.withLock { $0.actions.add($0.session.activity(at: now(), makeID: makeID)) }
        if isMine { perform() }
    }

    /// Ends the session and starts another.
    @discardableResult
    package func reset() -> Session {
        let (isMine, session) = state.withLock { state in
            (state.actions.add(state.session.reset(at: now(), makeID: makeID)), state.session.current)
        }
        if isMine { perform() }
        return session
    }

    /// One thread at a time: two sessions that begin at once must not leave the earlier one on the records.
    private func perform() {
        while let action = state.withLock({ $0.actions.next() }) {
            if case .persist(let session) = action { storage.save(session) } else { onChange(action) }
        }
    }
}
