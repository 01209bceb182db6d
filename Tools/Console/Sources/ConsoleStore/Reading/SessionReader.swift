import AstrolabeTelemetryModel
import GRDB

/// Lists sessions within one read transaction.
struct SessionReader {
    let database: Database

    private static let columns = """
        x.id, x.name, x.first_any, x.last_any, x.first_device, x.last_device, x.spans, x.events, x.points, x.errors,
        x.crashes, x.requests, x.failed_requests, x.device_requests, x.device_failed_requests, x.traces, x.last_seq,
        x.resource, x.started
        """

    func session(_ id: String) throws -> SessionSummary? {
        let sql = "SELECT \(Self.columns) FROM sessions x WHERE x.name = ?"
        guard let row = try Row.fetchOne(database, sql: sql, arguments: [id]) else { return nil }
        return try summaries([row]).first
    }

    func page(_ query: SessionQuery) throws -> Page<SessionSummary> {
        let limit = min(max(query.limit, 1), 200)
        var sql = "SELECT \(Self.columns) FROM sessions x WHERE 1"
        var arguments: StatementArguments = []
        if let position = PageCursor(query.cursor) {
            sql += " AND (x.started, x.id) < (?, ?)"
            arguments += [position.first, position.second]
        }
        if let device = query.device {
            sql += " AND x.resource IN (SELECT r.id FROM resources r WHERE \(Schema.installation(of: "r")) = ?)"
            arguments += [device]
        }
        if query.onlyWithErrors { sql += " AND (x.errors > 0 OR x.crashes > 0)" }
        if let since = query.changedSince {
            sql += " AND x.last_seq > ?"
            arguments += [since]
        }
        sql += " ORDER BY x.started DESC, x.id DESC"

        let filter = try SessionFilter(query, database)
        let deadline = ContinuousClock.now + TelemetryStore.searchBudget
        var rows: [Row] = []
        var last: PageCursor?
        var isComplete = true
        let candidates = try Row.fetchCursor(database, sql: sql, arguments: arguments)
        while let row = try candidates.next() {
            if rows.count == limit {
                return try page(rows, next: last, isComplete: true)
            }
            if last != nil, !filter.acceptsEverything, ContinuousClock.now > deadline {
                isComplete = false
                break
            }
            last = PageCursor(first: row[18], second: row[0])
            if try filter.accepts(session: row[0], resource: row[17]) { rows.append(row.copy()) }
        }
        return try page(rows, next: isComplete ? nil : last, isComplete: isComplete)
    }

    private func page(_ rows: [Row], next: PageCursor?, isComplete: Bool) throws -> Page<SessionSummary> {
        Page(
            elements: try summaries(rows), next: next?.text, isComplete: isComplete, cursor: try database.lastSeq(),
        )
    }

    private func summaries(_ rows: [Row]) throws -> [SessionSummary] {
        let trimmed = try database.trimmedThrough()
        let origins = try database.origins(rows.map { $0[17] as Int64 })
        let screens = try database.cachedStatement(
            sql: "SELECT name FROM session_screens WHERE session = ? ORDER BY first_time, name LIMIT 100"
        )
        let activity = try database.cachedStatement(
            sql: "SELECT bucket, records, errors FROM session_activity WHERE session = ?"
        )
        let replay = try database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM replays WHERE session = ?)")
        return try rows.map { row in
            let number: Int64 = row[0]
            let hasDevice = (row[4] as Int64) < Schema.never
            let first: Int64 = row[hasDevice ? 4 : 2]
            let last: Int64 = row[hasDevice ? 5 : 3]
            let origin = origins[row[17] as Int64]
            var parts = ActivityParts(first: first, last: last)
            let buckets = try Row.fetchCursor(activity, arguments: [number])
            while let bucket = try buckets.next() {
                parts.add(bucket: bucket[0], records: bucket[1], errors: bucket[2])
            }
            return SessionSummary(
                id: row[1],
                number: number,
                firstSeenUnixNano: first == Schema.never ? 0 : UInt64(clamping: first),
                lastSeenUnixNano: UInt64(clamping: last),
                device: origin.map { DeviceFacts($0.attributes) } ?? DeviceFacts(),
                side: origin?.side ?? .backend,
                screens: try String.fetchAll(screens, arguments: [number]),
                spans: row[6],
                events: row[7],
                metricPoints: row[8],
                errors: row[9],
                crashes: row[10],
                requests: row[hasDevice ? 13 : 11],
                failedRequests: row[hasDevice ? 14 : 12],
                traces: row[15],
                activity: parts.parts,
                hasReplay: try Bool.fetchOne(replay, arguments: [number]) ?? false,
                cursor: row[16],
                isTrimmed: number <= trimmed,
            )
        }
    }
}

/// Distributes one-second buckets over the equal parts of a session's time. Short sessions have fewer parts.
struct ActivityParts {
    private let first: Int64
    private let seconds: Int64
    private(set) var parts: [SessionSummary.ActivityPart]

    init(first: Int64, last: Int64) {
        self.first = first == Schema.never ? 0 : first / SessionWork.bucketNanoseconds
        seconds = max(last / SessionWork.bucketNanoseconds - self.first + 1, 1)
        let count = min(Int(clamping: seconds), SessionSummary.activityParts)
        parts = Array(repeating: SessionSummary.ActivityPart(), count: count)
    }

    mutating func add(bucket: Int64, records: Int, errors: Int) {
        let position = Double(bucket - first) / Double(seconds) * Double(parts.count)
        let index = min(max(Int(position), 0), parts.count - 1)
        parts[index].records += records
        parts[index].errors += errors
    }
}

/// A position in a list sorted by two integers, written as `first.second`.
struct PageCursor: Sendable, Hashable {
    let first: Int64
    let second: Int64

    init(first: Int64, second: Int64) {
        self.first = first
        self.second = second
    }

    /// Parses a cursor; `nil` for no text or invalid text, so that the list starts at its beginning.
    init?(_ text: String?) {
        let parts = (text ?? "").split(separator: ".")
        guard parts.count == 2, let first = Int64(parts[0]), let second = Int64(parts[1]) else { return nil }
        self.init(first: first, second: second)
    }

    var text: String { "\(first).\(second)" }
}
