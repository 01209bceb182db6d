package import AstrolabeTelemetryModel

/// The records that an export has: those that fulfil all of these conditions.
package struct ExportFilter: Sendable, Hashable {
    /// The times at which records start, in nanoseconds since 1970.
    package var times: Range<Int64>?
    /// The value of `service.name`.
    package var service: String?
    /// The value of `session.id`. Records without one that belong to a trace of the session are included.
    package var session: String?
    /// Metric points and replay frames belong to no trace.
    package var trace: TraceID?

    package init() {}
}

/// The columns of a table that filters read.
struct ExportColumns {
    let time: String
    let resource: String
    let session: String
    /// `nil` if the records belong to no trace.
    let trace: String?
}

extension ExportFilter {
    /// Returns SQL that continues a WHERE clause.
    func condition(_ columns: ExportColumns) -> String {
        var sql = ""
        if times != nil { sql += " AND \(columns.time) >= :from AND \(columns.time) < :to" }
        if service != nil {
            sql += " AND \(columns.resource) IN (SELECT id FROM resources WHERE service = :service)"
        }
        if session != nil {
            let own = "\(columns.session) = (SELECT id FROM sessions WHERE name = :session)"
            let shared = columns.trace.map { trace in
                """
                \(columns.session) = 0 AND \(trace) IN (SELECT trace FROM session_traces
                    WHERE session = (SELECT id FROM sessions WHERE name = :session))
                """
            }
            sql += " AND (\(own)\(shared.map { " OR \($0)" } ?? ""))"
        }
        if trace != nil {
            sql +=
                columns.trace.map { " AND \($0) = (SELECT id FROM traces WHERE high = :high AND low = :low)" }
                ?? " AND FALSE"
        }
        return sql
    }

    var arguments: QueryArguments {
        [
            "from": times?.lowerBound, "to": times?.upperBound, "service": service, "session": session,
            "high": trace.map { Int64(bitPattern: $0.high) }, "low": trace.map { Int64(bitPattern: $0.low) },
        ]
    }
}
