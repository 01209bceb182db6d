import Platform

/// Performs what `SessionState` decides: keeps the session and tells one listener.
package final class SessionTracker: Sendable {
    private let state: Guarded<SessionState>
    private let storage: SessionStorage
    private let now: @Sendable () -> UInt64
    private let makeID: @Sendable () -> String
    private let onChange: @Sendable (SessionAction) -> Void

    /// Resumes the stored session or starts one, and reports that to `onChange` before it returns.
    ///
    /// - Parameter onChange: Called with each end and start, in their order, by the thread that caused them.
    package init(
        storage: SessionStorage, limits: SessionLimits = SessionLimits(), now: @escaping @Sendable () -> UInt64,
        makeID: @escaping @Sendable () -> String, onChange: @escaping @Sendable (SessionAction) -> Void,
    ) {
        let (initial, actions) = SessionState.launch(stored: storage.load(), at: now(), limits: limits, makeID: makeID)
        state = Guarded(initial)
        self.storage = storage
        self.now = now
        self.makeID = makeID
        self.onChange = onChange
        perform(actions)
    }

    /// The current session. Reading it is no activity.
    package var current: Session { state.withLock { $0.current } }

    /// The person did something: a tap, a screen, the app becoming active.
    package func recordActivity() {
        perform(state.withLock { $0.activity(at: now(), makeID: makeID) })
    }

    /// Ends the session and starts another.
    @discardableResult
    package func reset() -> Session {
        let (actions, session) = state.withLock { state in
            (state.reset(at: now(), makeID: makeID), state.current)
        }
        perform(actions)
        return session
    }

    private func perform(_ actions: [SessionAction]) {
        for action in actions {
            if case .persist(let session) = action { storage.save(session) } else { onChange(action) }
        }
    }
}
