import AstrolabeSemantics
package import ConsoleModel

/// Issues: crashes and hangs with the same cause.
extension ClickHouseStore {
    private static let day: Int64 = 86_400_000_000_000

    /// Returns issues of one kind: the crash that happened most often first, the hang that took the most time first.
    package func issues(_ query: IssueQuery) async throws(StoreError) -> [HealthIssue] {
        var statement = Statement()
        var condition = "Kind = \(query.kind.rawValue)"
        if let version = query.version { condition += " AND Version = \(statement.bind(version))" }
        if let service = query.service { condition += " AND ServiceName = \(statement.bind(service))" }
        let weight =
            switch query.kind {
            case .crash: "count()"
            case .hang: "sum(ifNull(Duration, 0.))"
            }
        return try await groups(condition, by: weight, statement, limit: min(max(query.limit, 1), 500))
    }

    package func issue(_ fingerprint: String) async throws(StoreError) -> HealthIssue? {
        var statement = Statement()
        let condition = "Fingerprint = \(statement.bind(fingerprint))"
        return try await groups(condition, by: "count()", statement, limit: 1).first
    }

    /// - Parameter weight: SQL of the number by which issues are ordered, the largest first.
    private func groups(
        _ condition: String, by weight: String, _ parameters: Statement, limit: Int,
    ) async throws(StoreError) -> [HealthIssue] {
        func latest(_ column: String) -> String { "argMax(\(column), (Timestamp, Id))" }
        // The most frequent first.
        func names(_ column: String) -> String {
            "arraySlice(arrayReverseSort((name, number) -> (number, name), "
                + "sumMapIf([toString(\(column))], [toUInt64(1)], \(column) != '').1, "
                + "sumMapIf([toString(\(column))], [toUInt64(1)], \(column) != '').2), 1, \(HealthIssue.nameLimit))"
        }
        var statement = parameters
        let time = "toUnixTimestamp64Nano(Timestamp)"
        statement.text = """
            SELECT Fingerprint, \(latest("Kind")), \(latest("Title")), \(latest("Place")), \(latest("WantedBuilds")), \
            count(), uniqExactIf(Installation, Installation != ''), uniqExactIf(SessionId, SessionId != ''), \
            \(names("ServiceName")), \(names("Version")), \(names("Screen")), \
            min(\(time)), max(\(time)), max(Duration), \
            if(count(Duration) = 0, NULL, sum(Duration)), \
            sumMap([intDiv(\(time), \(Self.day))], [toUInt64(1)]).1, \
            sumMap([intDiv(\(time), \(Self.day))], [toUInt64(1)]).2 \
            FROM \(IssueTable.rows) WHERE \(condition) GROUP BY Fingerprint \
            ORDER BY \(weight) DESC, max(Timestamp) DESC, Fingerprint LIMIT \(limit)
            """
        let asked = statement
        let today = Int64(clamping: configuration.now()) / Self.day
        return try await asking {
            try await self.client.rows(asked) { try HealthIssue(&$0, today: today) }
        }
    }

    /// Returns the crashes and hangs of an issue, newest first.
    package func issueEvents(of fingerprint: String, limit: Int) async throws(StoreError) -> [IssueEventSummary] {
        var statement = Statement()
        statement.text = """
            SELECT Id, Kind, toUnixTimestamp64Nano(Timestamp), SessionId, Installation, toString(Version), \
            toString(Screen), Duration FROM \(IssueTable.rows) WHERE Fingerprint = \(statement.bind(fingerprint)) \
            ORDER BY Timestamp DESC, Id DESC LIMIT \(min(max(limit, 1), 500))
            """
        let asked = statement
        return try await asking {
            try await self.client.rows(asked) { reader in
                let id = try reader.integer(Int64.self)
                let kind = IssueKind(rawValue: try reader.integer()) ?? .crash
                let time = UInt64(clamping: try reader.integer(Int64.self))
                let session = try reader.string()
                return IssueEventSummary(
                    seq: id, kind: kind, timeUnixNano: time, session: session.isEmpty ? nil : session,
                    installation: try reader.string(), appVersion: try reader.string(), screen: try reader.string(),
                    duration: try reader.optional { try $0.double() })
            }
        }
    }
}

extension HealthIssue {
    /// - Parameter today: Days since 1970.
    fileprivate init(_ reader: inout RowBinaryReader, today: Int64) throws {
        func count() throws -> Int { Int(clamping: try reader.integer(UInt64.self)) }
        func nanoseconds() throws -> UInt64 { UInt64(clamping: try reader.integer(Int64.self)) }
        let fingerprint = try reader.string()
        let kind = IssueKind(rawValue: try reader.integer()) ?? .crash
        let (title, place) = (try reader.string(), try reader.string())
        let wanted = try reader.array { try $0.string() }
        let (issueEvents, users, sessions) = (try count(), try count(), try count())
        let services = try reader.array { try $0.string() }
        let (versions, screens) = (try reader.array { try $0.string() }, try reader.array { try $0.string() })
        let (first, last) = (try nanoseconds(), try nanoseconds())
        let longest = try reader.optional { try $0.double() }
        let total = try reader.optional { try $0.double() }
        let days = try reader.array { try $0.integer(Int64.self) }
        let counts = try reader.array { Int(clamping: try $0.integer(UInt64.self)) }
        var perDay = [Int](repeating: 0, count: Self.days)
        for (day, count) in zip(days, counts) where (0..<Int64(Self.days)).contains(today - day) {
            perDay[Self.days - 1 - Int(today - day)] = count
        }
        self.init(
            fingerprint: fingerprint, kind: kind, title: title, place: place, wantedBuilds: wanted, count: issueEvents,
            users: users, sessions: sessions, services: services, versions: versions, screens: screens,
            firstUnixNano: first, lastUnixNano: last, longest: longest, total: total, perDay: perDay)
    }
}
