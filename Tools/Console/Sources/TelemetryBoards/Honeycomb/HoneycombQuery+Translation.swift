import TelemetryQuery

extension HoneycombQuery {
    /// Translates a query.
    ///
    /// - Parameter range: The time range. A fixed one becomes the time until now of the same length.
    /// - Parameter notes: Gets what Honeycomb says in another way.
    /// - Throws: `HoneycombGap` if it cannot say the query.
    init(_ query: Query, range: TimeRange, notes: inout [String]) throws(HoneycombGap) {
        guard query.clock == .event else {
            throw HoneycombGap(reason: "Honeycomb does not know when records arrived.")
        }
        guard query.dataset == .spans || query.dataset == .events else {
            throw HoneycombGap(reason: "Honeycomb has no dataset \(query.dataset.rawValue).")
        }
        var translation = Translation(query, notes: notes)
        self.init(timeRange: Self.seconds(of: range))
        for field in query.derived {
            calculatedFields.append(
                CalculatedField(name: field.name, expression: try translation.expressions.text(field.expression)))
        }
        for calculation in query.calculations {
            calculations.append(try translation.calculation(calculation))
        }
        for group in query.groups { breakdowns.append(try translation.column(group)) }
        filters = translation.recordFilters
        if let condition = query.condition {
            let parts = if case .all(let parts) = condition { parts } else { [condition] }
            for part in parts { filters.append(try translation.filter(part)) }
        }
        if let having = query.having {
            let parts = if case .all(let parts) = having { parts } else { [having] }
            for part in parts { havings.append(try translation.having(part)) }
            // Each pair in the havings must be among the calculations.
            for having in havings {
                let calculation = Calculation(op: having.calculateOp, column: having.column)
                if !calculations.contains(calculation) { calculations.append(calculation) }
            }
        }
        if !breakdowns.isEmpty {
            limit = min(query.limit, 1_000)
            for term in query.order { orders.append(try translation.order(term)) }
            if orders.isEmpty, let first = calculations.first, first.op != "HEATMAP" {
                orders = [Order(op: first.op, column: first.column, order: "descending")]
            }
            for order in orders {
                guard let op = order.op else { continue }
                let calculation = Calculation(op: op, column: order.column)
                if !calculations.contains(calculation) { calculations.append(calculation) }
            }
        }
        if case .fixed(let nanoseconds) = query.granularity {
            let step = Int(nanoseconds / 1_000_000_000)
            if step >= max(1, timeRange / 1_000), step <= timeRange / 10 {
                granularity = step
            } else {
                translation.notes.append("Honeycomb chooses the steps, because every is outside of its limits.")
            }
        }
        if let comparison = query.comparison {
            let offset: Int =
                switch comparison {
                case .previous: timeRange
                case .earlier(let nanoseconds): Int(nanoseconds / 1_000_000_000)
                }
            if Self.comparisons.contains(offset), offset >= timeRange {
                compareTimeOffsetSeconds = offset
            } else {
                translation.notes.append("The comparison is left out, because Honeycomb does not offer this distance.")
            }
        }
        if query.relatedFields[.session] != nil {
            translation.notes.append("An attribute of the session is that of the span that began the trace.")
        }
        if query.isRaw { usageMode = true }
        calculatedFields += translation.added
        notes = translation.notes
    }

    /// The distances of a comparison, in seconds.
    private static let comparisons = [1_800, 3_600, 7_200, 28_800, 86_400, 604_800, 2_419_200, 15_724_800]

    private static func seconds(of range: TimeRange) -> Int {
        let nanoseconds =
            switch range {
            case .last(let nanoseconds): nanoseconds
            case .between(let from, let to): to - from
            }
        return Int(max(1, nanoseconds / 1_000_000_000))
    }
}

/// Translates the parts of one query.
private struct Translation {
    let query: Query
    let expressions: HoneycombExpression
    /// Calculated fields for parts that have no other form.
    var added: [HoneycombQuery.CalculatedField] = []
    var notes: [String]

    init(_ query: Query, notes: [String]) {
        self.query = query
        expressions = HoneycombExpression(
            fields: HoneycombFields(dataset: query.dataset, derived: Set(query.derived.map(\.name))))
        self.notes = notes
    }

    private var fields: HoneycombFields { expressions.fields }

    /// The filters that leave the records of the dataset. An environment has all signals.
    var recordFilters: [HoneycombQuery.Filter] {
        query.dataset == .spans
            ? [
                HoneycombQuery.Filter(column: "meta.signal_type", op: "=", value: .text("trace")),
                HoneycombQuery.Filter(column: "meta.annotation_type", op: "does-not-exist"),
            ] : [HoneycombQuery.Filter(column: "meta.signal_type", op: "=", value: .text("log"))]
    }

    /// Returns the column of an expression, which becomes a calculated field if it is more than a field.
    mutating func column(_ expression: Expression) throws(HoneycombGap) -> String {
        if case .field(let name) = expression { return try fields.column(name) }
        if case .bucket = expression { note("Honeycomb shows the range of a bucket, not its lower bound.") }
        return add(try expressions.text(expression), named: "\(expression)")
    }

    private mutating func add(_ expression: String, named name: String) -> String {
        if let known = added.first(where: { $0.expression == expression }) { return known.name }
        let taken = Set(added.map(\.name)).union(fields.derived)
        var unique = String(name.prefix(80))
        while taken.contains(unique) { unique += "'" }
        added.append(HoneycombQuery.CalculatedField(name: unique, expression: expression))
        return unique
    }

    private mutating func note(_ text: String) {
        if !notes.contains(text) { notes.append(text) }
    }

    mutating func calculation(_ calculation: Calculation) throws(HoneycombGap) -> HoneycombQuery.Calculation {
        if case .field(let name) = calculation.operand, fields.isDuration(name) {
            note("Durations are milliseconds in Honeycomb.")
        }
        var column: String?
        if let operand = calculation.operand { column = try self.column(operand) }
        switch calculation.function {
        case .count: return HoneycombQuery.Calculation(op: "COUNT")
        case .countDistinct: return HoneycombQuery.Calculation(op: "COUNT_DISTINCT", column: column)
        case .concurrency: return HoneycombQuery.Calculation(op: "CONCURRENCY")
        case .ratio:
            guard let condition = calculation.condition else { throw HoneycombGap(reason: "A ratio has a condition.") }
            let share = add("IF(\(try expressions.text(condition)), 1, 0)", named: "share where \(condition.text)")
            return HoneycombQuery.Calculation(op: "AVG", column: share)
        case .rate:
            note("Honeycomb shows a rate as the number of each step, not of each second.")
            return column.map { HoneycombQuery.Calculation(op: "SUM", column: $0) }
                ?? HoneycombQuery.Calculation(op: "COUNT")
        case .sum, .avg, .min, .max, .p50, .p75, .p90, .p95, .p99, .p999, .heatmap:
            return HoneycombQuery.Calculation(op: calculation.function.rawValue.uppercased(), column: column)
        }
    }

    mutating func filter(_ condition: Condition) throws(HoneycombGap) -> HoneycombQuery.Filter {
        if case .leaf(let term) = condition, case .field(let name) = term.subject,
            let op = Self.filters[term.comparison]
        {
            let column = try fields.column(name)
            var values: [HoneycombValue] = []
            for value in term.values { values.append(try fields.value(value, of: name)) }
            let value: HoneycombValue? =
                switch term.comparison {
                case .exists, .doesNotExist: nil
                case .isIn, .isNotIn: .list(values)
                default: values.first
                }
            return HoneycombQuery.Filter(column: column, op: op, value: value)
        }
        let name = add(try expressions.text(condition), named: condition.text)
        return HoneycombQuery.Filter(column: name, op: "=", value: .bool(true))
    }

    mutating func having(_ having: Having) throws(HoneycombGap) -> HoneycombQuery.Having {
        guard case .leaf(let term) = having, let number = term.value.value.number else {
            throw HoneycombGap(reason: "Honeycomb combines conditions of groups with and only.")
        }
        let calculation = try calculation(term.calculation)
        guard calculation.op != "HEATMAP" else { throw HoneycombGap(reason: "Honeycomb cannot compare a heatmap.") }
        var isDuration = false
        if case .field(let name) = term.calculation.operand, term.calculation.function != .countDistinct {
            isDuration = fields.isDuration(name)
        }
        return HoneycombQuery.Having(
            calculateOp: calculation.op, column: calculation.column, op: term.comparison.rawValue,
            value: isDuration ? number / HoneycombFields.nanosecondsPerMillisecond : number)
    }

    mutating func order(_ term: OrderTerm) throws(HoneycombGap) -> HoneycombQuery.Order {
        let direction = term.isDescending ? "descending" : "ascending"
        switch term.key {
        case .calculation(let calculation):
            let calculation = try self.calculation(calculation)
            return HoneycombQuery.Order(op: calculation.op, column: calculation.column, order: direction)
        case .group(let expression): return HoneycombQuery.Order(column: try column(expression), order: direction)
        }
    }

    private static let filters: [ComparisonOperator: String] = [
        .equal: "=", .notEqual: "!=", .less: "<", .lessOrEqual: "<=", .greater: ">", .greaterOrEqual: ">=",
        .isIn: "in", .isNotIn: "not-in", .contains: "contains", .doesNotContain: "does-not-contain",
        .startsWith: "starts-with", .doesNotStartWith: "does-not-start-with", .exists: "exists",
        .doesNotExist: "does-not-exist",
    ]
}
