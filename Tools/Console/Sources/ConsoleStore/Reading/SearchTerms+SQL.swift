import AstrolabeTelemetryModel
import ConsoleModel

extension SearchTerms.Term {
    /// Returns an SQL condition that is true if one of `columns` matches, and its arguments.
    func condition(_ columns: [String]) -> (sql: String, arguments: [String]) {
        var parts: [String] = []
        var arguments: [String] = []
        for pattern in patterns {
            for column in columns {
                parts.append("\(column) LIKE ? ESCAPE '\\'")
                arguments.append(pattern)
            }
        }
        return ("(" + parts.joined(separator: " OR ") + ")", arguments)
    }

    /// The condition on spans with the alias `s`, of the resource `r` and the scope `c`.
    var ofSpans: (sql: String, arguments: [String]) {
        condition(["s.name", "s.attributes", "s.more", "r.attributes", "c.attributes"])
    }

    /// The condition on log records with the alias `l`. The span of a record may not have arrived.
    var ofLogs: (sql: String, arguments: [String]) {
        let texts = condition(["l.name", "l.body", "l.attributes"])
        guard let span = id?.span else { return texts }
        return ("(\(texts.sql) OR l.span = \(Int64(bitPattern: span.value)))", texts.arguments)
    }
}
