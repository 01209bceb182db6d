import AstrolabeTelemetryModel

extension SQLiteStore {
    /// Returns a metric over time; `nil` if it is unknown.
    package func metricDetail(_ query: MetricDetailQuery) async throws(StoreError) -> MetricDetail? {
        try await read { database in
            try MetricDetailReader(database: database, query: query).detail()
        }
    }
}

/// Adds up the points of a metric's series within one read transaction.
private struct MetricDetailReader {
    let database: QueryConnection
    let query: MetricDetailQuery

    private static let budget: Duration = .seconds(3)
    private static let exemplarLimit = 50

    private struct Series {
        let id: Int64
        let attributes: Attributes
        let resource: Attributes
        let isCumulative: Bool
        let isMonotonic: Bool
    }

    func detail() throws -> MetricDetail? {
        let rows = try database.rows(
            """
            SELECT id, description, unit, kind, resource, ifnull(attributes, '{}'), temporality, monotonic FROM series
            WHERE name = ? ORDER BY last_seq DESC
            """,
            [query.name],
        )
        // A name stands for one metric; another unit or kind under the same name is another one.
        guard let first = rows.first, let kind = MetricKind(rawValue: UInt8(clamping: first.integer(3))) else {
            return nil
        }
        let same = rows.filter { $0.text(2) == first.text(2) && $0.integer(3) == first.integer(3) }
        let origins = try database.origins(same.map { $0.integer(4) })
        let series = same.map { row in
            Series(
                id: row.integer(0), attributes: JSONText.attributes(in: row.text(5)) ?? [:],
                resource: origins[row.integer(4)]?.attributes ?? [:],
                isCumulative: row.integer(6) == Int64(AggregationTemporality.cumulative.rawValue),
                isMonotonic: row.isTrue(7), )
        }
        var sums: [AttributeValue?: [MetricSum]] = [:]
        var exemplars: [MetricDetail.Exemplar] = []
        let deadline = ContinuousClock.now + Self.budget
        var isComplete = true
        let statement = try database.prepare(Self.points)
        let bounds = query.steps[0].lowerBound..<query.steps[query.steps.count - 1].upperBound
        for series in series {
            isComplete = isComplete && ContinuousClock.now < deadline
            guard isComplete else { break }
            let key = query.group.flatMap { series.attributes[$0] ?? series.resource[$0] }
            var steps = sums.removeValue(forKey: key) ?? Array(repeating: MetricSum(), count: query.steps.count)
            var reader = PointReader(kind: kind, isCumulative: series.isCumulative, isMonotonic: series.isMonotonic)
            try statement.forEachRow([series.id, bounds.lowerBound, bounds.upperBound, series.isCumulative ? 1 : 0]) {
                row in
                let measured = reader.read(row)
                guard let step = step(of: row.integer(0)) else { return true }
                measured?.add(to: &steps[step])
                exemplars += Self.exemplars(row.text(5))
                return true
            }
            sums[key] = steps
            exemplars = Array(exemplars.sorted { $0.timeUnixNano > $1.timeUnixNano }.prefix(Self.exemplarLimit))
        }
        let isCounter = kind == .sum && series[0].isMonotonic
        return MetricDetail(
            name: query.name, description: first.text(1), unit: first.text(2), kind: kind, isCounter: isCounter,
            groups: groups(sums), keys: keys(series), exemplars: exemplars, seriesCount: series.count,
            isComplete: isComplete, )
    }
    /// The points of a series in the time, and for a cumulative series the last one before it of each run.
    private static let points = """
        SELECT max(time), start, value, count, histogram, exemplars FROM points
        WHERE ?4 AND series = ?1 AND time < ?2 GROUP BY start
        UNION ALL
        SELECT time, start, value, count, histogram, exemplars FROM points WHERE series = ?1 AND time >= ?2 AND time < ?3
        ORDER BY 1
        """

    private func step(of time: Int64) -> Int? {
        let index = query.steps.firstIndex { time < $0.upperBound }
        return index.flatMap { query.steps[$0].contains(time) ? $0 : nil }
    }

    private func groups(_ sums: [AttributeValue?: [MetricSum]]) -> [MetricDetail.Group] {
        func total(_ steps: [MetricSum]) -> MetricSum { steps.reduce(into: MetricSum(), +=) }
        func weight(_ sum: MetricSum) -> Double { sum.count > 0 ? sum.count : sum.sum.magnitude }
        let all = sums.map { MetricDetail.Group(key: $0, isOther: false, steps: $1, total: total($1)) }
            .filter { $0.total.points > 0 }
            .sorted { left, right in
                let (first, second) = (weight(left.total), weight(right.total))
                return first != second ? first > second : "\(left.key, default: "")" < "\(right.key, default: "")"
            }
        let rest = all.dropFirst(query.groupLimit)
        guard !rest.isEmpty else { return all }
        let steps = rest.reduce(into: Array(repeating: MetricSum(), count: query.steps.count)) { sums, group in
            for (index, sum) in group.steps.enumerated() { sums[index] += sum }
        }
        return all.prefix(query.groupLimit)
            + [MetricDetail.Group(key: nil, isOther: true, steps: steps, total: total(steps))]
    }

    /// The attributes that do not have the same value in all series.
    private func keys(_ series: [Series]) -> [String] {
        var values: [String: Set<AttributeValue?>] = [:]
        for name in Set(series.flatMap { $0.attributes.map(\.key) + $0.resource.map(\.key) }) {
            values[name] = Set(series.map { $0.attributes[name] ?? $0.resource[name] })
        }
        return values.filter { $0.value.count > 1 }.keys.sorted()
    }

    private static func exemplars(_ text: String) -> [MetricDetail.Exemplar] {
        guard !text.isEmpty else { return [] }
        return (JSONText.value(in: text)?.elements ?? []).compactMap { element in
            guard let fields = element.members, let value = fields["value"]?.number,
                let trace = fields["traceId"]?.stringValue.flatMap({ TraceID(hex: $0) })
            else { return nil }
            return MetricDetail.Exemplar(
                timeUnixNano: UInt64(clamping: fields["time"]?.intValue ?? 0), value: value, traceID: trace,
                spanID: fields["spanId"]?.stringValue.flatMap { SpanID(hex: $0) } ?? .invalid, )
        }
    }
}

/// Reads the points of one series in their order, and differences those of a cumulative one.
///
/// A cumulative point counts by what it exceeds the previous point of the same run. It counts in full if it is the
/// first of its run or a count fell, as in ``MetricTotal``.
private struct PointReader {
    let kind: MetricKind
    let isCumulative: Bool
    let isMonotonic: Bool
    /// The last value of each run, by its start. Runs of two processes with the same attributes alternate.
    private var values: [Int64: Double] = [:]
    private var contents: [Int64: Attributes] = [:]

    init(kind: MetricKind, isCumulative: Bool, isMonotonic: Bool) {
        self.kind = kind
        self.isCumulative = isCumulative
        self.isMonotonic = isMonotonic
    }

    /// What a point adds.
    enum Measured {
        case value(Double)
        case growth(Double)
        case distribution([Distribution.Bucket], least: Double?, most: Double?)

        func add(to sum: inout MetricSum) {
            switch self {
            case .value(let value): sum.add(value: value)
            case .growth(let growth): sum.add(growth: growth)
            case .distribution(let buckets, let least, let most): sum.add(buckets, extremes: (least, most))
            }
        }
    }

    /// - Returns: `nil` if the sender recorded no value.
    mutating func read(_ row: StoredRow) -> Measured? {
        let start = row.integer(1)
        switch kind {
        case .gauge, .summary: return row.number(2).map { .value($0) }
        case .sum:
            guard let now = row.number(2) else { return nil }
            guard isMonotonic else { return isCumulative ? .value(now) : .growth(now) }
            guard isCumulative else { return .growth(now) }
            let before = values.updateValue(now, forKey: start) ?? 0
            return .growth(now >= before ? now - before : now)
        case .histogram, .exponentialHistogram:
            guard let now = JSONText.attributes(in: row.text(4)) else { return nil }
            let before = isCumulative ? contents.updateValue(now, forKey: start) : nil
            let buckets =
                kind == .histogram
                ? Self.explicit(now, since: before) : Self.exponential(now, since: before)
            // A cumulative point's extremes are those of its whole run.
            return .distribution(
                buckets, least: isCumulative ? nil : now["min"]?.number, most: isCumulative ? nil : now["max"]?.number,
            )
        }
    }

    private static func exponential(_ now: Attributes, since before: Attributes?) -> [Distribution.Bucket] {
        guard let histogram = ExponentialHistogram(now) else { return [] }
        let earlier = before.flatMap { ExponentialHistogram($0) }
        return (earlier.flatMap { histogram.since($0) } ?? histogram).buckets
    }

    private static func counts(_ point: Attributes) -> [Double] {
        (point["counts"]?.elements ?? []).map { max($0.number ?? 0, 0) }
    }

    private static func explicit(_ now: Attributes, since before: Attributes?) -> [Distribution.Bucket] {
        var counts = Self.counts(now)
        if let before, before["bounds"] == now["bounds"] {
            let grown = zip(counts, Self.counts(before)).map { $0 - $1 }
            if grown.count == counts.count, grown.allSatisfy({ $0 >= 0 }) { counts = grown }
        }
        let bounds = (now["bounds"]?.elements ?? []).map { $0.number ?? 0 }
        let ends = zip([-Double.infinity] + bounds, bounds + [Double.infinity])
        return zip(ends, counts).compactMap { ends, count in
            count > 0 ? Distribution.Bucket(from: ends.0, to: ends.1, count: count) : nil
        }
    }
}
