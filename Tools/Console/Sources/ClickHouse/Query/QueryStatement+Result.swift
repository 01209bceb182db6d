package import ConsoleModel
package import TelemetryQuery

extension ClickHouseClient {
    /// Evaluates a query in ClickHouse.
    ///
    /// Percentiles are log-linear histograms, as those of the embedded engine: within 0.8 % of the number.
    ///
    /// - Throws: `QueryError` for what the store cannot do, `ClickHouseError` or `CancellationError`.
    package func evaluate(_ plan: QueryPlan, milestones: ConversionEvents = ConversionEvents()) async throws
        -> QueryResult
    {
        let query = try QueryStatement(plan, milestones: milestones)
        return query.result(of: try await rows(query.statement, row: query.row))
    }
}

extension QueryStatement {
    /// One row of the answer.
    struct Row: Sendable {
        /// From 1, the place of the group; 0 for the rest of the groups.
        let rank: UInt64
        let isEarlier: Bool
        let isTotal: Bool
        let step: Int
        let records: UInt64
        /// The records of all groups in the current window.
        let matched: UInt64
        /// Those in the earlier window.
        let compared: UInt64
        let key: [QueryValue]
        let values: [ResultValue]
    }

    @Sendable func row(_ reader: inout RowBinaryReader) throws -> Row {
        Row(
            rank: try reader.integer(), isEarlier: try reader.bool(), isTotal: try reader.bool(),
            step: Int(try reader.integer(Int64.self)), records: try reader.integer(), matched: try reader.integer(),
            compared: try reader.integer(),
            key: try groups.map { group in
                try reader.optional { try Self.value(group.type ?? .text, &$0) } ?? .missing
            },
            values: try plan.query.calculations.map { try Self.result($0.function, &reader) })
    }

    static func value(_ type: SQLValue.ValueType, _ reader: inout RowBinaryReader) throws -> QueryValue {
        switch type {
        case .text: .string(try reader.string())
        case .int: .int(try reader.integer())
        case .double: .double(try reader.double())
        case .bool: .bool(try reader.bool())
        }
    }

    private static func result(
        _ function: Calculation.Function, _ reader: inout RowBinaryReader,
    ) throws -> ResultValue {
        guard function == .heatmap else { return ResultValue(try reader.optional { try $0.double() }) }
        return .heatmap(
            try reader.array { reader in
                LogLinearBins.heatmap.heatmapBin(
                    Int(try reader.integer(Int64.self)), count: try reader.double())
            })
    }

    func result(of rows: [Row]) -> QueryResult {
        let ranks = Set(rows.map(\.rank)).subtracting([0]).sorted()
        var kept = ranks.map { rank in row(of: rows.filter { $0.rank == rank }) }
        let totals = emptyTotals(plan.calculations)
        if plan.groups.isEmpty, kept.isEmpty, rows.isEmpty, plan.isIncluded(total: { totals[$0].number }) {
            kept = [row(of: [])]
        }
        let rest = rows.filter { $0.rank == 0 }
        if plan.having == nil, !rest.isEmpty {
            var other = row(of: rest)
            other.key = []
            other.isOther = true
            kept.append(other)
        }
        return QueryResult(
            window: plan.window, comparisonWindow: plan.comparisonWindow, calculations: plan.query.calculations,
            groups: plan.query.groups, rows: kept, matchedRecords: Int(clamping: rows.first?.matched ?? 0),
            comparedRecords: plan.comparisonWindow.map { _ in Int(clamping: rows.first?.compared ?? 0) })
    }

    private func row(of rows: [Row]) -> ResultRow {
        ResultRow(
            key: rows.first?.key ?? [], isOther: false,
            values: values(of: rows.filter { !$0.isEarlier }, in: plan.window),
            comparison: plan.comparisonWindow.map { values(of: rows.filter(\.isEarlier), in: $0) })
    }

    private func values(of rows: [Row], in window: TimeWindow) -> ResultValues {
        let empty = emptyTotals(plan.query.calculations)
        var result = ResultValues(totals: empty, series: Array(repeating: empty, count: window.stepCount))
        for row in rows {
            let bounds = row.isTotal ? (start: window.start, end: window.end) : window.bounds(ofStep: row.step)
            let values = zip(plan.query.calculations, row.values).map { calculation, value in
                guard calculation.function == .rate, let number = value.number else { return value }
                return ResultValue(number / (Double(bounds.end - bounds.start) / 1e9))
            }
            if row.isTotal {
                result.totals = values
            } else if result.series.indices.contains(row.step) {
                result.series[row.step] = values
            }
        }
        return result
    }

    /// The results of no records.
    private func emptyTotals(_ calculations: [Calculation]) -> [ResultValue] {
        calculations.map { calculation in
            switch calculation.function {
            case .count, .countDistinct, .sum, .rate, .concurrency: .number(0)
            case .heatmap: .heatmap([])
            case .avg, .min, .max, .p50, .p75, .p90, .p95, .p99, .p999, .ratio: .missing
            }
        }
    }
}
