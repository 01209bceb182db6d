import AstrolabeTelemetryModel
import ConsoleModel

/// The columns of a span in the order that `SpanRecord` expects. The aliases are `s` for `spans` and `t` for `traces`.
enum SpanColumns {
    static let sql = "\(own), \(Schema.isFailure("s"))"
    static let count = 17
    /// The same without what other spans say of a span. A 0 in its place is a failure that is not known.
    static let own = """
        s.seq, t.high, t.low, s.span, s.parent, s.resource, s.kind, s.category, s.status, s.start, s.duration, s.name, \
        s.attributes, s.more, s.flags, s.scope
        """
    /// The same without texts, for the shape of a trace.
    static let shape = """
        s.seq, 0, 0, s.span, s.parent, s.resource, s.kind, s.category, s.status, s.start, s.duration, '', '', '', 0, \
        s.scope, 0
        """
}

/// The columns of an event. The aliases are `l` for `logs` and `t` for the left-joined `traces`.
enum EventColumns {
    static let sql = """
        l.seq, t.high, t.low, l.span, l.resource, l.category, l.severity, l.time, l.name, l.body, l.attributes, \
        l.observed, l.flags, l.severity_text, l.dropped, l.scope, l.sent
        """
    static let count = 17
}

extension SpanRecord {
    init(_ row: StoredRow) {
        self.init(
            seq: row.integer(0),
            traceID: TraceID(high: row.bits(1), low: row.bits(2)),
            spanID: SpanID(row.bits(3)),
            parentSpanID: SpanID(row.bits(4)),
            origin: row.integer(5),
            kind: row.kind(6),
            category: row.kind(7) ?? .span,
            status: row.kind(8) ?? .unset,
            startUnixNano: row.nanoseconds(9),
            durationNano: row.nanoseconds(10),
            name: row.text(11),
            attributesText: row.text(12),
            detailsText: row.text(13),
            flags: UInt32(clamping: row.integer(14)),
            scope: row.integer(15),
            isFailure: row.isTrue(16),
        )
    }
}

extension EventRecord {
    init(_ row: StoredRow) {
        self.init(
            seq: row.integer(0),
            traceID: TraceID(high: row.bits(1), low: row.bits(2)),
            spanID: SpanID(row.bits(3)),
            origin: row.integer(4),
            category: row.kind(5) ?? .event,
            severity: row.count(6),
            timeUnixNano: row.nanoseconds(7),
            name: row.text(8),
            bodyText: row.text(9),
            attributesText: row.text(10),
            observedUnixNano: row.nanoseconds(11),
            sentUnixNano: row.optionalInteger(16).map { UInt64(clamping: $0) },
            flags: UInt32(clamping: row.integer(12)),
            severityText: row.text(13),
            droppedAttributes: row.count(14),
            scope: row.integer(15),
        )
    }
}

extension QueryConnection {
    /// Returns the origins with these numbers.
    func origins(_ ids: some Sequence<Int64>) throws -> [Int64: Origin] {
        var origins: [Int64: Origin] = [:]
        for id in ids where origins[id] == nil {
            let sql = "SELECT service, lane, attributes, schema_url, dropped FROM resources WHERE id = ?"
            guard let row = try firstRow(sql, [id]) else { continue }
            origins[id] = Origin(
                id: id, service: row.text(0), side: row.kind(1) ?? .backend, attributesText: row.text(2),
                schemaURL: row.text(3), droppedAttributes: row.count(4),
            )
        }
        return origins
    }

    /// Returns the scopes with these numbers.
    func scopes(_ ids: some Sequence<Int64>) throws -> [Int64: Scope] {
        var scopes: [Int64: Scope] = [:]
        for id in ids where scopes[id] == nil {
            let sql = "SELECT name, version, attributes, schema_url, dropped FROM scopes WHERE id = ?"
            guard let row = try firstRow(sql, [id]) else { continue }
            scopes[id] = Scope(
                id: id, name: row.text(0), version: row.text(1), attributesText: row.text(2), schemaURL: row.text(3),
                droppedAttributes: row.count(4),
            )
        }
        return scopes
    }

    /// Returns the number of a name in the table of facts.
    func fact(_ name: String) throws -> Int64? {
        try integer("SELECT value FROM facts WHERE name = ?", [name])
    }

    /// Returns the last sequence number that retention removed.
    func trimmedThrough() throws -> Int64 { try fact("trimmed_through") ?? 0 }

    func lastSeq() throws -> Int64 {
        try integer("SELECT max(last_seq) FROM arrivals") ?? 0
    }

    func sessionNumber(_ name: String) throws -> Int64? {
        try integer("SELECT id FROM sessions WHERE name = ?", [name])
    }

    /// Returns the number of bytes in pages that hold data.
    func usedBytes() throws -> Int64 {
        let pages = try integer("PRAGMA page_count") ?? 0
        let free = try integer("PRAGMA freelist_count") ?? 0
        let size = try integer("PRAGMA page_size") ?? 0
        return (pages - free) * size
    }
}
