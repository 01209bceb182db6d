import TelemetryQuery

/// The layers of a statement above the records.
struct Layers {
    let plan: QueryPlan
    let groupCount: Int
    let aggregates: Aggregates
    let calculations: [CalculationSQL]
    /// SQL over the results `c0`, `c1`, … of a group.
    var having: String?

    init(plan: QueryPlan, groupCount: Int, aggregates: Aggregates, calculations: [CalculationSQL]) {
        self.plan = plan
        self.groupCount = groupCount
        self.aggregates = aggregates
        self.calculations = calculations
    }

    private var keys: [String] { (0..<groupCount).map { "k\($0)" } }
    private func list(_ columns: [String]) -> String { columns.joined(separator: ", ") }

    func text(over records: String, groups: [SQLValue]) -> String {
        "WITH \(list(SQLValue.functions + plan.sourceFunctions)) \(result(groups)) FROM (\(ranked(over: grouped(over: cells(over: records))))) "
            + "GROUP BY \(grouping) SETTINGS \(SQLValue.settings)"
    }

    /// One row for each window, step and group.
    private func cells(over records: String) -> String {
        let window = plan.window
        let earlier = plan.comparisonWindow ?? window
        let start = "if(win = 0, \(window.start), \(earlier.start))"
        let origin = "if(win = 0, \(window.origin), \(earlier.origin))"
        let step = window.step.map { "intDiv(t - \(origin), \($0))" } ?? "0"
        let states = aggregates.states.enumerated().map { "\($1.function)State(\($1.arguments)) AS s\($0)" }
        let columns = ["win", "step"] + keys
        return """
            SELECT \(list(columns + ["count() AS records"] + states)) FROM \
            (SELECT *, toInt64(\(step)) AS step, toFloat64(t - \(start)) AS age FROM (\(records))) \
            GROUP BY \(list(columns))
            """
    }

    /// The cells, with the results of their group in the current window.
    private func grouped(over cells: String) -> String {
        let partition = keys.isEmpty ? "" : "PARTITION BY \(list(keys))"
        let results = calculations.enumerated().compactMap { index, calculation in
            isUsed(index) ? "\(calculation.rank(partition, aggregates)) AS c\(index)" : nil
        }
        return """
            SELECT \(list(["*"] + results)), sumIf(records, win = 0) OVER (\(partition)) AS members, \
            sumIf(records, win = 0) OVER () AS matched, sumIf(records, win = 1) OVER () AS compared FROM (\(cells))
            """
    }

    /// Returns true if a calculation orders or selects groups.
    private func isUsed(_ index: Int) -> Bool {
        plan.order.contains { if case .calculation(index) = $0.key { true } else { false } }
            || plan.having?.uses(plan.calculations[index]) == true
    }

    /// The cells, with the rank of their group from 1, and whether the group is a row of the result.
    private func ranked(over grouped: String) -> String {
        var order = ["(\(isIncluded)) DESC"]
        for term in plan.order {
            switch term.key {
            case .calculation(let index): order.append("c\(index) \(term.isDescending ? "DESC" : "ASC") NULLS LAST")
            case .group(let index):
                order.append("k\(index) \(term.isDescending ? "DESC NULLS LAST" : "ASC NULLS FIRST")")
            }
        }
        order += keys.map { "\($0) ASC NULLS FIRST" }
        return """
            SELECT *, \(isIncluded) AND place <= \(plan.query.limit) AS kept, if(kept, place, 0) AS rank FROM \
            (SELECT *, dense_rank() OVER (ORDER BY \(list(order))) AS place FROM (\(grouped)))
            """
    }

    /// Without fields to group by, there is one group, even of nothing.
    private var isIncluded: String {
        let test = having ?? "true"
        return keys.isEmpty ? test : "(members > 0 AND \(test))"
    }

    private func result(_ groups: [SQLValue]) -> String {
        let keys = groups.indices.map { "any(k\($0)) AS key\($0)" }
        let count = plan.query.calculations.count
        let results = calculations.prefix(count).enumerated().map { index, calculation in
            "\(calculation.result(.ofRow, aggregates)) AS v\(index)"
        }
        let isTotal = plan.window.step == nil ? "toUInt8(1)" : "toUInt8(grouping(step))"
        return """
            SELECT toUInt64(rank), toUInt8(win), \(isTotal), toInt64(step), toUInt64(sum(records)), \
            toUInt64(any(matched)), toUInt64(any(compared))\((keys + results).map { ", " + $0 }.joined())
            """
    }

    /// A group has one rank, so the rank stands for its keys.
    private var grouping: String {
        plan.window.step == nil ? "rank, win, step" : "GROUPING SETS ((rank, win), (rank, win, step))"
    }
}

extension Logic where Leaf == HavingTerm {
    fileprivate func uses(_ calculation: Calculation) -> Bool {
        switch self {
        case .leaf(let term): term.calculation == calculation
        case .not(let part): part.uses(calculation)
        case .all(let parts), .any(let parts): parts.contains { $0.uses(calculation) }
        }
    }
}
