import AstrolabeTelemetryModel
import ConsoleModel

/// The sessions of traces that have records without a session of their own, such as those of a backend.
///
/// Kept between queries: a large store has many, and few change. It belongs to one actor, which must not call it twice
/// at the same time.
final class TraceSessions {
    /// The largest number of traces, the newest.
    private static let limit = 2_000_000

    private(set) var sessions: [TraceID: String] = [:]
    private var through: Int64 = 0
    /// The names of sessions, so that each is in memory once.
    private var names: Set<String> = []

    func update(from store: any ArrivalSource, isolation: isolated any Actor) async throws {
        // Traces that retention has removed are forgotten when there are too many.
        if sessions.count >= Self.limit { (sessions, names, through) = ([:], [], 0) }
        let changes = try await store.sessionsOfTraces(changedAfter: through, limit: Self.limit)
        for (trace, session) in changes.sessions { sessions[trace] = names.insert(session).memberAfterInsert }
        through = changes.through
    }
}
