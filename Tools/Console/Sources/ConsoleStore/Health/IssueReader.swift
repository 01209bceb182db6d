import AstrolabeTelemetryModel
import ConsoleModel

/// Reads issues within one read transaction.
struct IssueReader {
    let database: QueryConnection
    let now: UInt64

    private static let day: Int64 = 86_400_000_000_000
    private static let isNumber = "typeof(duration) IN ('integer', 'real')"

    /// SQL for the table of crashes and hangs, each with the service that reported it.
    private static let issueEvents = """
        (SELECT p.*, r.service AS service FROM problems p JOIN logs l ON l.seq = p.seq
            JOIN resources r ON r.id = l.resource)
        """

    func issues(_ query: IssueQuery) throws -> [HealthIssue] {
        let weight =
            switch query.kind {
            case .crash: "count(*)"
            case .hang: "total(duration) FILTER (WHERE \(Self.isNumber))"
            }
        let fingerprints = try database.texts(
            """
            SELECT fingerprint FROM \(Self.issueEvents) WHERE kind = :kind
                AND (:version IS NULL OR version = :version) AND (:service IS NULL OR service = :service)
            GROUP BY fingerprint ORDER BY \(weight) DESC, max(time) DESC, fingerprint LIMIT :limit
            """,
            [
                "kind": query.kind.rawValue, "version": query.version, "service": query.service,
                "limit": min(max(query.limit, 1), 500),
            ],
        )
        return try fingerprints.compactMap { try issue($0, version: query.version, service: query.service) }
    }

    func issue(_ fingerprint: String, version: String? = nil, service: String? = nil) throws -> HealthIssue? {
        let arguments: QueryArguments = ["group": fingerprint, "version": version, "service": service]
        let condition = """
            fingerprint = :group AND (:version IS NULL OR version = :version)
                AND (:service IS NULL OR service = :service)
            """
        let sums = try database.firstRow(
            """
            SELECT count(*), count(DISTINCT nullif(installation, '')), count(DISTINCT nullif(session, 0)),
                min(time), max(time), max(duration) FILTER (WHERE \(Self.isNumber)),
                sum(duration) FILTER (WHERE \(Self.isNumber)) FROM \(Self.issueEvents) WHERE \(condition)
            """,
            arguments,
        )
        let latest = try database.firstRow(
            """
            SELECT kind, title, place, wanted FROM \(Self.issueEvents) WHERE \(condition)
            ORDER BY time DESC, seq DESC LIMIT 1
            """,
            arguments,
        )
        guard let sums, let latest, let kind = latest.kind(0, as: IssueKind.self) else { return nil }
        return HealthIssue(
            fingerprint: fingerprint,
            kind: kind,
            title: latest.text(1),
            place: latest.text(2),
            wantedBuilds: JSONText.value(in: latest.text(3))?.elements.compactMap(\.stringValue) ?? [],
            count: sums.count(0),
            users: sums.count(1),
            sessions: sums.count(2),
            services: try names("service", condition, arguments),
            versions: try names("version", condition, arguments),
            screens: try names("screen", condition, arguments),
            firstUnixNano: sums.nanoseconds(3),
            lastUnixNano: sums.nanoseconds(4),
            longest: sums.number(5),
            total: sums.number(6),
            perDay: try perDay(condition, arguments),
        )
    }

    func issueEvents(of fingerprint: String, limit: Int) throws -> [IssueEventSummary] {
        try database.rows(
            """
            SELECT p.seq, p.kind, p.time, s.name, p.installation, p.version, p.screen, p.duration FROM problems p
            LEFT JOIN sessions s ON s.id = p.session WHERE p.fingerprint = ? ORDER BY p.time DESC, p.seq DESC LIMIT ?
            """,
            [fingerprint, limit],
        ).map { row in
            IssueEventSummary(
                seq: row.integer(0),
                kind: row.kind(1) ?? .crash,
                timeUnixNano: row.nanoseconds(2),
                session: row.optionalText(3),
                installation: row.text(4),
                appVersion: row.text(5),
                screen: row.text(6),
                duration: row.number(7),
            )
        }
    }

    /// Returns the values of a column, most frequent first.
    private func names(_ column: String, _ condition: String, _ arguments: QueryArguments) throws -> [String] {
        try database.texts(
            """
            SELECT \(column) FROM \(Self.issueEvents) WHERE \(condition) AND \(column) <> ''
            GROUP BY \(column) ORDER BY count(*) DESC, \(column) DESC LIMIT \(HealthIssue.nameLimit)
            """,
            arguments,
        )
    }

    private func perDay(_ condition: String, _ arguments: QueryArguments) throws -> [Int] {
        let today = Int64(clamping: now) / Self.day
        var counts = [Int](repeating: 0, count: HealthIssue.days)
        let days = try database.rows(
            "SELECT time / \(Self.day), count(*) FROM \(Self.issueEvents) WHERE \(condition) GROUP BY 1", arguments,
        )
        for row in days {
            let age = today.clampedDifference(row.integer(0))
            if (0..<Int64(HealthIssue.days)).contains(age) { counts[HealthIssue.days - 1 - Int(age)] = row.count(1) }
        }
        return counts
    }
}
