import AstrolabeTelemetryModel
import ConsoleStore
import TelemetryQuery

/// Answers the fields `session.…` of one query from what the store keeps of each session.
///
/// It holds the values that the query asks for and no others, because a store has many sessions. A name that is not one
/// of a fact is an attribute of the session's resource, such as `session.os.version`.
struct SessionFacts: RelatedRecords {
    /// The largest number of sessions, the newest.
    static let limit = 200_000
    /// The largest number of traces, the newest.
    static let traceLimit = 500_000
    /// The number of sessions that one read of the store returns.
    private static let page = 5_000

    /// The fields that are not attributes of the resource.
    static let names = [
        "crashed", "crashes", "errors", "spans", "events", "requests", "failed_requests", "screens", "start",
        "duration",
    ]
    /// The fields that are `true` or `false`.
    static let flags: Set<String> = ["crashed"]

    private typealias Values = [String: QueryValue]

    private var sessions: [String: Int64] = [:]
    private var values: [Int64: Values] = [:]
    /// The session of a trace, for records without a session of their own.
    private let traces: [TraceID: Int64]

    init(_ fields: Set<String>, in store: TelemetryStore) async throws {
        traces = try await store.sessionsOfTraces(limit: Self.traceLimit)
        var last = Int64.max
        while sessions.count < Self.limit {
            try Task.checkCancellation()
            let stored = try await store.storedSessions(before: last, limit: Self.page)
            var resources: [Int64: Values] = [:]
            for session in stored.sessions {
                last = session.id
                var own: Values = [:]
                for field in fields {
                    if let fact = Self.fact(field, of: session) {
                        own[field] = fact
                    } else if let origin = stored.origins[session.origin] {
                        let resource = resources[origin.id] ?? QueryRecord.resourceFields(origin)
                        resources[origin.id] = resource
                        let names = FieldNames.columns(for: "resource." + field)
                        own[field] = names.lazy.compactMap { resource[$0] }.first
                    }
                }
                sessions[session.name] = session.id
                values[session.id] = own
            }
            if stored.sessions.count < Self.page { break }
        }
    }

    func values(of field: String, in relation: Relation, key: String) -> [QueryValue] {
        guard relation == .session, let session = sessions[key] ?? TraceID(hex: key).flatMap({ traces[$0] }),
            let value = values[session]?[field]
        else { return [] }
        return [value]
    }

    private static func fact(_ field: String, of session: StoredSession) -> QueryValue? {
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
    }
}
