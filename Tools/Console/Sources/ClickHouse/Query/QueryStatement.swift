import ConsoleModel
import TelemetryQuery

/// A query as one SQL statement with bound parameters.
///
/// The statement works in layers, from the inside:
///
/// 1. The fields of the records, `f0`, …, and of their related records, `r0`, ….
/// 2. The values of groups and operands, `k0`, … and `n0`, ….
/// 3. One row for each group and step, with the states of the aggregates, `s0`, ….
/// 4. The rank of each group.
/// 5. The rows of the result.
///
/// So each record is read once, and only states are merged.
struct QueryStatement {
    /// The related records begin at most this much before or after the window.
    private static let margin: Int64 = 86_400_000_000_000

    let plan: QueryPlan
    let statement: Statement
    let groups: [SQLValue]

    /// - Throws: `QueryError` that says in one line what the ClickHouse store cannot do.
    init(_ plan: QueryPlan, milestones: ConversionEvents = ConversionEvents()) throws(QueryError) {
        self.plan = plan
        var translator = QueryTranslator(plan.query.dataset, milestones: milestones)
        let condition = try plan.condition.map { value throws(QueryError) in try translator.holds(value) } ?? "true"
        var groups: [SQLValue] = []
        for group in plan.groups { groups.append(try translator.value(of: group)) }
        self.groups = groups
        var aggregates = Aggregates()
        var operands: [String] = []
        var calculations: [CalculationSQL] = []
        for calculation in plan.calculations {
            calculations.append(
                try Self.sql(of: calculation, plan, &translator, operands: &operands, aggregates: &aggregates))
        }
        var layers = Layers(plan: plan, groupCount: groups.count, aggregates: aggregates, calculations: calculations)
        layers.having = try plan.having.map { having throws(QueryError) in
            try Self.holds(having, plan, &translator.statement)
        }
        let records = try Self.records(
            plan, &translator, values: groups.enumerated().map { "\($1.column) AS k\($0)" } + operands,
            condition: condition)
        statement = translator.statement.with(text: layers.text(over: records, groups: groups))
    }

    private static func sql(
        of calculation: Calculation, _ plan: QueryPlan, _ translator: inout QueryTranslator,
        operands: inout [String], aggregates: inout Aggregates,
    ) throws(QueryError) -> CalculationSQL {
        if calculation.function == .concurrency, plan.window.stepCount > 0 {
            throw QueryError(
                "The ClickHouse store has no series of concurrency. Add every total, or ask for rate and avg(duration)."
            )
        }
        func column(_ sql: String) -> String {
            let known = operands.firstIndex { $0.hasPrefix(sql + " AS ") }
            if known == nil { operands.append("\(sql) AS n\(operands.count)") }
            return "n\(known ?? operands.count - 1)"
        }
        var operand: String?
        if let expression = calculation.operand {
            let value = try translator.value(of: expression)
            operand = column(
                calculation.function == .countDistinct ? value.column : "CAST(\(value.number) AS Nullable(Float64))")
        }
        let condition = try calculation.condition.map { value throws(QueryError) in
            column(try translator.holds(value))
        }
        let duration =
            try calculation.function == .concurrency
            ? column("CAST(\(translator.column(of: "duration").number) AS Nullable(Float64))") : nil
        return CalculationSQL(
            calculation.function, operand: operand, condition: condition, duration: duration,
            windowLength: plan.window.end - plan.window.start, in: &aggregates)
    }

    private static func holds(
        _ having: Having, _ plan: QueryPlan, _ statement: inout Statement,
    ) throws(QueryError) -> String {
        switch having {
        case .leaf(let term):
            guard let index = plan.calculations.firstIndex(of: term.calculation) else { return "false" }
            let number = SQLValue(sql: "c\(index)", type: .double)
            return "(c\(index) IS NOT NULL AND "
                + "\(try number.holds(term.comparison, [term.value], in: &statement)))"
        case .not(let part): return "NOT \(try holds(part, plan, &statement))"
        case .all(let parts), .any(let parts):
            var tests: [String] = []
            for part in parts { tests.append(try holds(part, plan, &statement)) }
            if case .all = having { return "(\(tests.joined(separator: " AND ")))" }
            return "(\(tests.joined(separator: " OR ")))"
        }
    }

    /// A condition on `Timestamp`: from `margin` before a time up to `margin` after it.
    static func near(from first: Int64, to last: Int64, margin: Int64, _ statement: inout Statement) -> String {
        "Timestamp >= fromUnixTimestamp64Nano(\(statement.bind(max(0, first - margin)))) "
            + "AND Timestamp < fromUnixTimestamp64Nano(\(statement.bind(max(0, last) + margin)))"
    }

    /// The records of the windows that fulfil the condition, with the values of groups and operands.
    ///
    /// - Parameter columns: Further columns of the source, for `values`.
    static func records(
        _ plan: QueryPlan, _ translator: inout QueryTranslator, values: [String], condition: String,
        columns: [String] = [],
    ) throws(QueryError) -> String {
        guard plan.query.clock == .event else {
            throw QueryError("The ClickHouse store does not keep when records arrived. Leave out arriving.")
        }
        let windows = [plan.window] + [plan.comparisonWindow].compactMap(\.self)
        let (first, last) = (windows.map(\.start).min() ?? 0, windows.map(\.end).max() ?? 0)
        let near = { Self.near(from: first, to: last, margin: $0, &$1) }
        // The statement's SQL for related records may read further fields.
        let joins = try RelatedSQL.joins(&translator) { near(Self.margin, &$0) }
        let table = translator.source.table(
            near(translator.source.needsMargin ? Self.margin : 0, &translator.statement))
        let fields = (columns + translator.fields.enumerated().map { "\($1.value.sql) AS f\($0)" })
            .map { ", " + $0 }.joined()
        let names = columns.map { $0.split(separator: " ").last ?? "" } + translator.fields.indices.map { "f\($0)" }
        let related = translator.related.indices.map { ", r\($0)" }.joined()
        var bounds: [(start: String, end: String)] = []
        for window in windows {
            bounds.append((translator.statement.bind(window.start), translator.statement.bind(window.end)))
        }
        let inWindow = bounds.map { "(t >= \($0.start) AND t < \($0.end))" }
        let window =
            bounds.count == 1
            ? "0" : "arrayJoin(arrayConcat(if(\(inWindow[0]), [0], []), if(\(inWindow[1]), [1], [])))"
        let weight = plan.query.isRaw ? "1." : translator.source.weight
        return """
            SELECT \(window) AS win, \((["w", "t"] + values).joined(separator: ", ")) FROM \
            (SELECT t, w\(names.map { ", \($0)" }.joined())\(related) FROM \
            (SELECT \(translator.source.time) AS t, \(weight) AS w\(fields) FROM \(table)) AS records\(joins)) \
            WHERE (\(inWindow.joined(separator: " OR "))) AND \(condition)
            """
    }
}

extension Statement {
    fileprivate func with(text: String) -> Statement {
        var copy = self
        copy.text = text
        return copy
    }
}
