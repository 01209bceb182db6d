import AstrolabeSemantics
package import ConsoleModel
import ConsoleStore

extension ClickHouseStore {
    private struct Candidate: Sendable {
        let id: String
        let start: Int64
        let records: Int
    }

    /// Returns sessions, newest first.
    ///
    /// A page has fewer sessions than its limit if they have more records than one page may read.
    package func sessions(_ query: SessionQuery) async throws(StoreError) -> Page<SessionSummary> {
        let limit = min(max(query.limit, 1), 200)
        let records = try await recordsByWord(query.text)
        var candidates = try await candidates(query, records, limit: limit + 1)
        if candidates.isEmpty, !records.isEmpty {
            candidates = try await self.candidates(query, [:], limit: limit + 1)
        }
        var shown: [Candidate] = []
        var size = 0
        for candidate in candidates.prefix(limit) {
            size += candidate.records
            if size > Self.recordLimit, !shown.isEmpty { break }
            shown.append(candidate)
        }
        let ids = shown.map(\.id)
        let found = try await withReplays(
            try await excerpt({ Self.condition(sessions: ids, in: &$0) }) { store in
                try await store.sessions(SessionQuery(limit: 200)).elements
            })
        let summaries = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
        let next = shown.count < candidates.count ? shown.last.map { TimeCursor(time: $0.start, id: $0.id).text } : nil
        return Page(
            elements: ids.compactMap { summaries[$0] }, next: next, isComplete: true, cursor: cursorOfNow)
    }

    package func session(_ id: String) async throws(StoreError) -> SessionSummary? {
        let found = try await excerpt({ Self.condition(sessions: [id], in: &$0) }) { try await $0.session(id) }
        return try await withReplays([found].compactMap(\.self)).first
    }

    /// Adds whether the sessions have replay frames, which a page of records leaves out.
    private func withReplays(_ sessions: [SessionSummary]) async throws(StoreError) -> [SessionSummary] {
        guard !sessions.isEmpty else { return [] }
        var statement = Statement()
        let ids = sessions.map { statement.bind($0.id) }.joined(separator: ", ")
        statement.text = """
            SELECT DISTINCT \(RecordSource.session(attributes: "LogAttributes")) AS session \
            FROM \(OTelTable.logs.rawValue) WHERE EventName = '\(EventName.replay)' AND session IN (\(ids))
            """
        let asked = statement
        let replayed = try await asking { Set(try await self.client.rows(asked) { try $0.string() }) }
        return sessions.map { session in
            var session = session
            session.hasReplay = replayed.contains(session.id)
            return session
        }
    }

    /// - Parameter found: The records of the words that are ids. They are shown whenever they were.
    private func candidates(
        _ query: SessionQuery, _ found: [String: [FoundRecord]], limit: Int,
    ) async throws(StoreError) -> [Candidate] {
        var statement = Statement()
        let source = RecordSource.sessions(configuration.milestones, in: &statement)
        var conditions = ["true"]
        if query.onlyWithErrors { conditions.append("(errors > 0 OR crashes > 0)") }
        switch query.promotion {
        case nil: break
        case .absent?: conditions.append("empty(triggers)")
        case .any?: conditions.append("notEmpty(triggers)")
        case .by(let trigger)?: conditions.append("has(triggers, \(statement.bind(trigger)))")
        }
        if let service = query.service { conditions.append("ServiceName = \(statement.bind(service))") }
        if let device = query.device {
            let key = AttributeKey.appInstallationID
            conditions.append("ResourceAttributes['\(key)'] = \(statement.bind(device))")
        }
        if let times = query.times, found.isEmpty {
            conditions.append(
                "start >= \(statement.bind(times.lowerBound)) AND start < \(statement.bind(times.upperBound))")
        }
        for word in SearchTerms.words(query.text).prefix(SearchTerms.countLimit) {
            if let records = found[word] {
                conditions.append(Self.isOf(records, in: .sessions, &statement))
                continue
            }
            let spans = Self.contains(word, "SpanName", "SpanAttributes", &statement)
            let logs = Self.contains(word, "concat(EventName, '\\n', Body)", "LogAttributes", &statement)
            let resource = Self.contains(word, "session", "ResourceAttributes", &statement)
            conditions.append(
                """
                (\(resource) OR session IN (SELECT \(RecordSource.session(attributes: "SpanAttributes")) \
                FROM otel_traces WHERE \(spans)) OR session IN (SELECT \
                \(RecordSource.session(attributes: "LogAttributes")) FROM otel_logs WHERE \(logs)))
                """)
        }
        if let cursor = TimeCursor(query.cursor) {
            conditions.append("(start, session) < (\(statement.bind(cursor.time)), \(statement.bind(cursor.id)))")
        }
        statement.text = """
            WITH \(SQLValue.functions.joined(separator: ", ")) \
            SELECT session, toInt64(start), toUInt64(spans + events) FROM \(source.table("true")) AS found \
            WHERE \(conditions.joined(separator: " AND ")) ORDER BY start DESC, session DESC LIMIT \(limit)
            """
        let asked = statement
        return try await asking {
            try await self.client.rows(asked) { reader in
                Candidate(
                    id: try reader.string(), start: try reader.integer(),
                    records: Int(clamping: try reader.integer(UInt64.self)))
            }
        }
    }
}
