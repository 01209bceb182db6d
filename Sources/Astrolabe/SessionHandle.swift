import AstrolabePlatform
public import AstrolabeSessions

/// The app's view of the current session. It may be kept: it follows the changes of consent.
public struct SessionHandle: Sendable {
    /// The tracker of what runs.
    let running: Locked<SessionTracker?>

    private var tracker: SessionTracker? { running.withLock { $0 } }

    /// The session that records are attributed to now. Reading it does not extend it. `nil` where the SDK
    /// is disabled or has no sessions, and while consent is denied.
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
