import AstrolabeTelemetryModel
import ConsoleModel

/// The spans and log records that a transaction added from a part of a batch, as they were written.
struct ArrivedRows: Sendable {
    struct Row: Sendable {
        let seq: Int64
        /// The place among the batch's spans or logs.
        let index: Int
    }

    let batch: PreparedBatch
    /// The size in memory, about.
    let bytes: Int
    /// Both in the order of their numbers.
    var spans: [Row] = []
    var logs: [Row] = []
    /// The numbers of the batch's resources and scopes in the database; 0 for those without a record.
    var resources: [Int64] = []
    var scopes: [Int64] = []

    init(_ part: BatchPart) {
        batch = part.batch
        let share = Double(part.rows.count) / Double(max(batch.recordCount, 1))
        let rowSize = max(MemoryLayout<PreparedBatch.SpanRow>.stride, MemoryLayout<PreparedBatch.LogRow>.stride)
        let shared = batch.resources.reduce(batch.text.bytes.capacity) { $0 + $1.byteCount }
        let all = batch.scopes.reduce(shared) { $0 + $1.byteCount }
        bytes = Int(Double(all) * share) + part.rows.count * rowSize + Self.fixedBytes
    }

    /// The approximate memory of a batch without a record.
    private static let fixedBytes = 4_096

    var isEmpty: Bool { spans.isEmpty && logs.isEmpty }
    var firstSeq: Int64 { min(spans.first?.seq ?? .max, logs.first?.seq ?? .max) }
    var lastSeq: Int64 { max(spans.last?.seq ?? 0, logs.last?.seq ?? 0) }

    private func text(_ slice: PreparedBatch.Slice) -> String {
        let start = Int(slice.start)
        return String(decoding: batch.text.bytes[start..<start + Int(slice.count)], as: UTF8.self)
    }

    /// Returns a span as it is read from its row, and the name of its session.
    func span(_ row: Row) -> (record: SpanRecord, session: String?) {
        let span = batch.spans[row.index]
        let record = SpanRecord(
            seq: row.seq,
            traceID: span.traceID,
            spanID: SpanID(UInt64(bitPattern: span.span)),
            parentSpanID: SpanID(UInt64(bitPattern: span.parent)),
            origin: resources[Int(span.resource)],
            kind: SpanKind(rawValue: Int32(span.kind)),
            category: span.category,
            status: SpanRecord.StatusCode(rawValue: span.status) ?? .unset,
            startUnixNano: UInt64(clamping: span.start),
            durationNano: UInt64(clamping: span.duration),
            name: text(span.name),
            attributesText: text(span.attributes),
            detailsText: text(span.more),
            flags: span.flags,
            scope: scopes[Int(span.scope)],
            isFailure: false,
        )
        return (record, batch.sessions[span.session])
    }

    /// Returns a log record as it is read from its row, and the name of its session.
    func event(_ row: Row) -> (record: EventRecord, session: String?) {
        let log = batch.logs[row.index]
        let record = EventRecord(
            seq: row.seq,
            traceID: log.traceID,
            spanID: SpanID(UInt64(bitPattern: log.span)),
            origin: resources[Int(log.resource)],
            category: log.category,
            severity: Int(log.severity),
            timeUnixNano: UInt64(clamping: log.time),
            name: text(log.name),
            bodyText: text(log.body),
            attributesText: text(log.attributes),
            observedUnixNano: UInt64(clamping: log.observed),
            sentUnixNano: log.sent.map { UInt64(clamping: $0) },
            flags: log.flags,
            severityText: text(log.severityText),
            droppedAttributes: Int(log.dropped),
            scope: scopes[Int(log.scope)],
        )
        return (record, batch.sessions[log.session])
    }
}

// Each request has its own copies, also of a resource that the database stores once.
extension PreparedBatch.ResourceRow {
    fileprivate var byteCount: Int {
        attributes.utf8.count + service.utf8.count + schemaURL.utf8.count + MemoryLayout<Self>.stride
    }
}

extension PreparedBatch.ScopeRow {
    fileprivate var byteCount: Int {
        attributes.utf8.count + name.utf8.count + version.utf8.count + schemaURL.utf8.count + MemoryLayout<Self>.stride
    }
}
