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
            let names = try database.rows(
                "SELECT DISTINCT name, unit, kind FROM series ORDER BY name, unit, kind LIMIT 1000"
            )
            return try names.compactMap { row in
                try reader.overview(
                    name: row.text(0), unit: row.text(1), kind: row.integer(2), session: session, limit: seriesLimit,
                )
            }
        }
    }
}

private struct MetricReader {
    let database: QueryConnection
    let pointLimit: Int

    func overview(
        name: String, unit: String, kind: Int64, session: String?, limit: Int,
    ) throws -> MetricOverview? {
        let rows = try database.rows(
            """
            SELECT e.id, e.description, e.resource, ifnull(e.attributes, '{}'), e.monotonic, e.temporality, x.name
            FROM series e LEFT JOIN sessions x ON x.id = e.session
            WHERE e.name = ?1 AND e.unit = ?2 AND e.kind = ?3 AND (?4 IS NULL OR x.name = ?4)
            ORDER BY e.last_seq DESC LIMIT ?5
            """,
            [name, unit, kind, session, limit + 1],
        )
        guard let first = rows.first else { return nil }
        let origins = try database.origins(rows.map { $0.integer(2) })
        let series = try rows.prefix(limit).compactMap { row -> MetricSeries? in
            guard let origin = origins[row.integer(2)] else { return nil }
            return MetricSeries(
                id: row.integer(0), origin: origin, session: row.optionalText(6), attributesText: row.text(3),
                isMonotonic: row.isTrue(4), isCumulative: row.integer(5) == 2, points: try points(of: row.integer(0)),
            )
        }
        return MetricOverview(
            name: name,
            description: first.text(1),
            unit: unit,
            kind: MetricKind(rawValue: UInt8(clamping: kind)) ?? .gauge,
            series: series,
            isTruncated: rows.count > limit,
        )
    }

    private func points(of series: Int64) throws -> [MetricSeries.Point] {
        try database.rows(
            "SELECT time, value, count, histogram FROM points WHERE series = ? ORDER BY time DESC LIMIT ?",
            [series, pointLimit],
        ).reversed().map { row in
            MetricSeries.Point(
                timeUnixNano: row.nanoseconds(0), value: row.number(1),
                count: row.optionalInteger(2).map { Int(clamping: $0) }, histogramText: row.text(3),
            )
        }
    }
}
