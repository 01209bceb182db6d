import AstrolabeTelemetryModel
import ConsoleModel

/// The data that one transaction gathers about a trace.
struct TraceWork {
    let traceID: TraceID
    let id: Int64
    let isNew: Bool
    var range = TimeExtent()
    var spans: Int64 = 0
    var logs: Int64 = 0
    var errors: Int64 = 0
    var lead = RepresentativeSpan()
    /// The counters of records without a session.
    var unclaimed = CommitTotals()
    /// The sessions of the trace before this transaction.
    let knownSessions: [Int64]
    var newSessions: [Int64] = []
    var lastSeq: Int64 = 0
    /// The ids of this transaction's spans, if the trace is new.
    private var spanIDs: Set<Int64> = []

    init(traceID: TraceID, id: Int64, isNew: Bool, knownSessions: [Int64]) {
        self.traceID = traceID
        self.id = id
        self.isNew = isNew
        self.knownSessions = knownSessions
    }

    /// The span that represents the trace: a root before other spans, then the earliest, then the lowest id.
    struct RepresentativeSpan: Sendable {
        var rank: Int64 = 2
        var start: Int64 = Schema.never
        var span: Int64 = 0
        var seq: Int64 = 0

        static func < (left: RepresentativeSpan, right: RepresentativeSpan) -> Bool {
            (left.rank, left.start, left.span) < (right.rank, right.start, right.span)
        }
    }

    var isTouched: Bool { lastSeq > 0 }

    /// Notes a span, and returns whether no other one with its id can be stored, so that it need not be looked up.
    ///
    /// A trace that is new in this transaction has no spans but those of this transaction.
    mutating func isFirst(_ span: Int64) -> Bool {
        isNew && spanIDs.insert(span).inserted
    }

    /// Adds a span, without its error: see ``TransactionWork/countFailure(_:in:session:seq:)``.
    mutating func add(_ span: PreparedBatch.SpanRow, seq: Int64, session: Int64?) {
        lastSeq = seq
        spans += 1
        range.include(span.start)
        range.include(span.start &+ span.duration)
        let candidate = RepresentativeSpan(
            rank: span.parent == 0 ? 0 : 1, start: span.start, span: span.span, seq: seq)
        if candidate < lead { lead = candidate }
        claim(session, otherwise: CommitTotals(spans: 1))
    }

    mutating func add(_ log: PreparedBatch.LogRow, seq: Int64, session: Int64?) {
        lastSeq = seq
        logs += 1
        if log.tally.errors > 0 { errors += 1 }
        claim(session, otherwise: log.tally)
    }

    private mutating func claim(_ session: Int64?, otherwise tally: CommitTotals) {
        guard let session else {
            unclaimed += tally
            return
        }
        if !knownSessions.contains(session), !newSessions.contains(session) { newSessions.append(session) }
    }
}

extension PreparedBatch.LogRow {
    /// The counters of one event or log record. Severity 17 (ERROR) or higher is an error; a crash counts as a crash
    /// only.
    var tally: CommitTotals {
        CommitTotals(
            events: 1,
            errors: category != .crash && severity >= 17 ? 1 : 0,
            crashes: category == .crash ? 1 : 0,
        )
    }
}
