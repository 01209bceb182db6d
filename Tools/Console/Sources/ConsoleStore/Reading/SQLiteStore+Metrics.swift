import AstrolabeTelemetryModel
package import ConsoleModel

extension SQLiteStore {
    /// Returns metrics, ordered by name.
    package func metrics(_ query: MetricQuery = MetricQuery()) async throws(StoreError) -> Page<MetricOverview> {
        let limit = min(max(query.limit, 1), 1_000)
        let after = MetricCursor(query.cursor) ?? MetricCursor(name: "", unit: "", kind: -1)
        return try await read { database in
            let reader = MetricReader(database: database, pointLimit: min(max(query.pointLimit, 1), 1_000))
            let names = try database.rows(
                """
                SELECT DISTINCT name, unit, kind FROM series WHERE (name, unit, kind) > (?, ?, ?)
                ORDER BY name, unit, kind LIMIT ?
                """,
                [after.name, after.unit, after.kind, limit + 1],
            ).map { MetricCursor(name: $0.text(0), unit: $0.text(1), kind: $0.integer(2)) }
            return Page(
                elements: try names.prefix(limit).compactMap { metric in
                    try reader.overview(
                        name: metric.name, unit: metric.unit, kind: metric.kind, session: query.session,
                        limit: min(max(query.seriesLimit, 1), 200),
                    )
                },
                next: names.count > limit ? names[limit - 1].text : nil,
                isComplete: true,
                cursor: try database.lastSeq(),
            )
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
            SELECT e.id, e.description, e.resource, ifnull(e.attributes, '{}'), e.monotonic, e.temporality, x.name,
                e.scope, e.metadata
            FROM series e LEFT JOIN sessions x ON x.id = e.session
            WHERE e.id IN (
                SELECT id FROM series WHERE name = ?1 AND unit = ?2 AND kind = ?3
                    AND (?4 IS NULL OR session = (SELECT id FROM sessions WHERE name = ?4))
                ORDER BY last_seq DESC LIMIT ?5)
            ORDER BY e.last_seq DESC
            """,
            [name, unit, kind, session, limit + 1],
        )
        guard let first = rows.first else { return nil }
        let origins = try database.origins(rows.map { $0.integer(2) })
        let scopes = try database.scopes(rows.map { $0.integer(7) })
        let metricKind = MetricKind(rawValue: UInt8(clamping: kind)) ?? .gauge
        let totals =
            metricKind == .sum
            ? try TotalReader(database: database).totals(name: name, unit: unit, kind: kind, session: session) : nil
        let series = try rows.prefix(limit).compactMap { row -> MetricSeries? in
            guard let origin = origins[row.integer(2)] else { return nil }
            let points = try points(of: row.integer(0))
            let isCumulative = row.integer(5) == Int64(AggregationTemporality.cumulative.rawValue)
            let contents = points.map(\.contentsText)
            return MetricSeries(
                id: row.integer(0), origin: origin, session: row.optionalText(6), attributesText: row.text(3),
                isMonotonic: row.isTrue(4), isCumulative: isCumulative, points: points,
                distribution: Distribution(metricKind, contents: contents, isCumulative: isCumulative),
                total: totals?[row.integer(0)], scope: scopes[row.integer(7)], metadataText: row.text(8),
            )
        }
        return MetricOverview(
            name: name,
            description: first.text(1),
            unit: unit,
            kind: metricKind,
            total: totals?.values.reduce(into: MetricTotal(), +=),
            series: series,
            isTruncated: rows.count > limit,
        )
    }

    private func points(of series: Int64) throws -> [MetricSeries.Point] {
        try database.rows(
            """
            SELECT time, start, value, integer, count, histogram, exemplars FROM points WHERE series = ?
            ORDER BY time DESC LIMIT ?
            """,
            [series, pointLimit],
        ).reversed().map { row in
            MetricSeries.Point(
                timeUnixNano: row.nanoseconds(0), startUnixNano: row.nanoseconds(1), value: row.number(2),
                integer: row.optionalInteger(3), count: row.optionalInteger(4).map { Int(clamping: $0) },
                contentsText: row.text(5), exemplarsText: row.text(6),
            )
        }
    }
}
