import AstrolabePlatform

/// The browsers that are signed in. Each has a cookie with a random id, which means nothing to another console.
///
///     let id = sessions.begin(with: key, presented: text)
///     let session = sessions.session(id)      // `nil` after `end`, after ``lifetime`` and after a restart
///
/// A session has the text of its key, in memory only, and admits whom the key admits. So the key's revocation ends it.
package final class BrowserSessions: Sendable {
    /// The time for which a browser stays signed in: 30 days.
    package static let lifetime: Duration = .seconds(30 * 86_400)
    /// The sessions of one key. One more ends the oldest of them.
    static let limit = 100

    package struct Session: Sendable {
        package let key: AccessKey
        /// The key's text, as the browser presented it.
        package let presented: String
        fileprivate let start: ContinuousClock.Instant

        fileprivate func isOver(at moment: ContinuousClock.Instant) -> Bool {
            moment - start >= BrowserSessions.lifetime
        }
    }

    private let sessions = Locked<[String: Session]>([:])

    package init() {}

    /// Begins a session, and returns its id.
    package func begin(
        with key: AccessKey, presented: String, at moment: ContinuousClock.Instant = .now,
    ) -> String {
        let id = KeyText.random()
        sessions.withLock { sessions in
            sessions = sessions.filter { !$0.value.isOver(at: moment) }
            let siblings = sessions.filter { $0.value.key.id == key.id }
            if siblings.count >= Self.limit, let oldest = siblings.min(by: { $0.value.start < $1.value.start }) {
                sessions[oldest.key] = nil
            }
            sessions[id] = Session(key: key, presented: presented, start: moment)
        }
        return id
    }

    /// Returns the session with an id; `nil` if there is none, or if its time is over.
    package func session(_ id: String, at moment: ContinuousClock.Instant = .now) -> Session? {
        guard let session = sessions.withLock({ $0[id] }), !session.isOver(at: moment) else { return nil }
        return session
    }

    /// Ends a session, and returns it.
    @discardableResult
    package func end(_ id: String) -> Session? { sessions.withLock { $0.removeValue(forKey: id) } }
}
