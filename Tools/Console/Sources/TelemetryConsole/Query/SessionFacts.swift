import AstrolabeTelemetryModel
import ConsoleModel
import TelemetryQuery

/// Looks up the fields of related records for one query.
struct RelatedFields: RelatedRecords {
    var sessions: SessionFacts?
    var spans: SpanRelations?

    func values(of field: String, in relation: Relation, key: String) -> [QueryValue] {
        switch relation {
        case .session: sessions?.values(of: field, in: relation, key: key) ?? []
        case .root, .parent, .any: spans?.values(of: field, in: relation, key: key) ?? []
        }
    }
}

/// Answers the fields `session.…` of one query from the dataset `sessions`.
///
/// It holds the values that the query asks for and no others, because a store has many sessions. A name that is not one
/// of a fact is an attribute of the session's resource, such as `session.os.version`.
struct SessionFacts: RelatedRecords {
    private let sessions: FieldTable
    /// The session of a trace, for records without a session of their own.
    private let traces: [TraceID: String]

    /// - Parameters:
    ///   - sessions: The columns of the dataset.
    ///   - traces: The session of each trace that has records without a session.
    init(_ fields: Set<String>, of sessions: [Segment], traces: [TraceID: String]) {
        self.sessions = FieldTable(sessions, of: .sessions, key: "session.id", fields: fields)
        self.traces = traces
    }

    func values(of field: String, in relation: Relation, key: String) -> [QueryValue] {
        guard relation == .session else { return [] }
        let value =
            sessions.value(of: field, forKey: key)
            ?? TraceID(hex: key).flatMap { traces[$0] }.flatMap { sessions.value(of: field, forKey: $0) }
        return value.map { [$0] } ?? []
    }
}
