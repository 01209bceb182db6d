import GRDB

extension TelemetryStore {
    /// Returns metrics by name, each with its most recently changed series.
    ///
    /// - Parameters:
    ///   - session: Only series with this `session.id`; `nil` for all.
    ///   - seriesLimit: The maximum number of series per metric, 1 to 200.
    ///   - pointLimit: The maximum number of points per series, 1 to 1,000.
    package func metrics(
        session: String? = nil, seriesLimit: Int = 12, pointLimit: Int = 60,
    ) async throws(StoreError) -> [MetricOverview] {
        let seriesLimit = min(max(seriesLimit, 1), 200)
        let pointLimit = min(max(pointLimit, 1), 1_000)
        return try await read { database in
            let reader = MetricReader(database: database, pointLimit: pointLimit)
            let names = try Row.fetchAll(
                database, sql: "SELECT DISTINCT name, unit, kind FROM series ORDER BY name, unit, kind LIMIT 1000",
            )
            return try names.compactMap { row in
                try reader.overview(name: row[0], unit: row[1], kind: row[2], session: session, limit: seriesLimit)
            }
        }
    }
}

private struct MetricReader {
    let database: Database
    let pointLimit: Int

    func overview(
        name: String, unit: String, kind: Int64, session: String?, limit: Int,
    ) throws -> MetricOverview? {
        let statement = try database.cachedStatement(
            sql: """
                SELECT e.id, e.description, e.resource, ifnull(e.attributes, '{}'), e.monotonic, e.temporality, x.name
                FROM series e LEFT JOIN sessions x ON x.id = e.session
                WHERE e.name = ? AND e.unit = ? AND e.kind = ? AND (?4 IS NULL OR x.name = ?4)
                ORDER BY e.last_seq DESC LIMIT ?5
                """
        )
        let rows = try Row.fetchAll(statement, arguments: [name, unit, kind, session, limit + 1])
        guard let first = rows.first else { return nil }
        let origins = try database.origins(rows.map { $0[2] as Int64 })
        let series = try rows.prefix(limit).compactMap { row -> MetricSeries? in
            guard let origin = origins[row[2] as Int64] else { return nil }
            return MetricSeries(
                id: row[0], origin: origin, session: row[6], attributesText: row[3], isMonotonic: row[4],
                isCumulative: row[5] == 2, points: try points(of: row[0]),
            )
        }
        return MetricOverview(
            name: name,
            description: first[1],
            unit: unit,
            kind: MetricKind(rawValue: UInt8(clamping: kind)) ?? .gauge,
            series: series,
            isTruncated: rows.count > limit,
        )
    }

    private func points(of series: Int64) throws -> [MetricSeries.Point] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT time, value, count, ifnull(histogram, '') FROM points WHERE series = ?
                ORDER BY time DESC LIMIT ?
                """
        )
        return try Row.fetchAll(statement, arguments: [series, pointLimit]).reversed().map { row in
            MetricSeries.Point(
                timeUnixNano: UInt64(clamping: row[0] as Int64), value: row[1], count: row[2], histogramText: row[3],
            )
        }
    }
}
