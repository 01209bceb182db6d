import AstrolabeSemantics
import AstrolabeTelemetryModel
package import ConsoleModel

/// Releases, and screens with late frames.
extension ClickHouseStore {
    private static let service = "CAST(ServiceName AS String)"

    /// SQL of the platform of a resource, as `AppPlatform` has it.
    private static let platform = """
        if(ResourceAttributes['\(AttributeKey.telemetrySDKLanguage)'] = '\(AppPlatform.browserLanguage)', \
        '\(AppPlatform.web)', ResourceAttributes['\(AttributeKey.osName)'])
        """

    /// Returns an SQL condition for rows of a service; of all if there is none.
    private static func isOf(_ service: String?, in statement: inout Statement) -> String {
        service.map { "ServiceName = \(statement.bind($0))" } ?? "true"
    }

    /// Returns the versions of the apps of devices, by app and platform. Crashes and hangs count after they are
    /// indexed.
    package func releases(service: String?) async throws(StoreError) -> [Release] {
        var statement = Statement()
        let isOfService = Self.isOf(service, in: &statement)
        let sessions = RecordSource.sessions(configuration.milestones, in: &statement)
        let version = "ResourceAttributes['\(AttributeKey.serviceVersion)']"
        statement.text = """
            WITH \(SQLValue.functions.joined(separator: ", ")) \
            SELECT service, platform, version, uniqExactIf(session, session != ''), \
            uniqExactIf(session, isCrash AND session != ''), \
            uniqExactIf(installation, installation != '' AND session != ''), \
            uniqExactIf(installation, isCrash AND installation != ''), \
            countIf(isCrash), countIf(isHang), sum(duration), minIf(time, session != ''), maxIf(time, session != '') FROM \
            (SELECT \(Self.service) AS service, \(Self.platform) AS platform, \(version) AS version, session, \
            ResourceAttributes['\(AttributeKey.appInstallationID)'] AS installation, \
            false AS isCrash, false AS isHang, 0. AS duration, toInt64(start) AS time \
            FROM \(sessions.table("true")) WHERE \(RecordSource.isDevice) AND \(isOfService) \
            UNION ALL SELECT \(Self.service), \(Self.platform), toString(Version), SessionId, Installation, \
            Kind = \(IssueKind.crash.rawValue), Kind = \(IssueKind.hang.rawValue), ifNull(Duration, 0.), \
            toUnixTimestamp64Nano(Timestamp) \
            FROM \(IssueTable.rows) WHERE \(isOfService)) GROUP BY service, platform, version \
            HAVING uniqExactIf(session, session != '') > 0
            """
        let frames = try await frames(by: [Self.service, Self.platform, version], service: service)
        let asked = statement
        let releases = try await asking {
            try await self.client.rows(asked) { reader in
                let app = AppPlatform(service: try reader.string(), platform: try reader.string())
                let version = try reader.string()
                let counts = try (0..<6).map { _ in Int(clamping: try reader.integer(UInt64.self)) }
                return Release(
                    app: app, version: version, sessions: counts[0], crashedSessions: counts[1], users: counts[2],
                    crashedUsers: counts[3], crashes: counts[4], hangs: counts[5], hangTime: try reader.double(),
                    frames: frames[[app.service, app.platform, version]] ?? FrameCounts(),
                    firstUnixNano: UInt64(clamping: try reader.integer(Int64.self)),
                    lastUnixNano: UInt64(clamping: try reader.integer(Int64.self)))
            }
        }
        return Release.newest(of: releases)
    }

    /// Counts frames from the app's histogram of frame durations. Of a cumulative series, the last point of each run
    /// has the total.
    ///
    /// - Parameter keys: SQL of the texts by which frames are counted.
    private func frames(
        by keys: [String], service: String?,
    ) async throws(StoreError) -> [[String]: FrameCounts] {
        var statement = Statement()
        let isOfService = Self.isOf(service, in: &statement)
        let key = "[\(keys.map { "toString(\($0))" }.joined(separator: ", "))]"
        let rows = PointRows(table: .histograms)
        let points = """
            SELECT * FROM \(rows.table.rawValue) WHERE MetricName = '\(MetricName.frameDuration)' AND \(isOfService) AND
            """
        func over(_ bound: Double) -> String {
            let index = "arrayFirstIndex(bound -> bound >= \(bound - 0.000_1), ExplicitBounds)"
            return "if(\(index) = 0, 0, arraySum(arraySlice(BucketCounts, \(index) + 1)))"
        }
        statement.text = """
            SELECT \(key) AS key, toUInt64(sum(arraySum(BucketCounts))), \
            toUInt64(sum(\(over(FrameCounts.slowBound)))), toUInt64(sum(\(over(FrameCounts.frozenBound)))) FROM \
            (SELECT * FROM (\(points) \(rows.isCumulative) \
            ORDER BY TimeUnix DESC LIMIT 1 BY \(rows.series), StartTimeUnix) \
            UNION ALL \(points) NOT (\(rows.isCumulative))) \
            WHERE length(BucketCounts) = length(ExplicitBounds) + 1 GROUP BY key
            """
        let asked = statement
        let counts = try await asking {
            try await self.client.rows(asked) { reader in
                let key = try reader.array { try $0.string() }
                let counts = try (0..<3).map { _ in Int(clamping: try reader.integer(UInt64.self)) }
                return (key, FrameCounts(frames: counts[0], slow: counts[1], frozen: counts[2]))
            }
        }
        return Dictionary(counts) { first, _ in first }
    }

    /// Returns the screens with late frames, most slow frames first; at most 200.
    package func slowScreens(service: String?) async throws(StoreError) -> [SlowScreen] {
        let screen = "Attributes['\(AttributeKey.appScreenName)']"
        let frames = try await frames(by: [Self.service, Self.platform, screen], service: service)
        var statement = Statement()
        let isOfService = Self.isOf(service, in: &statement)
        func number(_ key: String) -> String { "ifNull(\(SQLValue.number(inText: "LogAttributes['\(key)']")), 0.)" }
        statement.text = """
            WITH \(SQLValue.functions.joined(separator: ", ")) \
            SELECT service, platform, screen, sumIf(total, threshold < 0.1), sumIf(late, threshold < 0.1) AS slow, \
            sumIf(late, threshold >= 0.1), max(longest), sumIf(period, threshold < 0.1), \
            uniqExactIf(session, session != ''), max(time), \
            arraySlice(arrayReverseSort((name, number) -> (number, name), \
            sumMapIf([session], [late], session != '').1, sumMapIf([session], [late], session != '').2), 1, 3) FROM \
            (SELECT \(Self.service) AS service, \(Self.platform) AS platform, \
            LogAttributes['\(AttributeKey.appScreenName)'] AS screen, \
            \(RecordSource.session(attributes: "LogAttributes")) AS session, toUnixTimestamp64Nano(Timestamp) AS time, \
            \(number(AttributeKey.appJankThreshold)) AS threshold, \(number(AttributeKey.appJankFrameCount)) AS late, \
            \(number(AttributeKey.astrolabeJankFrames)) AS total, \(number(AttributeKey.appJankPeriod)) AS period, \
            \(number(AttributeKey.astrolabeJankLongest)) AS longest \
            FROM \(OTelTable.logs.rawValue) WHERE EventName = '\(EventName.appJank)' AND \(isOfService)) \
            GROUP BY service, platform, screen ORDER BY slow DESC, screen, service, platform LIMIT 200 \
            SETTINGS \(SQLValue.settings)
            """
        let asked = statement
        let screens = try await asking {
            try await self.client.rows(asked) { reader in
                let app = AppPlatform(service: try reader.string(), platform: try reader.string())
                let screen = try reader.string()
                let late = try (0..<3).map { _ in Int(clamping: Int64(clamping: try reader.double())) }
                return SlowScreen(
                    app: app, screen: screen, late: FrameCounts(frames: late[0], slow: late[1], frozen: late[2]),
                    all: frames[[app.service, app.platform, screen]].flatMap { $0.frames > 0 ? $0 : nil },
                    longest: try reader.double(), period: try reader.double(),
                    sessions: Int(clamping: try reader.integer(UInt64.self)),
                    lastUnixNano: UInt64(clamping: try reader.integer(Int64.self)),
                    worstSessions: try reader.array { try $0.string() })
            }
        }
        return SlowScreen.worst(of: screens)
    }
}
