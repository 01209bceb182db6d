import TelemetryQuery

/// Computes values and conditions of the records of a dataset.
struct NaiveValues {
    let dataset: Dataset
    /// Each may use those before it.
    var derived: [DerivedField] = []
    var related: (any RelatedRecords)?

    func value(of expression: Expression, in record: QueryRecord) -> QueryValue {
        value(of: expression, in: record, knowing: derived.count)
    }

    func number(of expression: Expression, in record: QueryRecord) -> Double? {
        NaiveComparison.number(value(of: expression, in: record))
    }

    /// The number in a field of the record, whatever the query defines.
    func number(ofColumnsOf name: String, in record: QueryRecord) -> Double? {
        NaiveComparison.number(value(ofField: name, in: record))
    }

    func text(_ name: String, in record: QueryRecord) -> String? { value(ofField: name, in: record).text }

    func holds(_ condition: Condition?, for record: QueryRecord) -> Bool {
        condition.map { holds($0, for: record, knowing: derived.count) } ?? true
    }

    /// - Parameter count: The number of definitions that the expression may use.
    private func value(of expression: Expression, in record: QueryRecord, knowing count: Int) -> QueryValue {
        func number(_ expression: Expression) -> Double? {
            NaiveComparison.number(value(of: expression, in: record, knowing: count))
        }
        func finite(_ number: Double) -> QueryValue { number.isFinite ? .double(number) : .missing }
        switch expression {
        case .field(let name):
            if let index = definition(of: name, knowing: count) {
                return value(of: derived[index].expression, in: record, knowing: index)
            }
            guard let (relation, field) = FieldNames.relation(of: name) else {
                return value(ofField: name, in: record)
            }
            return key(of: relation, in: record)
                .flatMap { related?.values(of: field, in: relation, key: $0).first } ?? .missing
        case .literal(let literal): return literal.value
        case .arithmetic(let left, let sign, let right):
            guard let left = number(left), let right = number(right) else { return .missing }
            return switch sign {
            case .plus: finite(left + right)
            case .minus: finite(left - right)
            case .times: finite(left * right)
            case .divided: finite(left / right)
            }
        case .bucket(let inner, let size):
            guard let amount = number(inner), let size = NaiveComparison.number(size.value) else { return .missing }
            return finite((amount / size).rounded(.down) * size)
        case .coalesce(let expressions):
            for expression in expressions {
                let value = value(of: expression, in: record, knowing: count)
                if !value.isMissing { return value }
            }
            return .missing
        case .conditional(let condition, let yes, let no):
            let isYes = holds(condition, for: record, knowing: count)
            return value(of: isYes ? yes : no, in: record, knowing: count)
        case .extract(let inner, let pattern):
            guard let text = value(of: inner, in: record, knowing: count).text,
                let found = (try? QueryPattern(pattern))?.extract(from: text)
            else { return .missing }
            return .string(found)
        }
    }

    private func holds(_ condition: Condition, for record: QueryRecord, knowing count: Int) -> Bool {
        condition.isTrue { term in
            let literals = term.values.map(\.value)
            if let found = valuesOfSpans(term.subject, in: record, knowing: count) {
                // Some span of the trace. A negation asks that none is.
                let (positive, isNegated) = NaiveComparison.positive(term.comparison)
                let candidates = found.isEmpty ? [.missing] : found
                return candidates.contains { NaiveComparison.holds(positive, $0, literals) } != isNegated
            }
            return NaiveComparison.holds(
                term.comparison, value(of: term.subject, in: record, knowing: count), literals)
        }
    }

    /// The values of a field `any.…`; `nil` for any other expression.
    private func valuesOfSpans(
        _ expression: Expression, in record: QueryRecord, knowing count: Int,
    ) -> [QueryValue]? {
        guard case .field(let name) = expression else { return nil }
        if let index = definition(of: name, knowing: count) {
            return valuesOfSpans(derived[index].expression, in: record, knowing: index)
        }
        guard let (relation, field) = FieldNames.relation(of: name), relation == .any else { return nil }
        return key(of: relation, in: record).flatMap { related?.values(of: field, in: relation, key: $0) } ?? []
    }

    private func definition(of name: String, knowing count: Int) -> Int? {
        derived.prefix(count).lastIndex { $0.name == name }
    }

    private func key(of relation: Relation, in record: QueryRecord) -> String? {
        relation.keys.lazy.compactMap { column($0, of: record).text }.first
    }

    private func value(ofField name: String, in record: QueryRecord) -> QueryValue {
        for name in FieldNames.columns(for: name, in: dataset) {
            let value = column(name, of: record)
            if !value.isMissing { return value }
        }
        return .missing
    }

    private func column(_ name: String, of record: QueryRecord) -> QueryValue {
        if name == "time" { return .int(record.time) }
        // A record that stands for itself does not have the field.
        if name == "adjusted_count" { return record.adjustedCount == 1 ? .missing : .double(record.adjustedCount) }
        return record.fields[name] ?? .missing
    }
}

extension Logic {
    func isTrue(_ leafIsTrue: (Leaf) -> Bool) -> Bool {
        switch self {
        case .leaf(let leaf): leafIsTrue(leaf)
        case .not(let part): !part.isTrue(leafIsTrue)
        case .all(let parts): !parts.contains { !$0.isTrue(leafIsTrue) }
        case .any(let parts): parts.contains { $0.isTrue(leafIsTrue) }
        }
    }
}
