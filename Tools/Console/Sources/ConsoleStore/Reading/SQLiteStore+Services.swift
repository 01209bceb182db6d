import AstrolabePlatform
package import ConsoleModel

extension SQLiteStore {
    /// Returns all services, sorted by name.
    package func services() async throws(StoreError) -> [ServiceSummary] {
        try await read { database in
            try database.rows(
                """
                SELECT service, max(lane), sum(spans), sum(logs), sum(points), sum(replays),
                    max(json_type(attributes, '$."astrolabe.synthetic"') IS 'true') FROM resources
                GROUP BY service ORDER BY service LIMIT 1000
                """
            ).map { row in
                ServiceSummary(
                    name: row.text(0), side: row.kind(1) ?? .backend, spans: row.count(2), logs: row.count(3),
                    metricPoints: row.count(4), replayFrames: row.count(5), isSynthetic: row.isTrue(6),
                )
            }
        }
    }

    package func statistics() async throws(StoreError) -> StoreStatistics {
        let limit = configuration.retention.bytes
        let doubt = ages.withLock { $0.isInDoubt ? $0.difference : nil }
        return try await read { database in
            let counts = try database.firstRow(
                """
                SELECT (SELECT count(*) FROM sessions), (SELECT count(*) FROM traces),
                    (SELECT ifnull(sum(spans + logs + points + replays), 0) FROM resources),
                    (SELECT count(DISTINCT \(Schema.installation(of: "r"))) FROM resources r
                        WHERE \(Schema.isDevice("r")))
                """
            )
            let removed = try database.fact("received_of_removed_resources") ?? 0
            return StoreStatistics(
                sessions: counts?.count(0) ?? 0,
                traces: counts?.count(1) ?? 0,
                devices: counts?.count(3) ?? 0,
                received: (counts?.count(2) ?? 0) + Int(clamping: removed),
                expired: Int(clamping: try database.fact("expired") ?? 0),
                evicted: Int(clamping: try database.fact("evicted") ?? 0),
                bytes: Int(clamping: try database.usedBytes()),
                bytesLimit: limit,
                cursor: try database.lastSeq(),
                clockDoubt: doubt.map { .nanoseconds($0) },
            )
        }
    }
}
