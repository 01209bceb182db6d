import AstrolabeTelemetryModel
import ConsoleModel

/// The work of one transaction.
///
/// Inserts rows immediately and gathers changes of sums per trace and session. So a batch of 512 spans updates a few
/// dozen rows of sums instead of 512.
struct TransactionWork {
    let writer: BatchWriter
    let statements: WriterStatements
    var traces: [TraceWork] = []
    private var traceIndices: [TraceID: Int] = [:]
    var sessions: [SessionWork] = []
    private var sessionIndices: [String: Int] = [:]
    private(set) var resources: [Int64: ResourceCounts] = [:]
    private(set) var scopes: [Int64: Int64] = [:]
    private(set) var series: [Int64: Int64] = [:]
    private(set) var storedRecords = 0
    /// The rejected records of each batch.
    private(set) var rejections: [Rejection] = []
    private(set) var arrivals: [ArrivedRows] = []
    private(set) var phones = PhoneWork()

    struct ResourceCounts {
        var spans: Int64 = 0
        var logs: Int64 = 0
        var points: Int64 = 0
        var replays: Int64 = 0
        var lastSeq: Int64 = 0
    }

    /// The database numbers of a batch's indices in this transaction, resolved on first use.
    private struct Resolution {
        var resources: [ResolvedResource?]
        var scopes: [Int64?]
        /// The indices into `sessions`; -1 if not resolved.
        var sessions: [Int]
    }

    init(writer: BatchWriter) {
        self.writer = writer
        statements = writer.statements
    }

    mutating func write(_ part: BatchPart) throws {
        rejections.append(Rejection())
        let batch = part.batch
        var resolution = Resolution(
            resources: Array(repeating: nil, count: batch.resources.count),
            scopes: Array(repeating: nil, count: batch.scopes.count),
            sessions: Array(repeating: -1, count: batch.sessions.names.count),
        )
        var arrived = ArrivedRows(part)
        try batch.text.bytes.withUnsafeBytes { text in
            for row in part.spans.indices {
                guard let seq = try insert(batch.spans[row], of: batch, text, &resolution) else { continue }
                arrived.spans.append(ArrivedRows.Row(seq: seq, index: row))
            }
            for row in part.logs.indices {
                guard let seq = try insert(batch.logs[row], of: batch, text, &resolution) else { continue }
                arrived.logs.append(ArrivedRows.Row(seq: seq, index: row))
            }
            for point in part.points { try insert(point, of: batch, text, &resolution) }
            for replay in part.replays { try insert(replay, of: batch, text, &resolution) }
        }
        guard !arrived.isEmpty else { return }
        arrived.resources = resolution.resources.map { $0?.id ?? 0 }
        arrived.scopes = resolution.scopes.map { $0 ?? 0 }
        arrivals.append(arrived)
    }

    /// Returns the sequence number of the new row; `nil` if the span is stored already, or contradicts a stored one.
    private mutating func insert(
        _ span: PreparedBatch.SpanRow, of batch: PreparedBatch, _ text: UnsafeRawBufferPointer,
        _ resolution: inout Resolution,
    ) throws -> Int64? {
        let trace = try traceIndex(span.traceID)
        let session = try sessionIndex(span.session, of: batch, &resolution)
        let resource = try resource(span.resource, of: batch, &resolution)
        let scope = try scope(span.scope, of: batch, &resolution)
        let numbers = SpanNumbers(
            seq: writer.nextSeq, trace: traces[trace].id, session: session.map { sessions[$0].id } ?? 0,
            resource: resource.id, scope: scope)
        guard try isNew(span, numbers, in: trace, text) else { return nil }
        let insert = statements.insertSpan
        insert.bind(span, numbers, of: text)
        try insert.run()
        let seq = writer.takeSeq()
        storedRecords += 1
        traces[trace].add(span, seq: seq, session: session.map { sessions[$0].id })
        if let session {
            sessions[session].add(
                span, screen: batch.screens[span.screen], trigger: batch.triggers[span.trigger], resource: resource,
                seq: seq)
        }
        try mark(span.milestone, seq: seq, trace: trace, session: session)
        if span.status == 2 { try countFailure(span, in: trace, session: session, seq: seq) }
        resources[resource.id, default: ResourceCounts()].spans += 1
        phones.add(resource.phone, at: span.start)
        touch(resource.id, scope, seq)
        return seq
    }

    /// Returns whether a span is not stored yet.
    ///
    /// The two sides of a call may have one id, so spans are the same only if service and kind are too. Another span
    /// with all of these is a conflict: the first one stays, and the sender is notified.
    private mutating func isNew(
        _ span: PreparedBatch.SpanRow, _ numbers: SpanNumbers, in trace: Int, _ text: UnsafeRawBufferPointer,
    ) throws -> Bool {
        if traces[trace].isFirst(span.span) { return true }
        let find = statements.findSpan
        find.bind(span, numbers, of: text)
        find.bind(17, span.hasTime ? 1 : 0)
        guard let isEqual = try find.firstInteger() else { return true }
        guard isEqual == 0 else { return false }
        rejections[rejections.count - 1].add(
            because: """
                span \(SpanID(UInt64(bitPattern: span.span)).hex) is stored with other contents; expected an id of \
                its own among the spans of one trace, service and kind
                """)
        return false
    }

    /// Returns the sequence number of the new row; `nil` if the record is stored already.
    private mutating func insert(
        _ log: PreparedBatch.LogRow, of batch: PreparedBatch, _ text: UnsafeRawBufferPointer,
        _ resolution: inout Resolution,
    ) throws -> Int64? {
        let trace = log.traceID.isValid ? try traceIndex(log.traceID) : nil
        let session = try sessionIndex(log.session, of: batch, &resolution)
        let resource = try resource(log.resource, of: batch, &resolution)
        let scope = try scope(log.scope, of: batch, &resolution)
        let original = try log.original.flatMap { try number(ofLog: $0) }
        let seq = writer.nextSeq
        let insert = statements.insertLog
        insert.bind(1, seq)
        insert.bind(2, log.uid)
        insert.bind(4, trace.map { traces[$0].id } ?? 0)
        insert.bind(5, log.span)
        insert.bind(6, session.map { sessions[$0].id } ?? 0)
        insert.bind(7, resource.id)
        insert.bind(8, scope)
        insert.bind(9, Int64(log.category.rawValue))
        insert.bind(10, Int64(log.severity))
        insert.bind(11, log.time)
        insert.bind(12, log.name, of: text, emptyIsNull: false)
        insert.bind(13, log.body, of: text)
        insert.bind(14, log.attributes, of: text)
        insert.bind(15, log.observed)
        insert.bind(16, Int64(log.flags))
        insert.bind(17, log.severityText, of: text)
        insert.bind(18, Int64(log.dropped))
        insert.bind(19, optional: log.sent)
        insert.bind(20, optional: original)
        guard try insert.run() > 0 else { return nil }
        _ = writer.takeSeq()
        storedRecords += 1
        try mark(log.milestone, seq: seq, trace: trace, session: session)
        if let trace { traces[trace].add(log, seq: seq, session: session.map { sessions[$0].id }) }
        if let session {
            sessions[session].add(
                log, screen: batch.screens[log.screen], trigger: batch.triggers[log.trigger], resource: resource,
                seq: seq)
        }
        resources[resource.id, default: ResourceCounts()].logs += 1
        phones.add(resource.phone, at: log.time)
        touch(resource.id, scope, seq)
        return seq
    }

    /// Returns the sequence number of the log record with a unique id; `nil` if retention removed it.
    private func number(ofLog uid: StableHash) throws -> Int64? {
        statements.findLog.bind(1, uid)
        return try statements.findLog.firstInteger()
    }

    private func mark(_ milestone: MilestoneFinder.Milestone?, seq: Int64, trace: Int?, session: Int?) throws {
        guard let milestone else { return }
        let insert = statements.insertMilestone
        insert.bind(1, seq)
        insert.bind(2, milestone.kind.rawValue)
        insert.bind(3, trace.map { traces[$0].id } ?? 0)
        insert.bind(4, session.map { sessions[$0].id } ?? 0)
        if let amount = milestone.amount { insert.bind(5, amount) } else { insert.bind(5) }
        try insert.run()
    }

    private mutating func insert(
        _ point: PreparedBatch.PointRow, of batch: PreparedBatch, _ text: UnsafeRawBufferPointer,
        _ resolution: inout Resolution,
    ) throws {
        let row = batch.series[Int(point.series)]
        let session = try sessionIndex(row.session, of: batch, &resolution)
        let resource = try resource(row.resource, of: batch, &resolution)
        let scope = try scope(row.scope, of: batch, &resolution)
        let id = try writer.seriesID(
            row, resource: resource.id, scope: scope, session: session.map { sessions[$0].id } ?? 0,
        )
        let seq = writer.nextSeq
        let insert = statements.insertPoint
        insert.bind(1, seq)
        insert.bind(2, id)
        insert.bind(3, point.time)
        insert.bind(4, point.start)
        insert.bind(5, point.value)
        if point.count >= 0 { insert.bind(6, point.count) } else { insert.bind(6) }
        insert.bind(7, point.histogram, of: text)
        insert.bind(8, optional: point.integer)
        insert.bind(9, point.exemplars, of: text)
        guard try insert.run() > 0 else { return }
        _ = writer.takeSeq()
        storedRecords += 1
        if let session { sessions[session].add(point, resource: resource, seq: seq) }
        series[id] = seq
        resources[resource.id, default: ResourceCounts()].points += 1
        phones.add(resource.phone, point, of: row)
        touch(resource.id, scope, seq)
    }

    private mutating func insert(
        _ replay: PreparedBatch.ReplayRow, of batch: PreparedBatch, _ text: UnsafeRawBufferPointer,
        _ resolution: inout Resolution,
    ) throws {
        guard let session = try sessionIndex(replay.session, of: batch, &resolution) else { return }
        let resource = try resource(replay.resource, of: batch, &resolution)
        let scope = try scope(replay.scope, of: batch, &resolution)
        let seq = writer.nextSeq
        let insert = statements.insertReplay
        insert.bind(1, seq)
        insert.bind(2, replay.uid)
        insert.bind(4, sessions[session].id)
        insert.bind(5, resource.id)
        insert.bind(6, scope)
        insert.bind(7, replay.recording)
        insert.bind(8, replay.sequence)
        insert.bind(9, replay.isKey ? 1 : 0)
        insert.bind(10, replay.time)
        insert.bind(11, replay.frame, of: text, emptyIsNull: false)
        insert.bind(12, replay.attributes, of: text)
        guard try insert.run() > 0 else { return }
        _ = writer.takeSeq()
        storedRecords += 1
        sessions[session].add(replay, screen: batch.screens[replay.screen], resource: resource, seq: seq)
        resources[resource.id, default: ResourceCounts()].replays += 1
        phones.add(resource.phone, at: replay.time)
        touch(resource.id, scope, seq)
    }

    private mutating func touch(_ resource: Int64, _ scope: Int64, _ seq: Int64) {
        resources[resource, default: ResourceCounts()].lastSeq = seq
        scopes[scope] = seq
    }

    private mutating func traceIndex(_ traceID: TraceID) throws -> Int {
        if let last = traces.indices.last, traces[last].traceID == traceID { return last }
        if let index = traceIndices[traceID] { return index }
        let known = try writer.trace(traceID)
        traces.append(
            TraceWork(
                traceID: traceID, id: known?.id ?? writer.takeSeq(), isNew: known == nil,
                knownSessions: known?.sessions ?? [],
            )
        )
        traceIndices[traceID] = traces.count - 1
        return traces.count - 1
    }

    private func resource(
        _ index: Int32, of batch: PreparedBatch, _ resolution: inout Resolution,
    ) throws -> ResolvedResource {
        if let known = resolution.resources[Int(index)] { return known }
        let row = batch.resources[Int(index)]
        let found = ResolvedResource(
            id: try writer.resourceID(row), side: row.side, tie: Int64(bitPattern: row.hash.high),
            phone: PhoneName(row))
        resolution.resources[Int(index)] = found
        return found
    }

    private func scope(_ index: Int32, of batch: PreparedBatch, _ resolution: inout Resolution) throws -> Int64 {
        if let known = resolution.scopes[Int(index)] { return known }
        let found = try writer.scopeID(batch.scopes[Int(index)])
        resolution.scopes[Int(index)] = found
        return found
    }

    private mutating func sessionIndex(
        _ index: Int32, of batch: PreparedBatch, _ resolution: inout Resolution,
    ) throws -> Int? {
        guard index >= 0 else { return nil }
        if resolution.sessions[Int(index)] >= 0 { return resolution.sessions[Int(index)] }
        let name = batch.sessions.names[Int(index)]
        let found = try sessionIndices[name] ?? addSession(name)
        resolution.sessions[Int(index)] = found
        return found
    }

    private mutating func addSession(_ name: String) throws -> Int {
        let known = try writer.sessionID(name)
        sessions.append(SessionWork(name: name, id: known ?? writer.takeSeq(), isNew: known == nil))
        sessionIndices[name] = sessions.count - 1
        return sessions.count - 1
    }
}

extension NameList {
    /// Returns the name with that index; `nil` for -1.
    subscript(index: Int32) -> String? {
        index >= 0 ? names[Int(index)] : nil
    }
}
