import AstrolabeTelemetryModel
import ConsoleStore
import TelemetryQuery

/// Answers `session.…` from what the store keeps of each session.
///
/// A name that is not one of ``names`` is an attribute of the session's resource, such as `session.os.version`.
struct SessionFacts: RelatedRecords {
    /// The largest number of sessions, the newest.
    static let limit = 200_000
    /// The largest number of traces, the newest.
    static let traceLimit = 500_000

    /// The session of a trace, for records without a session of their own.
    private let traces: [TraceID: StoredSession]
    private let sessions: [String: StoredSession]
    private let resources: [Int64: [String: QueryValue]]

    init(_ store: TelemetryStore) async throws {
        let stored = try await store.storedSessions(limit: Self.limit)
        sessions = Dictionary(stored.sessions.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let ids = Dictionary(stored.sessions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        traces = try await store.sessionsOfTraces(limit: Self.traceLimit).compactMapValues { ids[$0] }
        resources = stored.origins.mapValues { QueryRecord.resourceFields($0) }
    }

    func values(of field: String, in relation: Relation, key: String) -> [QueryValue] {
        guard relation == .session, let session = sessions[key] ?? TraceID(hex: key).flatMap({ traces[$0] }) else {
            return []
        }
        let fact: QueryValue? =
            switch field {
            case "crashed": .bool(session.crashes > 0)
            case "crashes": .int(session.crashes)
            case "errors": .int(session.errors)
            case "spans": .int(session.spans)
            case "events": .int(session.events)
            case "requests": .int(session.requests)
            case "failed_requests": .int(session.failedRequests)
            case "screens": .int(session.screens)
            case "start": .int(session.startUnixNano)
            case "duration": .int(max(0, session.endUnixNano.clampedDifference(session.startUnixNano)))
            default: nil
            }
        if let fact { return [fact] }
        guard let resource = resources[session.origin] else { return [] }
        return FieldNames.columns(for: "resource." + field).lazy.compactMap { resource[$0] }.prefix(1).map { $0 }
    }
}
