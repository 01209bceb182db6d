import AstrolabeTelemetryModel
import GRDB

/// The columns of a span in the order that `SpanRecord` expects. The aliases are `s` for `spans` and `t` for `traces`.
enum SpanColumns {
    static let sql = """
        s.seq, t.high, t.low, s.span, s.parent, s.resource, s.kind, s.category, s.status, s.start, s.duration, s.name, \
        ifnull(s.attributes, ''), ifnull(s.more, '')
        """
}

/// The columns of an event. The aliases are `l` for `logs` and `t` for the left-joined `traces`.
enum EventColumns {
    static let sql = """
        l.seq, ifnull(t.high, 0), ifnull(t.low, 0), l.span, l.resource, l.category, l.severity, l.time, l.name, \
        ifnull(l.body, ''), ifnull(l.attributes, '')
        """
}

extension SpanRecord {
    init(_ row: Row, at column: Int = 0) {
        let kind: Int64 = row[column + 6]
        let category: Int64 = row[column + 7]
        let status: Int64 = row[column + 8]
        self.init(
            seq: row[column],
            traceID: TraceID(high: row.bits(column + 1), low: row.bits(column + 2)),
            spanID: SpanID(row.bits(column + 3)),
            parentSpanID: SpanID(row.bits(column + 4)),
            origin: row[column + 5],
            kind: SpanKind(rawValue: Int32(clamping: kind)),
            category: RecordCategory(rawValue: UInt8(clamping: category)) ?? .span,
            status: StatusCode(rawValue: UInt8(clamping: status)) ?? .unset,
            startUnixNano: UInt64(clamping: row[column + 9] as Int64),
            durationNano: UInt64(clamping: row[column + 10] as Int64),
            name: row[column + 11],
            attributesText: row[column + 12],
            detailsText: row[column + 13],
        )
    }
}

extension EventRecord {
    init(_ row: Row, at column: Int = 0) {
        let category: Int64 = row[column + 5]
        self.init(
            seq: row[column],
            traceID: TraceID(high: row.bits(column + 1), low: row.bits(column + 2)),
            spanID: SpanID(row.bits(column + 3)),
            origin: row[column + 4],
            category: RecordCategory(rawValue: UInt8(clamping: category)) ?? .event,
            severity: row[column + 6],
            timeUnixNano: UInt64(clamping: row[column + 7] as Int64),
            name: row[column + 8],
            bodyText: row[column + 9],
            attributesText: row[column + 10],
        )
    }
}

extension Row {
    /// Returns the 64 bits of an integer column.
    func bits(_ column: Int) -> UInt64 {
        UInt64(bitPattern: self[column] as Int64)
    }
}

extension Database {
    /// Returns the origins with these numbers.
    func origins(_ ids: some Sequence<Int64>) throws -> [Int64: Origin] {
        let statement = try cachedStatement(sql: "SELECT service, lane, attributes FROM resources WHERE id = ?")
        var origins: [Int64: Origin] = [:]
        for id in ids where origins[id] == nil {
            guard let row = try Row.fetchOne(statement, arguments: [id]) else { continue }
            origins[id] = Origin(
                id: id,
                service: row[0],
                side: OriginSide(rawValue: UInt8(clamping: row[1] as Int64)) ?? .backend,
                attributesText: row[2],
            )
        }
        return origins
    }

    /// Returns the last sequence number that retention removed.
    func trimmedThrough() throws -> Int64 {
        try Int64.fetchOne(self, sql: "SELECT value FROM facts WHERE name = 'trimmed_through'") ?? 0
    }

    func lastSeq() throws -> Int64 {
        try Int64.fetchOne(self, sql: "SELECT ifnull(max(last_seq), 0) FROM arrivals") ?? 0
    }
}
