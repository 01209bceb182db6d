package import AstrolabeTelemetryModel
import GRDB

/// Which traces to list.
package struct TraceQuery: Sendable, Hashable {
    /// Words that must all be found in a trace's spans or events; or a trace id.
    package var text = ""
    package var service: String?
    package var onlyWithErrors = false
    package var cursor: String?
    /// 1 to 200.
    package var limit = 50

    package init(text: String = "", service: String? = nil, onlyWithErrors: Bool = false, limit: Int = 50) {
        self.text = text
        self.service = service
        self.onlyWithErrors = onlyWithErrors
        self.limit = limit
    }
}

extension TelemetryStore {
    /// Traces, newest first.
    package func traces(_ query: TraceQuery = TraceQuery()) async throws(StoreError) -> Page<TraceSummary> {
        try await read { database in
            try TraceReader(database: database).page(query)
        }
    }

    /// A trace with its spans and events; `nil` where nothing of it is known.
    ///
    /// At most `spanLimit` spans, the earliest first, and as many events.
    package func trace(_ id: TraceID, spanLimit: Int = 20_000) async throws(StoreError) -> TraceDetail? {
        try await read { database in
            try TraceReader(database: database).detail(id, spanLimit: spanLimit)
        }
    }

    /// The services that have sent spans of a trace so far, sorted.
    package func services(inTrace id: TraceID) async throws(StoreError) -> [String] {
        try await read { database in
            let reader = TraceReader(database: database)
            return try reader.number(id).map(reader.services) ?? []
        }
    }

    /// Spans that carry an attribute with exactly that value, those that arrived last first: the way from an order to
    /// its trace.
    ///
    ///     let spans = try await store.spans(where: "demo.order.id", equals: .string(order.id))
    ///
    /// Reads spans backwards until `limit` are found, so a rare value costs a pass over all of them.
    package func spans(
        where key: String, equals value: AttributeValue, limit: Int = 20,
    ) async throws(StoreError) -> [SpanRecord] {
        var fragment = JSONText()
        fragment.append(key)
        fragment.append(raw: ":")
        fragment.append(value)
        let wanted = fragment.string
        return try await read { database in
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT \(SpanColumns.sql) FROM spans s CROSS JOIN traces t ON t.id = s.trace
                    WHERE instr(s.attributes, ?) > 0 ORDER BY s.seq DESC
                    """,
                arguments: [wanted],
            )
            var found: [SpanRecord] = []
            while found.count < limit, let row = try rows.next() {
                let span = SpanRecord(row)
                // The text may also stand within a nested value.
                if span.attributes[key] == value { found.append(span) }
            }
            return found
        }
    }
}
