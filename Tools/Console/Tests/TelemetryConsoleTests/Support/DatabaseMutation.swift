import GRDB

/// Changes a console's file behind its back.
enum DatabaseMutation {
    /// Puts texts, huge numbers and bytes into columns that expect something else, in two of five rows.
    ///
    /// Keys stay, because they decide what is found, and so does JSON.
    static func spoil(_ path: String) throws {
        let kept: Set<String> = [
            "id", "seq", "high", "low", "span", "trace", "session", "resource", "series", "scope", "lead_seq", "name",
            "fingerprint",
            "recording", "sequence", "service", "attributes", "body", "more", "histogram", "frame", "wanted",
        ]
        let database = try DatabaseQueue(path: path)
        try database.write { database in
            for table in [
                "resources", "traces", "spans", "logs", "points", "series", "sessions", "problems", "replays",
            ] {
                let columns = try String.fetchAll(database, sql: "SELECT name FROM pragma_table_info('\(table)')")
                for (index, column) in columns.enumerated() where !kept.contains(column) {
                    try database.execute(
                        sql: """
                            UPDATE OR IGNORE \(table) SET \(column) = CASE (rowid + \(index)) % 5
                                WHEN 0 THEN 'text' WHEN 1 THEN 1e300 WHEN 2 THEN x'00ff' ELSE \(column) END
                            """
                    )
                }
            }
        }
        try database.close()
    }
}
