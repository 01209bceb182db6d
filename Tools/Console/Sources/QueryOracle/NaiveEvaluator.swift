package import TelemetryQuery

/// Evaluates a query record by record, as plainly as possible. It defines what is right.
///
/// It shares the values of the query language with the engine, and the code that reads names and regular expressions;
/// of a plan it uses the query and the windows. Percentiles are exact: the smallest value at which the sum of the
/// weights reaches its share.
package struct NaiveEvaluator {
    private let query: Query
    private let window: TimeWindow
    private let earlierWindow: TimeWindow?
    private let arrivalBound: Int64?
    private let values: NaiveValues

    private init(_ plan: QueryPlan, related: (any RelatedRecords)?) {
        query = plan.query
        window = plan.window
        earlierWindow = plan.comparisonWindow
        arrivalBound = plan.arrivalBound
        values = NaiveValues(dataset: query.dataset, derived: query.derived, related: related)
    }

    package static func evaluate(
        _ plan: QueryPlan, over records: [QueryRecord], related: (any RelatedRecords)? = nil,
    ) -> QueryResult {
        NaiveEvaluator(plan, related: related).evaluate(records)
    }

    /// Returns the first `limit` records that fulfil the plan's condition in its window.
    package static func records(
        _ plan: QueryPlan, order: RecordOrder, limit: Int, over records: [QueryRecord],
        related: (any RelatedRecords)? = nil,
    ) -> RecordsResult {
        let evaluator = NaiveEvaluator(plan, related: related)
        let matched = evaluator.matched(records, in: plan.window)
        func duration(_ record: QueryRecord) -> Double {
            order == .slowest ? evaluator.values.number(ofColumnsOf: "duration", in: record) ?? -.infinity : 0
        }
        let sorted = matched.enumerated().sorted { left, right in
            let (one, other) = (duration(left.element), duration(right.element))
            if one != other { return one > other }
            let (time, otherTime) = (evaluator.time(of: left.element), evaluator.time(of: right.element))
            return time != otherTime ? time > otherTime : left.offset > right.offset
        }
        return RecordsResult(records: sorted.prefix(limit).map(\.element), matchedRecords: matched.count)
    }

    /// Ranks the attributes of the records that fulfil the plan's condition in its window.
    package static func differences(
        _ plan: QueryPlan, selection: Condition, over records: [QueryRecord], related: (any RelatedRecords)? = nil,
    ) -> DifferenceResult {
        let evaluator = NaiveEvaluator(plan, related: related)
        let matched = evaluator.matched(records, in: plan.window)
        var differences = NaiveDifferences()
        for record in matched {
            differences.add(
                record, weight: evaluator.weight(of: record),
                isSelected: evaluator.values.holds(selection, for: record))
        }
        return differences.result
    }

    private func matched(_ records: [QueryRecord], in window: TimeWindow) -> [QueryRecord] {
        records.filter { window.contains(time(of: $0)) && values.holds(query.condition, for: $0) }
    }

    /// The time by which a record is in a window. A record that is not known to have arrived is in none.
    private func time(of record: QueryRecord) -> Int64 {
        guard query.clock == .arrival else { return record.time }
        guard case .int(let arrived) = record.fields["arrived"] else { return .min }
        return arrived
    }

    /// True if a record of the earlier window had arrived when the plan says.
    private func isInTime(_ record: QueryRecord) -> Bool {
        guard let arrivalBound, case .int(let arrived) = record.fields["arrived"] else { return true }
        return arrived <= arrivalBound
    }

    private func weight(of record: QueryRecord) -> Double { query.isRaw ? 1 : record.adjustedCount }

    private func key(of record: QueryRecord) -> [QueryValue] {
        query.groups.map { values.value(of: $0, in: record) }
    }

    private func evaluate(_ records: [QueryRecord]) -> QueryResult {
        let matched = matched(records, in: window)
        let earlier = earlierWindow.map { self.matched(records, in: $0).filter(isInTime) }
        var groups = Dictionary(grouping: matched, by: key)
        // Without fields to group by, there is one group, even of nothing.
        if query.groups.isEmpty, groups.isEmpty { groups = [[]: []] }
        let ranked = groups.filter { isIncluded($0.value) }
            .map { NaiveRank(key: $0.key, terms: terms(of: $0.value)) }.sorted(by: NaiveRank.isBefore)
        let top = ranked.prefix(query.limit).map(\.key)
        let kept = Set(top)
        let earlierGroups = earlier.map { Dictionary(grouping: $0, by: key) }
        var rows = top.map { key in
            row(key, of: groups[key] ?? [], earlier: earlierGroups.map { $0[key] ?? [] })
        }
        if query.having == nil {
            let rest = matched.filter { !kept.contains(key(of: $0)) }
            let earlierRest = earlier.map { records in records.filter { !kept.contains(key(of: $0)) } }
            if !rest.isEmpty || earlierRest?.isEmpty == false {
                var other = row([], of: rest, earlier: earlierRest)
                other.isOther = true
                rows.append(other)
            }
        }
        return QueryResult(
            window: window, comparisonWindow: earlierWindow, calculations: query.calculations, groups: query.groups,
            rows: rows, matchedRecords: matched.count, comparedRecords: earlier?.count)
    }

    /// The value that groups are ordered by. Without an order it is the first calculation, or the count in place of a
    /// heatmap.
    private func terms(of records: [QueryRecord]) -> [NaiveRank.Term] {
        func number(_ calculation: Calculation) -> Double? {
            value(of: calculation, over: records, between: (window.start, window.end)).number
        }
        if query.order.isEmpty {
            let first = query.calculations.first ?? Calculation(.count)
            return [.number(number(first.function == .heatmap ? Calculation(.count) : first), isDescending: true)]
        }
        return query.order.map { term in
            switch term.key {
            case .calculation(let calculation): .number(number(calculation), isDescending: term.isDescending)
            // All records of a group have the value.
            case .group(let expression):
                .value(
                    records.first.map { values.value(of: expression, in: $0) } ?? .missing,
                    isDescending: term.isDescending)
            }
        }
    }

    private func isIncluded(_ records: [QueryRecord]) -> Bool {
        guard let having = query.having else { return true }
        return having.isTrue { term in
            let result = value(of: term.calculation, over: records, between: (window.start, window.end))
            guard let number = result.number else { return false }
            return NaiveComparison.holds(term.comparison, .double(number), [term.value.value])
        }
    }

    private func row(_ key: [QueryValue], of records: [QueryRecord], earlier: [QueryRecord]?) -> ResultRow {
        ResultRow(
            key: key, isOther: false, values: results(of: records, in: window),
            comparison: earlierWindow.map { results(of: earlier ?? [], in: $0) })
    }

    private func results(of records: [QueryRecord], in window: TimeWindow) -> ResultValues {
        let steps = Dictionary(grouping: records) { window.step(of: time(of: $0)) }
        return ResultValues(
            totals: query.calculations.map { value(of: $0, over: records, between: (window.start, window.end)) },
            series: (0..<window.stepCount).map { step in
                query.calculations.map { calculation in
                    // A span in progress counts in every step that it reaches.
                    let isConcurrency = calculation.function == .concurrency
                    return value(
                        of: calculation, over: isConcurrency ? records : steps[step] ?? [],
                        between: window.bounds(ofStep: step))
                }
            })
    }

    private func value(
        of calculation: Calculation, over records: [QueryRecord], between bounds: (start: Int64, end: Int64),
    ) -> ResultValue {
        let weight = records.reduce(0) { $0 + self.weight(of: $1) }
        let seconds = Double(bounds.end - bounds.start) / 1e9
        let numbers = records.compactMap { record in
            calculation.operand.flatMap { values.number(of: $0, in: record) }.map { ($0, self.weight(of: record)) }
        }
        let sum = numbers.reduce(0) { $0 + $1.0 * $1.1 }
        let weightOfNumbers = numbers.reduce(0) { $0 + $1.1 }
        switch calculation.function {
        case .count: return .number(weight)
        case .countDistinct:
            let found = records.compactMap { record in
                calculation.operand.map { values.value(of: $0, in: record) }
            }
            return .number(Double(Set(found.filter { !$0.isMissing }).count))
        case .sum: return ResultValue(sum)
        case .avg: return ResultValue(weightOfNumbers > 0 ? sum / weightOfNumbers : nil)
        case .min: return ResultValue(numbers.map(\.0).min())
        case .max: return ResultValue(numbers.map(\.0).max())
        case .p50: return ResultValue(Self.percentile(0.5, of: numbers))
        case .p75: return ResultValue(Self.percentile(0.75, of: numbers))
        case .p90: return ResultValue(Self.percentile(0.9, of: numbers))
        case .p95: return ResultValue(Self.percentile(0.95, of: numbers))
        case .p99: return ResultValue(Self.percentile(0.99, of: numbers))
        case .p999: return ResultValue(Self.percentile(0.999, of: numbers))
        case .heatmap: return .heatmap(NaiveBins.heatmap(of: numbers))
        case .rate: return ResultValue((calculation.operand == nil ? weight : sum) / seconds)
        case .ratio:
            let part = records.filter { values.holds(calculation.condition, for: $0) }
            return weight > 0 ? .number(part.reduce(0) { $0 + self.weight(of: $1) } / weight) : .missing
        case .concurrency: return concurrency(of: records, between: bounds)
        }
    }

    private func concurrency(of records: [QueryRecord], between bounds: (start: Int64, end: Int64)) -> ResultValue {
        let inProgress = records.reduce(0.0) { sum, record in
            let duration = values.number(ofColumnsOf: "duration", in: record) ?? 0
            // Relative to the bounds, because times since 1970 are too large for a double.
            let start = Double(record.time - bounds.start)
            let end = min(Double(bounds.end - bounds.start), start + duration)
            return sum + max(0, end - max(0, start)) * weight(of: record)
        }
        return ResultValue(inProgress / Double(bounds.end - bounds.start))
    }

    /// - Parameter numbers: Numbers with their weights.
    static func percentile(_ share: Double, of numbers: [(Double, Double)]) -> Double? {
        let target = share * numbers.reduce(0) { $0 + $1.1 }
        var reached = 0.0
        for (number, weight) in numbers.sorted(by: { $0.0 < $1.0 }) where weight > 0 {
            reached += weight
            if reached >= target { return number }
        }
        return nil
    }
}

/// The place of a group in the result.
private struct NaiveRank {
    enum Term {
        case number(Double?, isDescending: Bool)
        case value(QueryValue, isDescending: Bool)
    }

    let key: [QueryValue]
    let terms: [Term]

    /// Missing numbers come last; keys decide between equal groups.
    static func isBefore(_ left: NaiveRank, _ right: NaiveRank) -> Bool {
        for (one, other) in zip(left.terms, right.terms) {
            switch (one, other) {
            case (.number(let one?, let isDescending), .number(let other?, _)):
                if one != other { return (one > other) == isDescending }
            case (.number(.some, _), .number(nil, _)): return true
            case (.number(nil, _), .number(.some, _)): return false
            case (.value(let one, let isDescending), .value(let other, _)):
                if one != other { return (one < other) != isDescending }
            default: break
            }
        }
        for (one, other) in zip(left.key, right.key) where one != other { return one < other }
        return false
    }
}
