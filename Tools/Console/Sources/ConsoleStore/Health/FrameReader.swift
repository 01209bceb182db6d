import AstrolabeSemantics
import AstrolabeTelemetryModel
import ConsoleModel

/// Counts frames from the app's histogram of frame durations.
struct FrameReader {
    let database: QueryConnection

    /// The maximum number of series to read: the newest of each service, in turns.
    var seriesLimit = 20_000

    /// Returns the frame counts by keys.
    ///
    /// - Parameters:
    ///   - keys: SQL expressions over `series` (alias `e`) and `resources` (alias `r`).
    ///   - service: Only frames of this service.
    func counts(by keys: [String], service: String?) throws -> [[String]: FrameCounts] {
        let named = keys.enumerated().map { "\($1) AS key\($0)" }.joined(separator: ", ")
        let names = keys.indices.map { "key\($0)" }.joined(separator: ", ")
        let series = try database.rows(
            """
            SELECT id, temporality, \(names) FROM (
                SELECT e.id AS id, e.temporality AS temporality, \(named),
                    row_number() OVER (PARTITION BY r.service ORDER BY e.id DESC) AS turn
                FROM series e JOIN resources r ON r.id = e.resource
                WHERE e.name = :name AND e.kind = \(MetricKind.histogram.rawValue)
                    AND (:service IS NULL OR r.service = :service))
            ORDER BY turn, id DESC LIMIT :limit
            """,
            ["name": MetricName.frameDuration, "service": service, "limit": seriesLimit],
        )
        var sums: [[String]: FrameCounts] = [:]
        for row in series {
            let isCumulative = row.integer(1) == Int64(AggregationTemporality.cumulative.rawValue)
            sums[keys.indices.map { row.text($0 + 2) }, default: FrameCounts()] += try counts(
                series: row.integer(0), isCumulative: isCumulative,
            )
        }
        return sums
    }

    /// Counts the frames of one series. For a cumulative series, the last point of each run has the total.
    private func counts(series: Int64, isCumulative: Bool) throws -> FrameCounts {
        let sql =
            isCumulative
            ? "SELECT histogram, max(time) FROM points WHERE series = ? GROUP BY start"
            : "SELECT histogram FROM points WHERE series = ?"
        var sum = FrameCounts()
        try database.forEachRow(sql, [series]) { row in
            if let counts = Self.counts(row.text(0)) { sum += counts }
            return true
        }
        return sum
    }

    private static func counts(_ histogram: String) -> FrameCounts? {
        guard let fields = JSONText.attributes(in: histogram),
            let counts = fields["counts"]?.elements.map(Self.count),
            let bounds = fields["bounds"]?.elements.map({ $0.number ?? 0 }), counts.count == bounds.count + 1
        else { return nil }
        func over(_ limit: Double) -> Int {
            guard let index = bounds.firstIndex(where: { $0 >= limit - 0.000_1 }) else { return 0 }
            return counts[(index + 1)...].reduce(0) { $0.clampedSum($1) }
        }
        return FrameCounts(
            frames: counts.reduce(0) { $0.clampedSum($1) }, slow: over(FrameCounts.slowBound),
            frozen: over(FrameCounts.frozenBound),
        )
    }

    private static func count(_ value: AttributeValue) -> Int {
        Int(clamping: value.intValue ?? value.doubleValue.map { Int64(clamping: $0) } ?? 0)
    }
}
