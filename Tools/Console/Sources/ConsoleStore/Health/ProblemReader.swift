import AstrolabeTelemetryModel
import GRDB

/// Reads issues within one read transaction.
struct ProblemReader {
    let database: Database
    let now: UInt64

    private static let day: Int64 = 86_400_000_000_000
    /// The maximum number of versions and of screens that an issue lists.
    private static let nameLimit = 20

    func groups(_ query: ProblemQuery) throws -> [ProblemGroup] {
        let fingerprints = try String.fetchAll(
            database,
            sql: """
                SELECT fingerprint FROM problems WHERE kind = :kind AND (:version IS NULL OR version = :version)
                GROUP BY fingerprint ORDER BY max(time) DESC, fingerprint LIMIT :limit
                """,
            arguments: [
                "kind": query.kind.rawValue, "version": query.version, "limit": min(max(query.limit, 1), 500),
            ],
        )
        return try fingerprints.compactMap { try group($0, version: query.version) }
    }

    func group(_ fingerprint: String, version: String?) throws -> ProblemGroup? {
        let arguments: StatementArguments = ["group": fingerprint, "version": version]
        let condition = "fingerprint = :group AND (:version IS NULL OR version = :version)"
        let sums = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT count(*), count(DISTINCT nullif(installation, '')), count(DISTINCT nullif(session, 0)),
                        min(time), max(time), max(duration), sum(duration) FROM problems WHERE \(condition)
                    """
            ), arguments: arguments,
        )
        let latest = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT kind, title, place, wanted FROM problems WHERE \(condition) ORDER BY time DESC, seq DESC LIMIT 1
                    """
            ), arguments: arguments,
        )
        guard let sums, let latest, let kind = ProblemKind(rawValue: UInt8(clamping: latest[0] as Int64)) else {
            return nil
        }
        return ProblemGroup(
            fingerprint: fingerprint,
            kind: kind,
            title: latest[1],
            place: latest[2],
            wantedBuilds: JSONText.value(in: latest[3])?.elements.compactMap(\.stringValue) ?? [],
            count: sums[0],
            users: sums[1],
            sessions: sums[2],
            versions: try names("version", condition, arguments),
            screens: try names("screen", condition, arguments),
            firstUnixNano: UInt64(clamping: sums[3] as Int64),
            lastUnixNano: UInt64(clamping: sums[4] as Int64),
            longest: sums[5],
            total: sums[6],
            perDay: try perDay(condition, arguments),
        )
    }

    func problems(of fingerprint: String, limit: Int) throws -> [ProblemSummary] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT p.seq, p.kind, p.time, s.name, p.installation, p.version, p.screen, p.duration FROM problems p
                LEFT JOIN sessions s ON s.id = p.session WHERE p.fingerprint = ? ORDER BY p.time DESC, p.seq DESC LIMIT ?
                """,
            arguments: [fingerprint, limit],
        ).map { row in
            ProblemSummary(
                seq: row[0],
                kind: ProblemKind(rawValue: UInt8(clamping: row[1] as Int64)) ?? .crash,
                timeUnixNano: UInt64(clamping: row[2] as Int64),
                session: row[3],
                installation: row[4],
                appVersion: row[5],
                screen: row[6],
                duration: row[7],
            )
        }
    }

    /// Returns the values of a column, most frequent first.
    private func names(_ column: String, _ condition: String, _ arguments: StatementArguments) throws -> [String] {
        try String.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT \(column) FROM problems WHERE \(condition) AND \(column) <> ''
                    GROUP BY \(column) ORDER BY count(*) DESC, \(column) DESC LIMIT \(Self.nameLimit)
                    """
            ), arguments: arguments,
        )
    }

    private func perDay(_ condition: String, _ arguments: StatementArguments) throws -> [Int] {
        let today = Int64(clamping: now) / Self.day
        var counts = [Int](repeating: 0, count: ProblemGroup.days)
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: "SELECT time / \(Self.day), count(*) FROM problems WHERE \(condition) GROUP BY 1"
            ), arguments: arguments,
        )
        while let row = try rows.next() {
            let age = today - (row[0] as Int64)
            if (0..<Int64(ProblemGroup.days)).contains(age) { counts[ProblemGroup.days - 1 - Int(age)] = row[1] }
        }
        return counts
    }
}
