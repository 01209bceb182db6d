import AstrolabeTelemetryModel
import ConsoleModel

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
            parted AS (
                SELECT p.series, p.time, p.start, p.value, p.integer, p.start - lag(p.start) OVER
                    (PARTITION BY p.series ORDER BY p.start, p.time) >= \(CumulativeRun.tolerance) AS begins
                FROM chosen c CROSS JOIN points p ON p.series = c.id
                WHERE c.is_cumulative AND c.monotonic AND p.value IS NOT NULL),
            numbered AS (
                SELECT series, time, start, value, integer,
                    total(begins) OVER (PARTITION BY series ORDER BY start, time) AS run FROM parted),
            differenced AS (
                SELECT series, time, start, value, integer, lag(value) OVER line AS before,
                    lag(integer) OVER line AS integer_before, \(CumulativeRun.countsInFull("")) AS is_full
                FROM numbered WINDOW line AS (PARTITION BY series, run ORDER BY time)),
            increments AS (
                SELECT p.series, p.time, p.start AS since, p.value, p.integer FROM chosen c
                CROSS JOIN points p ON p.series = c.id WHERE NOT c.is_cumulative AND p.value IS NOT NULL
                UNION ALL
                SELECT series, time, iif(before IS NOT NULL, NULL, iif(is_full, start, time)),
                    CASE WHEN before IS NOT NULL THEN iif(value >= before, value - before, value)
                        WHEN is_full THEN value ELSE 0 END,
                    CASE WHEN before IS NOT NULL THEN
                            iif(integer >= integer_before, integer - integer_before, integer)
                        WHEN is_full OR integer IS NULL THEN integer ELSE 0 END
                FROM differenced
                UNION ALL
                SELECT p.series, max(p.time), p.start, p.value, p.integer FROM chosen c
                CROSS JOIN points p ON p.series = c.id
                WHERE c.is_cumulative AND NOT c.monotonic AND p.value IS NOT NULL GROUP BY p.series)
            SELECT series, total(value), count(*) = count(integer), sum(integer >> 32), sum(integer & 0xffffffff),
                min(since), max(time)
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
                        fromUnixNano: row.nanoseconds(5), throughUnixNano: row.nanoseconds(6)),
                )
            }, uniquingKeysWith: { first, _ in first })
    }
}
