import AstrolabeTelemetryModel
package import ConsoleModel

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
    /// The number of series, the newest, whose attributes are compared.
    private static let keySample: Int64 = 1_000

    func detail() throws -> MetricDetail? {
        // A name stands for one metric; another unit or kind under the same name is another one.
        let newest =
            "SELECT description, unit, kind, monotonic FROM series WHERE name = ? ORDER BY last_seq DESC LIMIT 1"
        guard let first = try database.firstRow(newest, [query.name]),
            let kind = MetricKind(rawValue: UInt8(clamping: first.integer(2)))
        else { return nil }
        let metric: QueryArguments = [query.name, first.text(1), first.integer(2)]
        let count = try database.firstRow(
            "SELECT count(*) FROM series WHERE name = ? AND unit = ? AND kind = ?", metric)
        var sums: [AttributeValue?: [MetricSum]] = [:]
        var exemplars: [MetricDetail.Exemplar] = []
        var grouping = Grouping(database: database, name: query.group)
        let deadline = ContinuousClock.now + Self.budget
        var isComplete = true
        let points = try database.prepare(Self.points)
        let bounds = query.steps[0].lowerBound..<query.steps[query.steps.count - 1].upperBound
        try database.prepare(Self.series).forEachRow(metric) { series in
            isComplete = ContinuousClock.now < deadline
            guard isComplete else { return false }
            let isCumulative = series.integer(3) == Int64(AggregationTemporality.cumulative.rawValue)
            let key = try grouping.key(attributes: series.text(2), resource: series.integer(1))
            var reader = PointReader(kind: kind, isCumulative: isCumulative, isMonotonic: series.isTrue(4))
            try points.forEachRow([series.integer(0), bounds.lowerBound, bounds.upperBound, isCumulative ? 1 : 0]) {
                row in
                let measured = reader.read(row)
                guard let step = step(of: row.integer(0)) else { return true }
                measured?.add(to: &sums[key, default: Array(repeating: MetricSum(), count: query.steps.count)][step])
                exemplars += Self.exemplars(row.text(5))
                return true
            }
            if exemplars.count > Self.exemplarLimit { exemplars = Self.latest(exemplars) }
            return true
        }
        return MetricDetail(
            name: query.name, description: first.text(0), unit: first.text(1), kind: kind,
            isCounter: kind == .sum && first.isTrue(3), groups: groups(sums), keys: try keys(metric),
            exemplars: Self.latest(exemplars), seriesCount: Int(count?.integer(0) ?? 0), isComplete: isComplete)
    }

    /// The series of a metric, those of the newest sessions first.
    private static let series = """
        SELECT id, resource, ifnull(attributes, '{}'), temporality, monotonic FROM series
        WHERE name = ?1 AND unit = ?2 AND kind = ?3 ORDER BY session DESC
        """

    /// The points of a series in the time, and for a cumulative series the last one before it of each run.
    private static let points = """
        SELECT max(time), start, value, count, histogram, exemplars FROM points
        WHERE ?4 AND series = ?1 AND time < ?2 GROUP BY start
        UNION ALL
        SELECT time, start, value, count, histogram, exemplars FROM points
        WHERE series = ?1 AND time >= ?2 AND time < ?3 ORDER BY 1
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

    /// The attributes that do not have the same value in all of the newest series.
    private func keys(_ metric: QueryArguments) throws -> [String] {
        let rows = try database.rows(Self.series + " LIMIT \(Self.keySample)", metric)
        let origins = try database.origins(rows.map { $0.integer(1) })
        let series = rows.map { row in
            (JSONText.attributes(in: row.text(2)) ?? [:], origins[row.integer(1)]?.attributes ?? [:])
        }
        var values: [String: Set<AttributeValue?>] = [:]
        for name in Set(series.flatMap { $0.0.map(\.key) + $0.1.map(\.key) }) {
            values[name] = Set(series.map { $0.0[name] ?? $0.1[name] })
        }
        return values.filter { $0.value.count > 1 }.keys.sorted()
    }

    private static func latest(_ exemplars: [MetricDetail.Exemplar]) -> [MetricDetail.Exemplar] {
        Array(exemplars.sorted { $0.timeUnixNano > $1.timeUnixNano }.prefix(exemplarLimit))
    }

    private static func exemplars(_ text: String) -> [MetricDetail.Exemplar] {
        guard !text.isEmpty else { return [] }
        return (JSONText.value(in: text)?.elements ?? []).compactMap { element in
            guard let fields = element.members, let value = fields["value"]?.number,
                let trace = fields["traceId"]?.stringValue.flatMap({ TraceID(hex: $0) })
            else { return nil }
            return MetricDetail.Exemplar(
                timeUnixNano: UInt64(clamping: fields["time"]?.intValue ?? 0), value: value, traceID: trace,
                spanID: fields["spanId"]?.stringValue.flatMap { SpanID(hex: $0) } ?? .invalid)
        }
    }
}

/// The value by which series are grouped. Series of one attribute or resource are many, so each is read once.
private struct Grouping {
    let database: QueryConnection
    let name: String?
    private var ofAttributes: [String: AttributeValue?] = [:]
    private var ofResources: [Int64: AttributeValue?] = [:]

    init(database: QueryConnection, name: String?) {
        self.database = database
        self.name = name
    }

    mutating func key(attributes: String, resource: Int64) throws -> AttributeValue? {
        guard let name else { return nil }
        if ofAttributes[attributes] == nil {
            ofAttributes[attributes] = .some(JSONText.attributes(in: attributes)?[name])
        }
        if let own = ofAttributes[attributes] ?? nil { return own }
        if ofResources[resource] == nil {
            ofResources[resource] = .some(try database.origins([resource])[resource]?.attributes[name])
        }
        return ofResources[resource] ?? nil
    }
}

/// Reads the points of one series in their order, and differences those of a cumulative one.
///
/// See ``CumulativeRun`` for what a cumulative point adds.
private struct PointReader {
    let kind: MetricKind
    let isCumulative: Bool
    let isMonotonic: Bool
    /// The runs, each with the start and the contents of its last point.
    private var runs: [(start: Int64, last: Contents)] = []

    private enum Contents {
        case value(Double)
        case distribution(Attributes)
    }

    init(kind: MetricKind, isCumulative: Bool, isMonotonic: Bool) {
        self.kind = kind
        self.isCumulative = isCumulative
        self.isMonotonic = isMonotonic
    }

    /// The amount that a point adds.
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
        switch kind {
        case .gauge, .summary: return row.number(2).map { .value($0) }
        case .sum:
            guard let now = row.number(2) else { return nil }
            guard isMonotonic else { return isCumulative ? .value(now) : .growth(now) }
            guard isCumulative else { return .growth(now) }
            switch replaceLast(of: row, with: .value(now)) {
            case .value(let before)?: return .growth(now >= before ? now - before : now)
            case .distribution?, nil: return .growth(countsInFull(row) ? now : 0)
            }
        case .histogram, .exponentialHistogram:
            guard let now = JSONText.attributes(in: row.text(4)) else { return nil }
            var before: Attributes?
            if isCumulative {
                if case .distribution(let last)? = replaceLast(of: row, with: .distribution(now)) {
                    before = last
                } else if !countsInFull(row) {
                    return .distribution([], least: nil, most: nil)
                }
            }
            let buckets =
                kind == .histogram
                ? Self.explicit(now, since: before) : Self.exponential(now, since: before)
            // A cumulative point's extremes are those of its whole run.
            return .distribution(
                buckets, least: isCumulative ? nil : now["min"]?.number, most: isCumulative ? nil : now["max"]?.number,
            )
        }
    }

    private func countsInFull(_ row: StoredRow) -> Bool {
        CumulativeRun.countsInFull(start: row.integer(1), time: row.integer(0))
    }

    /// Returns the last point of a point's run, which the point replaces; `nil` if it is the first.
    private mutating func replaceLast(of row: StoredRow, with contents: Contents) -> Contents? {
        let start = row.integer(1)
        guard let index = runs.lastIndex(where: { CumulativeRun.isOne($0.start, start) }) else {
            runs.append((start, contents))
            return nil
        }
        // The run of the latest point stands last.
        let last = runs.remove(at: index).last
        runs.append((start, contents))
        return last
    }

    private static func exponential(_ now: Attributes, since before: Attributes?) -> [Distribution.Bucket] {
        guard let histogram = ExponentialHistogramSum(now) else { return [] }
        let earlier = before.flatMap { ExponentialHistogramSum($0) }
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
