import AstrolabePlatform

/// The number of times that each error of the session was kept although its trace was sampled out.
///
/// An error that repeats, such as a request that gets a 404 each time, would otherwise fill the device with records of
/// high priority. Reached by failures alone.
final class RepeatedErrors: Sendable {
    private struct State {
        var session = ""
        var counts: [String: Int] = [:]
        var total = 0
    }

    /// The most spans that are kept of one error in a session.
    static let limit = 20
    /// The most that are kept of all.
    static let totalLimit = 1_000

    private let state = Locked(State())

    /// Counts a span that failed, and returns whether it is to be kept.
    ///
    /// - Parameters:
    ///   - error: What tells errors apart. Compared by its first 128 bytes.
    ///   - session: The current session's id; without one, as in a server, all are kept.
    func admits(_ error: String, in session: String) -> Bool {
        guard !session.isEmpty else { return true }
        let error = error.truncated(toUTF8: 128)
        return state.withLock { state in
            if state.session != session { state = State(session: session) }
            guard state.total < Self.totalLimit, state.counts[error, default: 0] < Self.limit else { return false }
            state.counts[error, default: 0] += 1
            state.total += 1
            return true
        }
    }
}
