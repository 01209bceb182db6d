public import AstrolabeSessions

/// The app's view of the current session.
public struct SessionHandle: Sendable {
    let tracker: SessionTracker?

    /// The session that records are attributed to now. Reading it does not extend it. `nil` where the SDK
    /// is disabled or has no sessions.
    public var current: SessionSnapshot? { tracker?.current }

    /// The person did something: extends the session, or begins a new one where a limit has passed.
    public func recordUserActivity() {
        tracker?.recordActivity()
    }

    /// Ends the session and begins another, as after an order or a sign-out.
    @discardableResult
    public func reset() -> SessionSnapshot? {
        tracker?.reset()
    }
}
