import AstrolabeSemantics
import TelemetryQuery

/// The joins that give records the fields of their related records.
enum RelatedSQL {
    /// Returns one join for each relation that the query asks for, and for sessions one more, that of their traces.
    ///
    /// - Parameter near: A condition on `Timestamp` that all related records fulfil.
    static func joins(
        _ translator: inout QueryTranslator, near: (inout Statement) -> String,
    ) throws(QueryError) -> String {
        var joins = ""
        for relation in Relation.allCases {
            let fields = translator.related.enumerated().filter { $0.element.relation == relation }
            guard !fields.isEmpty else { continue }
            let near = near(&translator.statement)
            let columns = fields.map { ", \(column(relation, $0.element.value)) AS r\($0.offset)" }.joined()
            let key: String
            switch relation {
            case .session:
                let own = try translator.column(of: AttributeKey.sessionID)
                let trace = try translator.column(of: "trace.id")
                joins += join(sessionsOfTraces(near), on: trace, as: "trace_session")
                key = "coalesce(\(own.type == nil ? "NULL" : own.sql), trace_session_of.name)"
                joins += join(
                    "SELECT session AS key\(columns) FROM \(translator.sessions.table(near))",
                    on: SQLValue(sql: key, type: .text), as: "session")
            case .root, .any:
                let selection = "\(near) AND TraceId != '' GROUP BY TraceId"
                joins += try join(
                    "SELECT TraceId AS key\(columns) FROM \(OTelTable.traces.rawValue) WHERE \(selection)",
                    on: translator.column(of: "trace.id"), as: relation.rawValue)
            case .parent:
                let selection = "\(near) AND SpanId != '' GROUP BY SpanId"
                joins += try join(
                    "SELECT SpanId AS key\(columns) FROM \(OTelTable.traces.rawValue) WHERE \(selection)",
                    on: translator.column(of: "parent.id"), as: relation.rawValue)
            }
        }
        return joins
    }

    private static func join(_ table: String, on key: SQLValue, as name: String) -> String {
        let key = key.type == nil ? "CAST(NULL AS Nullable(String))" : key.sql
        return " LEFT ANY JOIN (\(table)) AS \(name)_of ON \(key) = \(name)_of.key"
    }

    private static func column(_ relation: Relation, _ value: SQLValue) -> String {
        switch relation {
        case .session: value.sql
        // The earliest without a parent, or else the earliest.
        case .root: "argMin(tuple(\(value.sql)), (ParentSpanId != '', Timestamp)).1"
        case .parent: "any(tuple(\(value.sql))).1"
        case .any: "groupUniqArray(\(value.sql))"
        }
    }

    /// The session of each trace that has a record with one. Of several, it is the first by name.
    static func sessionsOfTraces(_ near: String) -> String {
        "SELECT TraceId AS key, min(session) AS name FROM (\(sessionsInTraces(near))) GROUP BY key"
    }

    /// The traces and sessions of the records that name a session.
    static func sessionsInTraces(_ near: String) -> String {
        [(OTelTable.traces, "SpanAttributes", "true"), (.logs, "LogAttributes", RecordSource.isEvent)]
            .map { table, attributes, condition in
                "SELECT TraceId, \(RecordSource.session(attributes: attributes)) AS session FROM \(table.rawValue) "
                    + "WHERE \(near) AND TraceId != '' AND session != '' AND \(condition)"
            }.joined(separator: " UNION ALL ")
    }
}
