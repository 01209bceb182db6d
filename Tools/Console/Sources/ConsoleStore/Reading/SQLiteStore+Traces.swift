package import AstrolabeTelemetryModel
package import ConsoleModel

extension SQLiteStore {
    /// Returns traces, newest first.
    package func traces(_ query: TraceQuery = TraceQuery()) async throws(StoreError) -> Page<TraceSummary> {
        try await search(.traces, query) { database, query, entries, limit in
            try TraceReader(database: database).page(query, among: entries, within: limit)
        }
    }

    /// Returns a trace with its spans and events; `nil` if it is not known.
    ///
    /// Returns at most `spanLimit` spans, earliest first, and as many events.
    package func trace(_ id: TraceID, spanLimit: Int = 20_000) async throws(StoreError) -> TraceDetail? {
        try await read { database in
            try TraceReader(database: database).detail(id, spanLimit: spanLimit)
        }
    }

    /// Returns the services that have sent spans of a trace, sorted.
    package func services(inTrace id: TraceID) async throws(StoreError) -> [String] {
        try await read { database in
            let reader = TraceReader(database: database)
            return try reader.number(id).map(reader.services) ?? []
        }
    }

    /// Returns spans with an attribute value, latest arrivals first, for example to find the trace of an order.
    ///
    ///     let spans = try await store.spans(where: "demo.order.id", equals: .string(order.id))
    ///
    /// Reads spans backwards until `limit` matches are found. A rare value therefore reads all spans.
    package func spans(
        where key: String, equals value: AttributeValue, limit: Int = 20,
    ) async throws(StoreError) -> [SpanRecord] {
        var fragment = JSONText()
        fragment.append(key)
        fragment.append(raw: ":")
        fragment.append(value)
        let wanted = fragment.string
        return try await read { database in
            var found: [SpanRecord] = []
            try database.forEachRow(
                """
                SELECT \(SpanColumns.sql) FROM spans s CROSS JOIN traces t ON t.id = s.trace
                WHERE instr(s.attributes, ?) > 0 ORDER BY s.seq DESC
                """,
                [wanted],
            ) { row in
                guard found.count < limit else { return false }
                let span = SpanRecord(row)
                // The text may also occur in a nested value.
                if span.attributes[key] == value { found.append(span) }
                return true
            }
            return found
        }
    }
}
