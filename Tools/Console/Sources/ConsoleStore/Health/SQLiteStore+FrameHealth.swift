import AstrolabeSemantics

extension SQLiteStore {
    /// Returns the screens with late frames, most late frames first; at most 200.
    package func slowScreens() async throws(StoreError) -> [SlowScreen] {
        try await read { database in
            let frames = try FrameReader(database: database)
                .counts(by: Schema.text(AttributeKey.appScreenName, in: "e.attributes"))
            return try database.rows(
                """
                WITH j AS (\(Self.lateFrames))
                SELECT screen, sum(total) FILTER (WHERE threshold < 0.1),
                    sum(late) FILTER (WHERE threshold < 0.1), sum(late) FILTER (WHERE threshold >= 0.1),
                    max(longest), sum(period) FILTER (WHERE threshold < 0.1),
                    count(DISTINCT nullif(session, 0)), max(time)
                FROM j GROUP BY screen ORDER BY 3 DESC, screen LIMIT 200
                """
            ).map { row in
                let screen = row.text(0)
                return SlowScreen(
                    screen: screen,
                    late: FrameCounts(frames: row.count(1), slow: row.count(2), frozen: row.count(3)),
                    all: frames[screen].flatMap { $0.frames > 0 ? $0 : nil },
                    longest: row.number(4) ?? 0,
                    period: row.number(5) ?? 0,
                    sessions: row.count(6),
                    lastUnixNano: row.nanoseconds(7),
                    worstSessions: try database.worstSessions(screen, Self.lateFrames),
                )
            }
        }
    }

    /// SQL for the late frames, with one row for each `app.jank` event.
    private static var lateFrames: String {
        // Real numbers, because a sum of integers fails if it overflows.
        func number(_ key: String) -> String { "ifnull(\(Schema.number(key, in: "l.attributes")), 0.0)" }
        return """
            SELECT ifnull(\(Schema.text(AttributeKey.appScreenName, in: "l.attributes")), '') AS screen,
                l.session AS session, l.time AS time, \(number(AttributeKey.appJankThreshold)) AS threshold,
                \(number(AttributeKey.appJankFrameCount)) AS late, \(number(AttributeKey.astrolabeJankFrames)) AS total,
                \(number(AttributeKey.appJankPeriod)) AS period, \(number(AttributeKey.astrolabeJankLongest)) AS longest
            FROM logs l WHERE \(Schema.isHealth("l")) AND l.name = '\(EventName.appJank)'
            """
    }

    /// Returns the app versions of devices, highest first; at most 50.
    ///
    /// A crashed session counts for the version that crashed. Problems count after they are indexed.
    package func releases() async throws(StoreError) -> [Release] {
        try await read { database in
            let version = "ifnull(\(Schema.version(resource: "r")), '')"
            let frames = try FrameReader(database: database).counts(by: version)
            let releases = try database.rows(
                """
                WITH visits AS (
                    SELECT s.id AS session, \(version) AS version, \(Schema.installation(of: "r")) AS installation,
                        s.started AS time
                    FROM sessions s JOIN resources r ON r.id = s.resource
                    WHERE r.lane = \(OriginSide.device.rawValue)
                    UNION ALL SELECT session, version, installation, time FROM problems WHERE session <> 0),
                troubles AS (
                    SELECT version, count(DISTINCT nullif(session, 0)) FILTER (WHERE kind = 1) AS sessions,
                        count(DISTINCT nullif(installation, '')) FILTER (WHERE kind = 1) AS users,
                        count(*) FILTER (WHERE kind = 1) AS crashes, count(*) FILTER (WHERE kind = 2) AS hangs,
                        sum(duration) FILTER (WHERE typeof(duration) IN ('integer', 'real')) AS duration
                    FROM problems GROUP BY version)
                SELECT v.version, count(DISTINCT v.session), ifnull(t.sessions, 0),
                    count(DISTINCT nullif(v.installation, '')), ifnull(t.users, 0), ifnull(t.crashes, 0),
                    ifnull(t.hangs, 0), ifnull(t.duration, 0), min(v.time), max(v.time)
                FROM visits v LEFT JOIN troubles t ON t.version = v.version
                GROUP BY v.version
                """
            ).map { row in
                let version = row.text(0)
                return Release(
                    version: version,
                    sessions: row.count(1),
                    crashedSessions: row.count(2),
                    users: row.count(3),
                    crashedUsers: row.count(4),
                    crashes: row.count(5),
                    hangs: row.count(6),
                    hangTime: row.number(7) ?? 0,
                    frames: frames[version] ?? FrameCounts(),
                    firstUnixNano: row.nanoseconds(8),
                    lastUnixNano: row.nanoseconds(9),
                )
            }
            return Release.newest(of: releases)
        }
    }
}

extension QueryConnection {
    fileprivate func worstSessions(_ screen: String, _ lateFrames: String) throws -> [String] {
        try texts(
            """
            WITH j AS (\(lateFrames))
            SELECT s.name FROM j JOIN sessions s ON s.id = j.session WHERE j.screen = ?
            GROUP BY s.id ORDER BY sum(j.late) DESC, s.id DESC LIMIT 3
            """,
            [screen],
        )
    }
}
