import GRDB

/// A `service.name` and what it has sent.
package struct ServiceSummary: Sendable, Hashable {
    package let name: String
    package let side: OriginSide
    /// Records received under the resources that are still known; retention does not lower these.
    package let spans: Int
    package let logs: Int
    package let metricPoints: Int
    /// Of session replays; they are no logs here.
    package let replayFrames: Int
}

/// How much the store holds.
package struct StoreStatistics: Sendable, Hashable {
    package let sessions: Int
    package let traces: Int
    package let devices: Int
    /// Records received since the file was made, those included that retention has removed.
    package let received: Int
    /// Bytes of the file that hold data.
    package let bytes: Int
    package let bytesLimit: Int
    package let cursor: Int64
}

extension TelemetryStore {
    /// Services, by name.
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
