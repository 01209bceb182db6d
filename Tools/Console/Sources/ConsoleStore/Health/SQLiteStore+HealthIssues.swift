import AstrolabeSemantics
package import ConsoleModel
import GRDB

extension SQLiteStore {
    /// Returns issues of one kind: the crash that happened most often first, the hang that took the most time first.
    ///
    /// Of equal ones, that with the most recent crash or hang comes first.
    package func issues(_ query: IssueQuery) async throws(StoreError) -> [HealthIssue] {
        let now = configuration.now()
        return try await read { database in
            try IssueReader(database: database, now: now).issues(query)
        }
    }

    package func issue(_ fingerprint: String) async throws(StoreError) -> HealthIssue? {
        let now = configuration.now()
        return try await read { database in
            try IssueReader(database: database, now: now).issue(fingerprint)
        }
    }

    /// Returns the crashes and hangs of an issue, newest first.
    ///
    /// - Parameter limit: The maximum number of crashes and hangs, 1 to 500.
    package func issueEvents(of fingerprint: String, limit: Int = 100) async throws(StoreError) -> [IssueEventSummary] {
        let now = configuration.now()
        return try await read { database in
            try IssueReader(database: database, now: now).issueEvents(
                of: fingerprint, limit: min(max(limit, 1), 500))
        }
    }

    /// Returns the crash or hang with the sequence number of its log record.
    package func issueEvent(_ seq: Int64) async throws(StoreError) -> IssueEvent? {
        try await read { database in try database.issueEvents("l.seq = ?", [seq]).first }
    }

    /// Returns crashes and hangs that are not indexed yet, oldest first.
    ///
    /// - Parameter limit: The maximum number of crashes and hangs, 1 to 500.
    package func unindexedIssueEvents(limit: Int = 100) async throws(StoreError) -> [IssueEvent] {
        try await read { database in
            try database.issueEvents(
                "NOT EXISTS (SELECT 1 FROM problems p WHERE p.seq = l.seq) ORDER BY l.seq LIMIT ?",
                [min(max(limit, 1), 500)],
            )
        }
    }

    /// Returns the build IDs of indexed crashes and hangs for which symbols are missing.
    package func wantedBuilds() async throws(StoreError) -> Set<String> {
        try await read { database in
            try Set(
                database.texts(
                    "SELECT DISTINCT j.value FROM problems p, json_each(p.wanted) j WHERE p.wanted <> '[]' LIMIT 10000"
                )
            )
        }
    }

    /// Removes crashes and hangs with these missing builds from the index, so that they are symbolicated again.
    package func reindexIssueEvents(wanting builds: Set<String>) async throws(StoreError) {
        try await maintain { database in
            for build in builds {
                try database.execute(
                    sql: """
                        DELETE FROM problems WHERE wanted <> '[]'
                            AND EXISTS (SELECT 1 FROM json_each(problems.wanted) j WHERE j.value = ?)
                        """,
                    arguments: [build],
                )
            }
        }
    }

    /// Adds crashes and hangs to the index. Crashes and hangs that are indexed already, or that retention removed, are
    /// ignored.
    package func file(_ findings: [IssueFingerprint]) async throws(StoreError) {
        guard !findings.isEmpty else { return }
        try await maintain { database in
            try database.inTransaction(.immediate) {
                for finding in findings { try database.file(finding) }
                return .commit
            }
        }
    }
}

extension QueryConnection {
    fileprivate func issueEvents(_ condition: String, _ arguments: QueryArguments) throws -> [IssueEvent] {
        let kinds = IssueKind.allCases.map { "'\($0.eventName)'" }.joined(separator: ", ")
        let rows = try rows(
            """
            SELECT \(EventColumns.sql), s.name FROM logs l LEFT JOIN traces t ON t.id = l.trace
            LEFT JOIN sessions s ON s.id = l.session
            WHERE \(Schema.isHealth("l")) AND l.name IN (\(kinds)) AND \(condition)
            """,
            arguments,
        )
        let events = rows.map { (event: EventRecord($0), session: $0.optionalText(EventColumns.count)) }
        let origins = try origins(events.map(\.event.origin))
        return events.compactMap { event, session in
            guard let kind = IssueKind(eventName: event.name), let origin = origins[event.origin] else { return nil }
            return IssueEvent(kind: kind, event: event, origin: origin, session: session)
        }
    }
}

extension Database {
    fileprivate func file(_ finding: IssueFingerprint) throws {
        var wanted = JSONText()
        wanted.array(finding.wantedBuilds) { $0.append($1) }
        let statement = try cachedStatement(
            sql: """
                INSERT OR REPLACE INTO problems (seq, kind, fingerprint, title, place, wanted, time, session,
                    installation, version, screen, duration)
                SELECT l.seq, ?, ?, ?, ?, ?, l.time, l.session, ifnull(\(Schema.text(AttributeKey.appInstallationID, in: "r.attributes")), ''),
                    \(Schema.version(log: "l", resource: "r")),
                    ifnull(\(Schema.text(AttributeKey.appScreenName, in: "l.attributes")), ''),
                    \(Schema.number(AttributeKey.astrolabeHangDuration, in: "l.attributes"))
                FROM logs l JOIN resources r ON r.id = l.resource WHERE l.seq = ?
                """
        )
        try statement.execute(arguments: [
            finding.kind.rawValue, finding.fingerprint, finding.title, finding.place, wanted.string, finding.seq,
        ])
    }
}
