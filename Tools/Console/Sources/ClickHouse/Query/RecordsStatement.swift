package import ConsoleModel
package import TelemetryQuery

extension ClickHouseClient {
    /// Returns the first `limit` records that fulfil the plan's condition in its window, without their number.
    ///
    /// - Throws: `QueryError` for what the store cannot do, `ClickHouseError` or `CancellationError`.
    package func records(
        _ plan: QueryPlan, order: RecordOrder, limit: Int, milestones: ConversionEvents = ConversionEvents(),
    ) async throws -> [QueryRecord] {
        let query = try RecordsStatement(plan, order: order, limit: limit, milestones: milestones)
        return try await rows(query.statement, row: query.row)
    }
}

extension ClickHouseClient {
    /// Returns the newest records that fulfil the plan's condition in its window, as columns.
    ///
    /// - Parameters:
    ///   - fields: The fields that are read; `nil` for all.
    ///   - limit: The largest number of records. An answer of ``ClickHouseConfiguration/responseBytes`` may have fewer.
    /// - Throws: `QueryError` for what the store cannot do, `ClickHouseError` or `CancellationError`.
    package func columns(
        _ plan: QueryPlan, fields: Set<String>? = nil, limit: Int, milestones: ConversionEvents = ConversionEvents(),
    ) async throws -> NewestColumns {
        let query = try RecordsStatement(
            plan, order: .newest, limit: limit + 1, fields: fields, milestones: milestones)
        var columns = NewestColumns(limit: limit)
        do {
            try await rows(query.statement) { columns.append(try query.row(&$0)) }
        } catch ClickHouseError.responseTooLarge {
            // The newest are first, so what arrived is complete back to a time.
            columns.leavesOut = true
        }
        columns.finish()
        return columns
    }
}

/// The records behind a result as one SQL statement.
struct RecordsStatement {
    let statement: Statement
    /// The fields that are no attributes, in the order of the columns.
    private let fields: [(name: String, type: SQLValue.ValueType)]
    private let dataset: Dataset

    /// - Parameter wanted: The fields that are read; `nil` for all.
    init(
        _ plan: QueryPlan, order: RecordOrder, limit: Int, fields wanted: Set<String>? = nil,
        milestones: ConversionEvents,
    ) throws(QueryError) {
        var translator = QueryTranslator(plan.query.dataset, milestones: milestones)
        let condition = try plan.condition.map { value throws(QueryError) in try translator.holds(value) } ?? "true"
        let dataset = plan.query.dataset
        self.dataset = dataset
        let duration = "CAST(\(try translator.column(of: "duration").number) AS Nullable(Float64)) AS length"
        var fields: [(name: String, type: SQLValue.ValueType)] = []
        let maps = AttributePlace.allCases.map { "attributes_of_\($0)" }
        var values = [duration, "recorded_weight"] + maps
        for name in translator.source.columns.keys.sorted() where wanted?.contains(name) ?? true {
            let column = try translator.column(of: name)
            guard let type = column.type else { continue }
            values.append("\(column.column) AS v\(fields.count)")
            fields.append((name, type))
        }
        self.fields = fields
        let keys = wanted.map { names in
            names.flatMap { FieldNames.columns(for: $0, in: dataset) }.map(AttributePlace.of)
        }
        var columns = ["\(translator.source.weight) AS recorded_weight"]
        for (place, name) in zip(AttributePlace.allCases, maps) {
            let own = keys.map { $0.filter { $0.place == place }.map { $0.key } }
            columns.append("\(translator.statement.entries(own, of: translator.source.map(of: place))) AS \(name)")
        }
        let records = try QueryStatement.records(
            plan, &translator, values: values, condition: condition, columns: columns)
        let selected = ["t", "recorded_weight"] + maps + fields.indices.map { "v\($0)" }
        translator.statement.text = """
            WITH \((SQLValue.functions + plan.sourceFunctions).joined(separator: ", ")) \
            SELECT \(selected.joined(separator: ", ")) FROM (\(records)) \
            ORDER BY \(order == .slowest ? "length DESC NULLS LAST, " : "")t DESC LIMIT \(limit) \
            SETTINGS \(SQLValue.settings)
            """
        statement = translator.statement
    }

    @Sendable func row(_ reader: inout RowBinaryReader) throws -> QueryRecord {
        let time = try reader.integer(Int64.self)
        let weight = try reader.double()
        var values: [String: QueryValue] = [:]
        for place in AttributePlace.allCases {
            for (key, value) in try reader.texts() { values[place.column(of: key, in: dataset)] = .string(value) }
        }
        for field in fields {
            if let value = try reader.optional({ try QueryStatement.value(field.type, &$0) }) {
                values[field.name] = value
            }
        }
        return QueryRecord(time: time, adjustedCount: weight, fields: values)
    }
}

extension Statement {
    /// SQL of the entries of a map with some keys, `nil` for all; of none without a map.
    fileprivate mutating func entries(_ keys: [String]?, of map: String?) -> String {
        guard let map else { return "mapFilter((k, v) -> false, ResourceAttributes)" }
        guard let keys else { return map }
        let list = Set(keys).sorted().map { bind($0) }.joined(separator: ", ")
        return "mapFilter((k, v) -> \(list.isEmpty ? "false" : "k IN (\(list))"), \(map))"
    }
}
