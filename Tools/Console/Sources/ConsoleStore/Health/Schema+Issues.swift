import AstrolabeSemantics
import ConsoleModel

extension Schema {
    /// Returns an SQL condition for health events in `logs` with the alias `table`.
    ///
    /// A query must use exactly this condition so that SQLite uses the index.
    static func isHealth(_ table: String) -> String { "\(table).\(isHealth)" }

    private static let isHealth = {
        let names = ([EventName.appJank] + IssueKind.allCases.map(\.eventName)).map { "'\($0)'" }
        return "name IN (\(names.joined(separator: ", ")))"
    }()

    /// Returns SQL for the app version of a log record.
    ///
    /// A record about a previous run names the version of that run, which may differ from the resource's version.
    static func version(log: String, resource: String) -> String {
        let key = AttributeKey.serviceVersion
        return "ifnull(ifnull(\(text(key, in: "\(log).attributes")), \(version(resource: resource))), '')"
    }

    static func version(resource: String) -> String {
        text(AttributeKey.serviceVersion, in: "\(resource).attributes")
    }

    /// Returns SQL for the text of an attribute. An attribute of another type is absent, as in ``DeviceFacts``.
    static func text(_ key: String, in column: String) -> String {
        #"CASE json_type(\#(column), '$."\#(key)"') WHEN 'text' THEN json_extract(\#(column), '$."\#(key)"') END"#
    }

    /// Returns SQL for the number of an attribute as a real number. An attribute of another type is absent.
    static func number(_ key: String, in column: String) -> String {
        let value = #"json_extract(\#(column), '$."\#(key)"')"#
        return
            #"CASE WHEN json_type(\#(column), '$."\#(key)"') IN ('integer', 'real') THEN CAST(\#(value) AS REAL) END"#
    }

    /// The statements that upgrade version 2 to 3: crashes and hangs by cause.
    ///
    /// A row of `crashes and hangs` is created from the log record with the same `seq` when its stacks are
    /// symbolicated. It is removed with the record.
    static let additionsOfVersion3: [String] = [
        "CREATE INDEX logs_of_health ON logs (name, seq) WHERE \(isHealth)",
        """
        CREATE TABLE problems (
            seq INTEGER PRIMARY KEY, kind INTEGER NOT NULL, fingerprint TEXT NOT NULL, title TEXT NOT NULL,
            place TEXT NOT NULL, wanted TEXT NOT NULL, time INTEGER NOT NULL, session INTEGER NOT NULL,
            installation TEXT NOT NULL, version TEXT NOT NULL, screen TEXT NOT NULL, duration REAL)
        """,
        "CREATE INDEX problems_by_group ON problems (fingerprint, time)",
        "CREATE INDEX problems_that_want ON problems (seq) WHERE wanted <> '[]'",
    ]
}
