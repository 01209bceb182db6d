/// Evaluates a query record by record, as plainly as possible. It defines what is right.
///
/// Percentiles are exact: the smallest value at which the sum of the weights reaches its share.
package struct NaiveEvaluator {
    let plan: QueryPlan
    let related: (any RelatedRecords)?

    package static func evaluate(
        _ plan: QueryPlan, over records: [QueryRecord], related: (any RelatedRecords)? = nil,
    ) -> QueryResult {
        NaiveEvaluator(plan: plan, related: related).evaluate(records)
    }

    private func evaluate(_ records: [QueryRecord]) -> QueryResult {
        let matched = records.filter { plan.window.contains($0.time) && holds(plan.condition, for: $0) }
        let earlier = plan.comparisonWindow.map { window in
            records.filter { window.contains($0.time) && holds(plan.condition, for: $0) }
        }
        var groups = grouped(matched)
        // Without fields to group by, there is one group, even of nothing.
        if plan.groups.isEmpty, groups.isEmpty { groups = [[]: []] }
        let ranking = Ranking(keys: Array(groups.keys), totals: groups.values.map { totals(of: $0, in: plan.window) })
        let top = ranking.keys.indices.filter { group in
            plan.isIncluded(total: { ranking.number(of: $0, in: group) })
        }
        .sorted { plan.isBefore($0, $1, ranking) }.prefix(plan.query.limit).map { ranking.keys[$0] }
        let kept = Set(top)
        let earlierGroups = earlier.map(grouped)
        var rows = top.map { key in
            row(key, of: groups[key] ?? [], earlier: earlierGroups.map { $0[key] ?? [] })
        }
        if plan.having == nil {
            let rest = matched.filter { !kept.contains(self.key(of: $0)) }
            let earlierRest = earlier.map { records in records.filter { !kept.contains(self.key(of: $0)) } }
            if !rest.isEmpty || earlierRest?.isEmpty == false {
                var other = row([], of: rest, earlier: earlierRest)
                other.isOther = true
                rows.append(other)
            }
        }
        return QueryResult(
            window: plan.window, comparisonWindow: plan.comparisonWindow, calculations: plan.query.calculations,
            groups: plan.query.groups, rows: rows, matchedRecords: matched.count, )
    }

    private struct Ranking: GroupRanking {
        let keys: [[QueryValue]]
        let totals: [[ResultValue]]

        func number(of calculation: Int, in group: Int) -> Double? { totals[group][calculation].number }
        func value(_ expression: Int, of group: Int) -> QueryValue { keys[group][expression] }
    }

    private func grouped(_ records: [QueryRecord]) -> [[QueryValue]: [QueryRecord]] {
        Dictionary(grouping: records, by: key)
    }

    private func key(of record: QueryRecord) -> [QueryValue] {
        plan.groups.map { value(of: $0, in: record) }
    }

    private func row(_ key: [QueryValue], of records: [QueryRecord], earlier: [QueryRecord]?) -> ResultRow {
        ResultRow(
            key: key, isOther: false, values: values(of: records, in: plan.window),
            comparison: plan.comparisonWindow.map { values(of: earlier ?? [], in: $0) }, )
    }

    private func values(of records: [QueryRecord], in window: TimeWindow) -> ResultValues {
        let count = plan.query.calculations.count
        let steps = Dictionary(grouping: records) { window.step(of: $0.time) }
        return ResultValues(
            totals: Array(totals(of: records, in: window).prefix(count)),
            series: (0..<window.stepCount).map { step in
                plan.calculations.prefix(count).map { calculation in
                    // A span in progress counts in every step that it reaches.
                    let isConcurrency = calculation.function == .concurrency
                    return value(
                        of: calculation, over: isConcurrency ? records : steps[step] ?? [],
                        between: window.bounds(ofStep: step), )
                }
            }, )
    }

    private func totals(of records: [QueryRecord], in window: TimeWindow) -> [ResultValue] {
        plan.calculations.map { value(of: $0, over: records, between: (window.start, window.end)) }
    }

    private func key(of relation: Relation, in record: QueryRecord) -> String? {
        relation.keys.lazy.compactMap { record.value(ofColumn: $0).text }.first
    }

    private func weight(of record: QueryRecord) -> Double { plan.query.isRaw ? 1 : record.adjustedCount }

    private func value(
        of calculation: Calculation, over records: [QueryRecord], between bounds: (start: Int64, end: Int64),
    ) -> ResultValue {
        let weight = records.reduce(0) { $0 + self.weight(of: $1) }
        let seconds = Double(bounds.end - bounds.start) / 1e9
        let numbers = records.compactMap { record in
            calculation.operand.flatMap { value(of: $0, in: record).number }.map { ($0, self.weight(of: record)) }
        }
        let sum = numbers.reduce(0) { $0 + $1.0 * $1.1 }
        let weightOfNumbers = numbers.reduce(0) { $0 + $1.1 }
        switch calculation.function {
        case .count: return .number(weight)
        case .countDistinct:
            let values = records.compactMap { record in calculation.operand.map { value(of: $0, in: record) } }
            return .number(Double(Set(values.filter { !$0.isMissing }).count))
        case .sum: return ResultValue(sum)
        case .avg: return ResultValue(weightOfNumbers > 0 ? sum / weightOfNumbers : nil)
        case .min: return ResultValue(numbers.map(\.0).min())
        case .max: return ResultValue(numbers.map(\.0).max())
        case .p50, .p75, .p90, .p95, .p99, .p999:
            return ResultValue(percentile(calculation.function.quantile ?? 0, of: numbers, weight: weightOfNumbers))
        case .heatmap:
            let bins = Dictionary(grouping: numbers.filter { $0.1 > 0 }) { LogLinearBins.heatmap.bin(of: $0.0) }
            return .heatmap(
                bins.sorted { $0.key < $1.key }.map { bin, numbers in
                    LogLinearBins.heatmap.heatmapBin(bin, count: numbers.reduce(0) { $0 + $1.1 })
                })
        case .rate: return ResultValue((calculation.operand == nil ? weight : sum) / seconds)
        case .ratio:
            let part = records.filter { holds(calculation.condition, for: $0) }
            return weight > 0 ? .number(part.reduce(0) { $0 + self.weight(of: $1) } / weight) : .missing
        case .concurrency:
            let inProgress = records.reduce(0.0) { sum, record in
                let duration = value(of: .field("duration"), in: record).number ?? 0
                // Relative to the bounds, because times since 1970 are too large for a double.
                let start = Double(record.time - bounds.start)
                let end = min(Double(bounds.end - bounds.start), start + duration)
                return sum + max(0, end - max(0, start)) * self.weight(of: record)
            }
            return ResultValue(inProgress / Double(bounds.end - bounds.start))
        }
    }

    private func percentile(_ quantile: Double, of numbers: [(Double, Double)], weight: Double) -> Double? {
        var reached = 0.0
        for (number, weightOfNumber) in numbers.sorted(by: { $0.0 < $1.0 }) where weightOfNumber > 0 {
            reached += weightOfNumber
            if reached >= quantile * weight { return number }
        }
        return nil
    }

    func holds(_ condition: Condition?, for record: QueryRecord) -> Bool {
        condition?.holds { term in
            let matcher = TermMatcher(term.comparison, term.values)
            if case .field(let name) = term.subject, let values = anyValues(of: name, in: record) {
                // Some span of the trace. A negation asks that none is.
                return (values.isEmpty ? [.missing] : values).contains { matcher.matches($0) != matcher.isNegated }
                    != matcher.isNegated
            }
            return matcher.matches(value(of: term.subject, in: record))
        } ?? true
    }

    private func anyValues(of name: String, in record: QueryRecord) -> [QueryValue]? {
        guard let (relation, field) = FieldNames.relation(of: name), relation == .any else { return nil }
        return key(of: relation, in: record).map {
            related?.values(of: field, in: relation, key: $0) ?? []
        } ?? []
    }

    func value(of expression: Expression, in record: QueryRecord) -> QueryValue {
        switch expression {
        case .field(let name):
            if let (relation, field) = FieldNames.relation(of: name) {
                guard let key = key(of: relation, in: record) else { return .missing }
                return related?.values(of: field, in: relation, key: key).first ?? .missing
            }
            return record.value(ofField: name, in: plan.query.dataset)
        case .literal(let literal): return literal.value
        case .arithmetic(let left, let sign, let right):
            guard let left = value(of: left, in: record).number, let right = value(of: right, in: record).number
            else { return .missing }
            let result = sign.apply(left, right)
            return result.isFinite ? .double(result) : .missing
        case .bucket(let inner, let size):
            guard let number = value(of: inner, in: record).number, let size = size.value.number else {
                return .missing
            }
            let result = (number / size).rounded(.down) * size
            return result.isFinite ? .double(result) : .missing
        case .coalesce(let values):
            return values.lazy.map { value(of: $0, in: record) }.first { !$0.isMissing } ?? .missing
        case .conditional(let condition, let yes, let no):
            return value(of: holds(condition, for: record) ? yes : no, in: record)
        case .extract(let inner, let pattern):
            guard let text = value(of: inner, in: record).text, let pattern = try? QueryPattern(pattern) else {
                return .missing
            }
            return pattern.extract(from: text).map { .string($0) } ?? .missing
        }
    }
}

extension NaiveEvaluator {
    /// Evaluates values and conditions of a dataset's records alone.
    init(of dataset: Dataset, now: Int64, related: (any RelatedRecords)?) throws(QueryError) {
        var query = Query()
        query.dataset = dataset
        self.init(plan: try QueryPlan(query, now: now), related: related)
    }
}
