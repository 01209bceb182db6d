import AstrolabeTelemetryModel
import ConsoleModel
import GRDB

/// Writes prepared batches to the database. It is the only code that inserts rows.
///
/// It is used on the writer's queue only. It caches prepared statements, the numbers of recent resources, scopes,
/// traces and sessions, and the next sequence number. Call `forget()` after a failed transaction and after retention to
/// clear the caches.
final class BatchWriter {
    let statements: WriterStatements
    private(set) var nextSeq: Int64
    /// The arrival that the last row of `arrivals` is known to have.
    var lastArrival: Arrival?
    private var resourceIDs = GenerationCache<StableHash, Int64>(limit: 4_096)
    private var scopeIDs = GenerationCache<StableHash, Int64>(limit: 4_096)
    private var seriesIDs = GenerationCache<StableHash, Int64>(limit: 16_384)
    private var sessionIDs = GenerationCache<String, Int64>(limit: 16_384)
    private var traces = GenerationCache<TraceID, KnownTrace>(limit: 65_536)
    var phones = GenerationCache<Int64, PhoneState>(limit: 16_384)

    struct KnownTrace: Sendable {
        let id: Int64
        let sessions: [Int64]
    }

    init(_ database: Database) throws {
        statements = try WriterStatements(database)
        let last = try QueryConnection(database).integer(
            """
            SELECT max(
                ifnull((SELECT max(last_seq) FROM arrivals), 0), ifnull((SELECT max(seq) FROM spans), 0),
                ifnull((SELECT max(seq) FROM logs), 0), ifnull((SELECT max(seq) FROM points), 0),
                ifnull((SELECT max(seq) FROM replays), 0),
                ifnull((SELECT value FROM facts WHERE name = 'trimmed_through'), 0),
                ifnull((SELECT max(id) FROM traces), 0), ifnull((SELECT max(id) FROM sessions), 0))
            """
        )
        nextSeq = (last ?? 0) + 1
    }

    func takeSeq() -> Int64 {
        defer { nextSeq += 1 }
        return nextSeq
    }

    func forget() {
        lastArrival = nil
        resourceIDs.removeAll()
        scopeIDs.removeAll()
        seriesIDs.removeAll()
        sessionIDs.removeAll()
        traces.removeAll()
        phones.removeAll()
    }

    /// Writes all parts. Must be called in a transaction.
    func write(_ parts: [BatchPart], at arrival: Arrival) throws -> CommitReport {
        var work = TransactionWork(writer: self)
        for part in parts { try work.write(part) }
        return try work.finish(arrival)
    }
}

/// The minute in which records arrived, by the wall clock and by the clock of their age.
struct Arrival: Sendable, Hashable {
    let minute: Int64
    let age: Int64

    /// - Parameters: Both times in nanoseconds.
    init(wall: UInt64, age: UInt64) {
        minute = Int64(wall / 60_000_000_000)
        self.age = Int64(age / 60_000_000_000)
    }
}

extension BatchWriter {
    func resourceID(_ row: PreparedBatch.ResourceRow) throws -> Int64 {
        if let id = resourceIDs[row.hash] { return id }
        let id = try statements.findResource.id(of: row.hash) ?? insert(row)
        resourceIDs[row.hash] = id
        return id
    }

    private func insert(_ row: PreparedBatch.ResourceRow) throws -> Int64 {
        let id = takeSeq()
        let statement = statements.insertResource
        statement.bind(1, id)
        statement.bind(2, row.hash)
        statement.bind(4, row.service)
        statement.bind(5, Int64(row.side.rawValue))
        statement.bind(6, row.attributes)
        statement.bind(7, row.schemaURL)
        statement.bind(8, Int64(row.dropped))
        try statement.run()
        return id
    }

    func scopeID(_ row: PreparedBatch.ScopeRow) throws -> Int64 {
        if let id = scopeIDs[row.hash] { return id }
        let id = try statements.findScope.id(of: row.hash) ?? insert(row)
        scopeIDs[row.hash] = id
        return id
    }

    private func insert(_ row: PreparedBatch.ScopeRow) throws -> Int64 {
        let id = takeSeq()
        let statement = statements.insertScope
        statement.bind(1, id)
        statement.bind(2, row.hash)
        statement.bind(4, row.name)
        statement.bind(5, row.version)
        statement.bind(6, row.attributes)
        statement.bind(7, row.schemaURL)
        statement.bind(8, Int64(row.dropped))
        try statement.run()
        return id
    }

    func seriesID(_ row: PreparedBatch.SeriesRow, resource: Int64, scope: Int64, session: Int64) throws -> Int64 {
        if let id = seriesIDs[row.hash] { return id }
        let id =
            try statements.findSeries.id(of: row.hash)
            ?? insert(row, resource: resource, scope: scope, session: session)
        seriesIDs[row.hash] = id
        return id
    }

    private func insert(
        _ row: PreparedBatch.SeriesRow, resource: Int64, scope: Int64, session: Int64,
    ) throws -> Int64 {
        let id = takeSeq()
        let statement = statements.insertSeries
        statement.bind(1, id)
        statement.bind(2, row.hash)
        statement.bind(4, row.name)
        statement.bind(5, row.description)
        statement.bind(6, row.unit)
        statement.bind(7, Int64(row.kind.rawValue))
        statement.bind(8, Int64(row.temporality))
        statement.bind(9, row.isMonotonic ? 1 : 0)
        statement.bind(10, resource)
        statement.bind(11, scope)
        statement.bind(12, session)
        statement.bind(13, row.attributes)
        if row.metadata.isEmpty { statement.bind(14) } else { statement.bind(14, row.metadata) }
        try statement.run()
        return id
    }

    /// Returns the number of a session in the database, or `nil`.
    func sessionID(_ name: String) throws -> Int64? {
        if let id = sessionIDs[name] { return id }
        statements.findSession.bind(1, name)
        guard let id = try statements.findSession.firstInteger() else { return nil }
        sessionIDs[name] = id
        return id
    }

    func remember(session name: String, as id: Int64) {
        sessionIDs[name] = id
    }

    /// Returns a trace in the database with its sessions, or `nil`.
    func trace(_ traceID: TraceID) throws -> KnownTrace? {
        if let known = traces[traceID] { return known }
        statements.findTrace.bind(1, Int64(bitPattern: traceID.high))
        statements.findTrace.bind(2, Int64(bitPattern: traceID.low))
        guard let id = try statements.findTrace.firstInteger() else { return nil }
        var sessions: [Int64] = []
        statements.findTraceSessions.bind(1, id)
        try statements.findTraceSessions.forEachRow { sessions.append($0.integer(0)) }
        let known = KnownTrace(id: id, sessions: sessions)
        traces[traceID] = known
        return known
    }

    func remember(trace traceID: TraceID, as known: KnownTrace) {
        traces[traceID] = known
    }
}

extension RawStatement {
    /// Binds the two halves of a hash at `index` and `index + 1`.
    func bind(_ index: Int32, _ hash: StableHash) {
        bind(index, Int64(bitPattern: hash.high))
        bind(index + 1, Int64(bitPattern: hash.low))
    }

    fileprivate func id(of hash: StableHash) throws -> Int64? {
        bind(1, hash)
        return try firstInteger()
    }
}
