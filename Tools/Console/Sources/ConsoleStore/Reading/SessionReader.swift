import AstrolabeTelemetryModel
import ConsoleModel

/// Lists sessions within one read transaction.
struct SessionReader {
    let database: QueryConnection

    private static let columns = """
        x.id, x.name, x.first_any, x.last_any, x.first_device, x.last_device, x.spans, x.events, x.points, x.errors,
        x.crashes, x.requests, x.failed_requests, x.device_requests, x.device_failed_requests, x.traces, x.last_seq,
        x.resource, x.started
        """

    func session(_ id: String) throws -> SessionSummary? {
        let sql = "SELECT \(Self.columns) FROM sessions x WHERE x.name = ?"
        guard let row = try database.firstRow(sql, [id]) else { return nil }
        return try summaries([row]).first
    }

    /// - Parameters:
    ///   - entries: The sessions with the words of the search, if they are known.
    ///   - limit: The time after which the page ends where the search has come.
    func page(
        _ query: SessionQuery, among entries: Set<Int64>? = nil, within limit: Duration,
    ) throws -> Page<SessionSummary> {
        let search = try ListSearch(query.text, in: .sessions, database)
        var sql = "SELECT \(Self.columns) FROM sessions x WHERE 1\(search.conditions(on: "x.id"))"
        var arguments: QueryArguments = []
        if let entries {
            sql += " AND x.id IN (SELECT value FROM json_each(?))"
            arguments += [entries.json]
        }
        if let position = PageCursor(query.cursor) {
            sql += " AND (x.started, x.id) < (?, ?)"
            arguments += [position.first, position.second]
        }
        if let device = query.device {
            sql += " AND x.resource IN (SELECT r.id FROM resources r WHERE \(Schema.installation(of: "r")) = ?)"
            arguments += [device]
        }
        if let times = query.times, !search.isByID {
            sql += " AND x.started >= ? AND x.started < ?"
            arguments += [times.lowerBound, times.upperBound]
        }
        if query.onlyWithErrors { sql += " AND (x.errors > 0 OR x.crashes > 0)" }
        if let promotion = query.promotion {
            let condition = promotion.condition
            sql += " AND \(condition.sql)"
            arguments += condition.arguments
        }
        if let since = query.changedSince {
            sql += " AND x.last_seq > ?"
            arguments += [since]
        }
        sql += " ORDER BY x.started DESC, x.id DESC"

        let filter =
            try entries == nil
            ? SessionFilter(search.terms, service: query.service, database) : SessionFilter([], service: nil, database)
        var walk = ListWalk<StoredRow>(limit: min(max(query.limit, 1), 200))
        try walk.read(
            try database.prepare(sql), arguments, until: filter.acceptsEverything ? nil : ContinuousClock.now + limit,
            position: { PageCursor(first: $0.integer(18), second: $0.integer(0)) },
            entry: { try filter.accepts(session: $0.integer(0)) ? $0 : nil })
        return Page(
            elements: try summaries(walk.entries), next: walk.next, isComplete: walk.isComplete,
            cursor: try database.lastSeq())
    }

    private func summaries(_ rows: [StoredRow]) throws -> [SessionSummary] {
        let trimmed = try database.trimmedThrough()
        let origins = try database.origins(rows.map { $0.integer(17) })
        return try rows.map { row in
            let number = row.integer(0)
            let hasDevice = row.integer(4) < Schema.never
            let first = row.integer(hasDevice ? 4 : 2)
            let last = row.integer(hasDevice ? 5 : 3)
            let origin = origins[row.integer(17)]
            var parts = ActivityParts(first: first, last: last)
            try database.forEachRow(
                "SELECT bucket, records, errors FROM session_activity WHERE session = ?", [number],
            ) { bucket in
                parts.add(bucket: bucket.integer(0), records: bucket.count(1), errors: bucket.count(2))
                return true
            }
            return SessionSummary(
                id: row.text(1),
                number: number,
                firstSeenUnixNano: first == Schema.never ? 0 : UInt64(clamping: first),
                lastSeenUnixNano: UInt64(clamping: last),
                device: origin.map { DeviceFacts($0.attributes) } ?? DeviceFacts(),
                side: origin?.side ?? .backend,
                screens: try database.texts(
                    "SELECT name FROM session_screens WHERE session = ? ORDER BY first_time, name LIMIT 100", [number],
                ),
                triggers: try database.texts(
                    "SELECT name FROM session_triggers WHERE session = ? ORDER BY first_time, name LIMIT 100",
                    [number],
                ),
                spans: row.count(6),
                events: row.count(7),
                metricPoints: row.count(8),
                errors: row.count(9),
                crashes: row.count(10),
                requests: row.count(hasDevice ? 13 : 11),
                failedRequests: row.count(hasDevice ? 14 : 12),
                traces: row.count(15),
                activity: parts.parts,
                hasReplay: try database.isTrue("SELECT EXISTS (SELECT 1 FROM replays WHERE session = ?)", [number]),
                cursor: row.integer(16),
                isTrimmed: number <= trimmed,
            )
        }
    }
}

extension SessionQuery.Promotion {
    /// SQL of a condition for rows of `sessions` with the alias `x`.
    fileprivate var condition: (sql: String, arguments: QueryArguments) {
        let triggers = "SELECT 1 FROM session_triggers t WHERE t.session = x.id"
        return switch self {
        case .absent: ("NOT EXISTS (\(triggers))", [])
        case .any: ("EXISTS (\(triggers))", [])
        case .by(let trigger): ("EXISTS (\(triggers) AND t.name = ?)", [trigger])
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
        let last = last / SessionWork.bucketNanoseconds
        seconds = max(last.clampedDifference(self.first).clampedSum(1), 1)
        let count = min(Int(clamping: seconds), SessionSummary.activityParts)
        parts = Array(repeating: SessionSummary.ActivityPart(), count: count)
    }

    mutating func add(bucket: Int64, records: Int, errors: Int) {
        let position = Double(bucket.clampedDifference(first)) / Double(seconds) * Double(parts.count)
        let index = Int(min(max(Int64(clamping: position), 0), Int64(parts.count - 1)))
        parts[index].records = records.clampedSum(parts[index].records)
        parts[index].errors = errors.clampedSum(parts[index].errors)
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
