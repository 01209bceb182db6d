import AstrolabeTelemetryModel

/// Sums the points of counters within one read transaction. See ``MetricTotal`` for the rules.
struct TotalReader {
    let database: QueryConnection

    /// Returns the totals of all series of a metric by their numbers.
    ///
    /// SQLite's sums of integers fail if they overflow, so the two halves of integers are added.
    func totals(name: String, unit: String, kind: Int64, session: String?) throws -> [Int64: MetricTotal] {
        let cumulative = AggregationTemporality.cumulative.rawValue
        let rows = try database.rows(
            """
            WITH chosen AS (
                SELECT id, temporality = \(cumulative) AS is_cumulative, monotonic FROM series
                WHERE name = ?1 AND unit = ?2 AND kind = ?3
                    AND (?4 IS NULL OR session = (SELECT id FROM sessions WHERE name = ?4))),
            increments AS (
                SELECT p.series, p.time, p.start, p.value, p.integer FROM chosen c
                CROSS JOIN points p ON p.series = c.id WHERE NOT c.is_cumulative AND p.value IS NOT NULL
                UNION ALL
                SELECT series, time, start, iif(value >= before, value - before, value),
                    iif(integer >= integer_before, integer - integer_before, integer)
                FROM (SELECT p.series, p.time, p.start, p.value, p.integer, lag(p.value) OVER run AS before,
                        lag(p.integer) OVER run AS integer_before
                    FROM chosen c CROSS JOIN points p ON p.series = c.id
                    WHERE c.is_cumulative AND c.monotonic AND p.value IS NOT NULL
                    WINDOW run AS (PARTITION BY p.series, p.start ORDER BY p.time))
                UNION ALL
                SELECT p.series, max(p.time), p.start, p.value, p.integer FROM chosen c
                CROSS JOIN points p ON p.series = c.id
                WHERE c.is_cumulative AND NOT c.monotonic AND p.value IS NOT NULL GROUP BY p.series)
            SELECT series, total(value), count(*) = count(integer), sum(integer >> 32), sum(integer & 0xffffffff),
                min(start), max(time)
            FROM increments GROUP BY series
            """,
            [name, unit, kind, session],
        )
        return Dictionary(
            rows.map { row in
                let integer = (Int128(row.integer(3)) << 32) + Int128(row.integer(4))
                return (
                    row.integer(0),
                    MetricTotal(
                        value: row.number(1) ?? 0, integer: row.isTrue(2) ? integer : nil,
                        fromUnixNano: row.nanoseconds(5), throughUnixNano: row.nanoseconds(6), ),
                )
            }, uniquingKeysWith: { first, _ in first }, )
    }
}
