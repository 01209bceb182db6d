import AstrolabeTelemetryModel
import ConsoleModel
import TelemetryQuery

/// SQL of what points add to their series.
enum PointSQL {
    /// The points of a table with `series`, `increment` and `since`.
    ///
    /// `increment` is what a number adds to its series. `since` is from when on it counts, or NULL if a point before
    /// says so.
    ///
    /// The increment is the point's value, or as ``CumulativeRun`` says if the series is cumulative. Here, a run is all
    /// points with the same start.
    static func increments(of rows: PointRows, where condition: String, columns: String = "*") -> String {
        """
        SELECT *, if(\(rows.isCumulative) AND before IS NOT NULL AND (NOT IsMonotonic OR Value >= before), \
        Value - assumeNotNull(before), \
        if(\(rows.isCumulative) AND IsMonotonic AND before IS NULL AND NOT \(countsInFull), 0., Value)) AS increment, \
        if(\(rows.isCumulative) AND IsMonotonic, if(before IS NOT NULL, NULL, \
        if(\(countsInFull), \(start), \(time))), \(start)) AS since FROM \
        (SELECT \(columns), \(rows.series) AS series, \(before("Value", run(rows))) AS before FROM \(rows.table.rawValue) \
        WHERE \(condition))
        """
    }

    private static let start = "toUnixTimestamp64Nano(StartTimeUnix)"
    private static let time = "toUnixTimestamp64Nano(TimeUnix)"

    /// SQL of whether the first point of a run counts in full.
    static let countsInFull = "(\(start) > 0 AND \(time) - \(start) <= \(CumulativeRun.longestStart))"

    /// SQL of the value of the point before, or NULL.
    static func before(_ value: String, _ run: String) -> String { "lagInFrame(toNullable(\(value))) OVER (\(run))" }

    /// The window of all points of a series with the same start, by time.
    static func run(_ rows: PointRows) -> String {
        "PARTITION BY MetricName, MetricUnit, \(rows.series), StartTimeUnix ORDER BY TimeUnix "
            + "ROWS BETWEEN 1 PRECEDING AND CURRENT ROW"
    }

    /// SQL of the populated buckets of a histogram: their lower bounds, upper bounds and counts, as `Distribution` has
    /// them.
    static let buckets = """
        if(empty(ExplicitBounds), ([], [], []), filled_buckets(\
        arrayPushFront(ExplicitBounds, least(if(hasEnds, Min, least(ExplicitBounds[1], 0)), ExplicitBounds[1])), \
        arrayPushBack(ExplicitBounds, greatest(if(hasEnds, Max, ExplicitBounds[-1]), ExplicitBounds[-1])), BucketCounts))
        """

    /// The same of an exponential histogram, the negative ones first.
    static let exponentialBuckets: String = {
        func bounds(_ sign: String, _ side: String, shift: Int) -> String {
            let (counts, exponent) = ("\(side)BucketCounts", "(\(side)Offset + i - \(shift)) * exp2(-Scale)")
            return "arrayMap((c, i) -> \(sign)exp2(\(exponent)), \(counts), arrayEnumerate(\(counts)))"
        }
        func all(_ negative: String, _ zero: String, _ positive: String) -> String {
            "arrayConcat(arrayReverse(\(negative)), [\(zero)], \(positive))"
        }
        let froms = all(bounds("-", "Negative", shift: 0), "0.", bounds("", "Positive", shift: 1))
        let tos = all(bounds("-", "Negative", shift: 1), "0.", bounds("", "Positive", shift: 0))
        let counts = all("NegativeBucketCounts", "ZeroCount", "PositiveBucketCounts")
        return "filled_buckets(\(froms), \(tos), \(counts))"
    }()

    /// The functions that these and percentiles of points use, for the start of a statement.
    static let functions: [String] = {
        func filled(_ array: String) -> String { "arrayFilter((x, c) -> c > 0, \(array), counts)" }
        let rank = "q * arraySum(counts)"
        // Within its bucket, values grow evenly, or by a constant factor if the bucket does not reach zero.
        let share = "(\(rank) - reached + c) / c"
        let value = "if(a > 0 OR b < 0, a * pow(b / a, \(share)), a + (b - a) * \(share))"
        let values = "arrayMap((a, b, c, reached) -> \(value), froms, tos, counts, arrayCumSum(counts))"
        return [
            "(froms, tos, counts) -> (\(filled("froms")), \(filled("tos")), "
                + "arrayMap(c -> toFloat64(c), \(filled("counts")))) AS filled_buckets",
            "(froms, tos, counts, q) -> "
                + "arrayFirst((value, reached) -> reached >= \(rank), \(values), arrayCumSum(counts)) AS bucket_quantile",
        ]
    }()
}

extension QueryPlan {
    /// The functions that only the dataset's table uses.
    var sourceFunctions: [String] { query.dataset == .metrics ? PointSQL.functions : [] }
}
