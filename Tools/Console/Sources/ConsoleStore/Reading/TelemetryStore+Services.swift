import GRDB

/// A `service.name` and the number of its records.
package struct ServiceSummary: Sendable, Hashable {
    package let name: String
    package let side: OriginSide
    /// The number of spans received from stored resources. Retention does not lower it.
    package let spans: Int
    package let logs: Int
    package let metricPoints: Int
    /// The number of session replay frames, which are not counted as logs.
    package let replayFrames: Int
}

/// The size of the store.
package struct StoreStatistics: Sendable, Hashable {
    package let sessions: Int
    package let traces: Int
    package let devices: Int
    /// The number of records received since the file was created, including those that retention removed.
    package let received: Int
    /// The number of bytes of the file that hold data.
    package let bytes: Int
    package let bytesLimit: Int
    package let cursor: Int64
}

extension TelemetryStore {
    /// Returns all services, sorted by name.
    package func services() async throws(StoreError) -> [ServiceSummary] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT service, max(lane), sum(spans), sum(logs), sum(points), sum(replays) FROM resources
                    GROUP BY service ORDER BY service LIMIT 1000
                    """,
            ).map { row in
                ServiceSummary(
                    name: row[0], side: OriginSide(rawValue: UInt8(clamping: row[1] as Int64)) ?? .backend,
                    spans: row[2],
                    logs: row[3], metricPoints: row[4], replayFrames: row[5],
                )
            }
        }
    }

    package func statistics() async throws(StoreError) -> StoreStatistics {
        let limit = configuration.retention.bytes
        return try await read { database in
            let counts = try Row.fetchOne(
                database,
                sql: """
                    SELECT (SELECT count(*) FROM sessions), (SELECT count(*) FROM traces),
                        (SELECT ifnull(sum(spans + logs + points + replays), 0) FROM resources),
                        (SELECT count(DISTINCT \(Schema.installation(of: "r"))) FROM resources r
                            WHERE \(Schema.isDevice("r")))
                    """,
            )
            return StoreStatistics(
                sessions: counts?[0] ?? 0,
                traces: counts?[1] ?? 0,
                devices: counts?[3] ?? 0,
                received: counts?[2] ?? 0,
                bytes: try Int(database.usedBytes()),
                bytesLimit: limit,
                cursor: try database.lastSeq(),
            )
        }
    }
}
