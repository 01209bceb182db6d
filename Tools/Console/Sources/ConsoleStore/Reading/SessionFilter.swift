import AstrolabeTelemetryModel
import ConsoleModel

/// Decides whether a session matches the words of a search and a service.
struct SessionFilter {
    private let checks: [Check]

    /// A statement whose first argument, and every `:session`, is the session's number.
    private struct Check {
        let statement: PreparedQuery
        let arguments: [String]
    }

    init(_ terms: [SearchTerms.Term], service: String?, _ database: QueryConnection) throws {
        var checks: [Check] = []
        if let service {
            let sql = """
                WITH own(id) AS (VALUES (?1)), wanted(id) AS (SELECT id FROM resources WHERE service = ?2)
                SELECT EXISTS (
                    SELECT 1 FROM own CROSS JOIN session_traces st ON st.session = own.id
                    CROSS JOIN spans s ON s.trace = st.trace
                    WHERE s.session IN (0, own.id) AND s.resource IN (SELECT id FROM wanted))
                OR EXISTS (SELECT 1 FROM logs, own WHERE logs.session = own.id AND logs.session <> 0
                    AND logs.resource IN (SELECT id FROM wanted))
                """
            checks.append(Check(statement: try database.prepare(sql), arguments: [service]))
        }
        for term in terms { checks.append(try Self.check(term, database)) }
        self.checks = checks
    }

    var acceptsEverything: Bool { checks.isEmpty }

    func accepts(session: Int64) throws -> Bool {
        try checks.allSatisfy { check in
            try check.statement.isTrue(QueryArguments([session] + check.arguments.map { $0 as any QueryArgument }))
        }
    }

    private static func check(_ term: SearchTerms.Term, _ database: QueryConnection) throws -> Check {
        let own = term.condition(["x.name", "r.attributes"])
        let spans = term.condition(["s.name", "s.attributes", "s.more"])
        let logs = term.ofLogs
        let arguments = own.arguments + spans.arguments + logs.arguments + logs.arguments
        let sql = """
            WITH own(id) AS (VALUES (?))
            SELECT EXISTS (SELECT 1 FROM own JOIN sessions x ON x.id = own.id
                LEFT JOIN resources r ON r.id = x.resource WHERE \(own.sql))
            OR EXISTS (SELECT 1 FROM own CROSS JOIN session_traces st ON st.session = own.id
                CROSS JOIN spans s ON s.trace = st.trace WHERE s.session IN (0, own.id) AND \(spans.sql))
            OR EXISTS (SELECT 1 FROM own CROSS JOIN logs l ON l.session = own.id AND l.session <> 0
                WHERE \(logs.sql))
            OR EXISTS (SELECT 1 FROM own CROSS JOIN session_traces st ON st.session = own.id
                CROSS JOIN logs l ON l.trace = st.trace AND l.trace <> 0 WHERE l.session = 0 AND \(logs.sql))
            """
        return Check(statement: try database.prepare(sql), arguments: arguments)
    }
}
