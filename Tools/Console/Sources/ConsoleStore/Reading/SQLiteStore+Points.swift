import AstrolabeTelemetryModel
package import ConsoleModel

extension SQLiteStore {
    /// Returns at most `limit` metric points with sequence numbers in `range`, lowest first.
    ///
    /// A point of a cumulative series counts from the point before it by time, of those of its run that had arrived
    /// before: see ``CumulativeRun``. A point that arrived after a later one adds nothing, because the later one has
    /// counted it; this is looked for among the next 100. So the values of a series add up to its total: see
    /// ``MetricTotal``.
    package func points(
        arrivedIn range: ClosedRange<Int64>, limit: Int,
    ) async throws(StoreError) -> Arrivals<StoredPoint> {
        try await read { database in
            let cumulative = AggregationTemporality.cumulative.rawValue
            let rows = try database.rows(
                """
                SELECT p.seq, p.time, e.name, e.unit, e.kind, e.attributes, e.resource, x.name, p.value, p.count,
                    p.histogram, e.temporality = \(cumulative), e.monotonic,
                    (SELECT b.seq FROM points b WHERE b.series = p.series AND b.time < p.time AND b.seq < p.seq
                        AND b.start > p.start - \(CumulativeRun.tolerance)
                        AND b.start < p.start + \(CumulativeRun.tolerance) ORDER BY b.time DESC LIMIT 1),
                    e.temporality = \(cumulative) AND EXISTS (
                        SELECT 1 FROM (SELECT seq FROM points WHERE series = p.series AND time > p.time
                            ORDER BY time LIMIT 100) WHERE seq < p.seq),
                    \(CumulativeRun.countsInFull("p.")), e.scope
                FROM points p JOIN series e ON e.id = p.series LEFT JOIN sessions x ON x.id = e.session
                WHERE p.seq BETWEEN ? AND ? ORDER BY p.seq LIMIT ?
                """,
                [range.lowerBound, range.upperBound, limit],
            )
            let records = try rows.map { row in
                var before: StoredRow?
                if row.isTrue(11), let seq = row.optionalInteger(13) {
                    before = try database.firstRow("SELECT value, count, histogram FROM points WHERE seq = ?", [seq])
                }
                return StoredPoint(row, before: before)
            }
            return try Arrivals(
                records, sessions: records.map(\.session), try database.trimmedThrough(), in: database)
        }
    }
}

extension StoredPoint {
    /// - Parameters:
    ///   - row: A row of the query above.
    ///   - before: Value, count and contents of the point before, for a cumulative series.
    fileprivate init(_ row: StoredRow, before: StoredRow?) {
        let kind: MetricKind = row.kind(4) ?? .gauge
        let isCumulative = row.isTrue(11)
        // A later point has counted this one.
        let isCounted = isCumulative && row.isTrue(14)
        func increase(_ value: Double?, _ earlier: Double?) -> Double? {
            guard isCumulative, let value else { return value }
            if isCounted { return 0 }
            // Up-down counters have a level, which their points add up to.
            let isLevel = kind == .sum && !row.isTrue(12)
            if before == nil { return isLevel || row.isTrue(15) ? value : 0 }
            // A monotonic counter that decreased was reset.
            guard let earlier, kind != .sum || !row.isTrue(12) || value >= earlier else { return value }
            return value - earlier
        }
        var (value, count, sum) = (Double?.none, Double?.none, Double?.none)
        var (least, most) = (Double?.none, Double?.none)
        var distribution: Distribution?
        if let number = row.optionalInteger(9) {
            let contents = JSONText.attributes(in: row.text(10)) ?? [:]
            let earlier = before.flatMap { JSONText.attributes(in: $0.text(2)) }
            count = increase(Double(number), before?.optionalInteger(1).map { Double($0) })
            sum = increase(contents["sum"]?.number, earlier?["sum"]?.number)
            if !isCumulative {
                (least, most) = (contents["min"]?.number, contents["max"]?.number)
                distribution = Distribution(kind, contents: [row.text(10)], isCumulative: false)
            }
        } else {
            value = kind == .gauge ? row.number(8) : increase(row.number(8), before?.number(0))
        }
        self.init(
            seq: row.integer(0), timeUnixNano: row.integer(1), name: row.text(2), unit: row.text(3), kind: kind,
            attributesText: row.text(5), value: value, count: count, sum: sum, min: least, max: most,
            median: distribution?.median, p95: distribution?.p95, session: row.optionalText(7),
            origin: row.integer(6), scope: row.integer(16))
    }
}
