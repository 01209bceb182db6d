import AstrolabeSemantics
package import ConsoleModel

extension SQLiteStore {
    /// Returns the screens with late frames, most slow frames first; at most 200, the worst of each service in turns.
    ///
    /// - Parameter service: Only screens of this service.
    package func slowScreens(service: String?) async throws(StoreError) -> [SlowScreen] {
        try await read { database in
            let screen = Schema.text(AttributeKey.appScreenName, in: "e.attributes")
            let frames = try FrameReader(database: database)
                .counts(by: ["r.service", Schema.platform(of: "r"), screen], service: service)
            let screens = try database.rows(
                """
                WITH j AS (\(Self.lateFrames))
                SELECT service, platform, screen, sum(total) FILTER (WHERE threshold < 0.1),
                    sum(late) FILTER (WHERE threshold < 0.1), sum(late) FILTER (WHERE threshold >= 0.1),
                    max(longest), sum(period) FILTER (WHERE threshold < 0.1),
                    count(DISTINCT nullif(session, 0)), max(time),
                    row_number() OVER (PARTITION BY service
                        ORDER BY sum(late) FILTER (WHERE threshold < 0.1) DESC, screen, platform) AS turn
                FROM j GROUP BY service, platform, screen
                ORDER BY turn, 5 DESC, screen, service, platform LIMIT 200
                """,
                ["service": service],
            ).map { row in
                let app = AppPlatform(service: row.text(0), platform: row.text(1))
                let screen = row.text(2)
                return SlowScreen(
                    app: app,
                    screen: screen,
                    late: FrameCounts(frames: row.count(3), slow: row.count(4), frozen: row.count(5)),
                    all: frames[[app.service, app.platform, screen]].flatMap { $0.frames > 0 ? $0 : nil },
                    longest: row.number(6) ?? 0,
                    period: row.number(7) ?? 0,
                    sessions: row.count(8),
                    lastUnixNano: row.nanoseconds(9),
                    worstSessions: try database.worstSessions(app, screen, Self.lateFrames),
                )
            }
            return SlowScreen.worst(of: screens)
        }
    }

    /// SQL for the late frames of `:service`, or of all, with one row for each `app.jank` event.
    private static var lateFrames: String {
        // Real numbers, because a sum of integers fails if it overflows.
        func number(_ key: String) -> String { "ifnull(\(Schema.number(key, in: "l.attributes")), 0.0)" }
        return """
            SELECT r.service AS service, \(Schema.platform(of: "r")) AS platform,
                ifnull(\(Schema.text(AttributeKey.appScreenName, in: "l.attributes")), '') AS screen,
                l.session AS session, l.time AS time, \(number(AttributeKey.appJankThreshold)) AS threshold,
                \(number(AttributeKey.appJankFrameCount)) AS late, \(number(AttributeKey.astrolabeJankFrames)) AS total,
                \(number(AttributeKey.appJankPeriod)) AS period, \(number(AttributeKey.astrolabeJankLongest)) AS longest
            FROM logs l JOIN resources r ON r.id = l.resource
            WHERE \(Schema.isHealth("l")) AND l.name = '\(EventName.appJank)'
                AND (:service IS NULL OR r.service = :service)
            """
    }

    /// Returns the versions of the apps of devices, by app and platform. See ``Release/newest(of:)`` for the order.
    ///
    /// A crashed session counts for the version that crashed. Crashes and hangs count after they are indexed.
    ///
    /// - Parameter service: Only versions of this service.
    package func releases(service: String?) async throws(StoreError) -> [Release] {
        try await read { database in
            let version = "ifnull(\(Schema.version(resource: "r")), '')"
            let platform = Schema.platform(of: "r")
            let frames = try FrameReader(database: database)
                .counts(by: ["r.service", platform, version], service: service)
            let releases = try database.rows(
                """
                WITH issues AS (
                    SELECT r.service AS service, \(platform) AS platform, p.version AS version, p.kind AS kind,
                        p.session AS session, p.installation AS installation, p.time AS time, p.duration AS duration
                    FROM problems p JOIN logs l ON l.seq = p.seq JOIN resources r ON r.id = l.resource
                    WHERE :service IS NULL OR r.service = :service),
                visits AS (
                    SELECT r.service AS service, \(platform) AS platform, \(version) AS version, s.id AS session,
                        \(Schema.installation(of: "r")) AS installation, s.started AS time
                    FROM sessions s JOIN resources r ON r.id = s.resource
                    WHERE r.lane = \(OriginSide.device.rawValue) AND (:service IS NULL OR r.service = :service)
                    UNION ALL SELECT service, platform, version, session, installation, time FROM issues
                    WHERE session <> 0),
                troubles AS (
                    SELECT service, platform, version,
                        count(DISTINCT nullif(session, 0)) FILTER (WHERE kind = 1) AS sessions,
                        count(DISTINCT nullif(installation, '')) FILTER (WHERE kind = 1) AS users,
                        count(*) FILTER (WHERE kind = 1) AS crashes, count(*) FILTER (WHERE kind = 2) AS hangs,
                        sum(duration) FILTER (WHERE typeof(duration) IN ('integer', 'real')) AS duration
                    FROM issues GROUP BY service, platform, version)
                SELECT v.service, v.platform, v.version, count(DISTINCT v.session), ifnull(t.sessions, 0),
                    count(DISTINCT nullif(v.installation, '')), ifnull(t.users, 0), ifnull(t.crashes, 0),
                    ifnull(t.hangs, 0), ifnull(t.duration, 0), min(v.time), max(v.time)
                FROM visits v LEFT JOIN troubles t
                    ON t.service = v.service AND t.platform = v.platform AND t.version = v.version
                GROUP BY v.service, v.platform, v.version
                """,
                ["service": service],
            ).map { row in
                let app = AppPlatform(service: row.text(0), platform: row.text(1))
                let version = row.text(2)
                return Release(
                    app: app,
                    version: version,
                    sessions: row.count(3),
                    crashedSessions: row.count(4),
                    users: row.count(5),
                    crashedUsers: row.count(6),
                    crashes: row.count(7),
                    hangs: row.count(8),
                    hangTime: row.number(9) ?? 0,
                    frames: frames[[app.service, app.platform, version]] ?? FrameCounts(),
                    firstUnixNano: row.nanoseconds(10),
                    lastUnixNano: row.nanoseconds(11),
                )
            }
            return Release.newest(of: releases)
        }
    }
}

extension QueryConnection {
    fileprivate func worstSessions(
        _ app: AppPlatform, _ screen: String, _ lateFrames: String,
    ) throws -> [String] {
        try texts(
            """
            WITH j AS (\(lateFrames))
            SELECT s.name FROM j JOIN sessions s ON s.id = j.session
            WHERE j.screen = :screen AND j.platform = :platform
            GROUP BY s.id ORDER BY sum(j.late) DESC, s.id DESC LIMIT 3
            """,
            ["service": app.service, "platform": app.platform, "screen": screen],
        )
    }
}
