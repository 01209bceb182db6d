package import ConsoleStore
package import TelemetryQuery

extension ClickHouseClient {
    /// Returns the first `limit` records that fulfil the plan's condition in its window, without their number.
    ///
    /// - Throws: `QueryError` for what the store cannot do, `ClickHouseError` or `CancellationError`.
    package func records(
        _ plan: QueryPlan, order: RecordOrder, limit: Int, milestones: Milestones = Milestones(),
    ) async throws -> [QueryRecord] {
        let query = try RecordsStatement(plan, order: order, limit: limit, milestones: milestones)
        return try await rows(query.statement, row: query.row)
    }
}

/// The records behind a result as one SQL statement.
struct RecordsStatement {
    let statement: Statement
    /// The fields that are no attributes, in the order of the columns.
    private let fields: [(name: String, type: SQLValue.ValueType)]

    init(_ plan: QueryPlan, order: RecordOrder, limit: Int, milestones: Milestones) throws(QueryError) {
        var translator = try QueryTranslator(plan.query.dataset, milestones: milestones)
        let condition = try plan.condition.map { value throws(QueryError) in try translator.holds(value) } ?? "true"
        let duration = "CAST(\(translator.column(of: "duration").number) AS Nullable(Float64)) AS length"
        var fields: [(name: String, type: SQLValue.ValueType)] = []
        var values = [duration, "attributes_of_record", "attributes_of_resource", "recorded_weight"]
        for name in translator.source.fields.keys.sorted() {
            let column = translator.column(of: name)
            guard let type = column.type else { continue }
            values.append("\(column.column) AS v\(fields.count)")
            fields.append((name, type))
        }
        self.fields = fields
        let records = QueryStatement.records(
            plan, &translator, values: values, condition: condition,
            columns: [
                "\(translator.source.attributes) AS attributes_of_record",
                "ResourceAttributes AS attributes_of_resource", "\(translator.source.weight) AS recorded_weight",
            ], )
        let columns =
            ["t", "recorded_weight", "attributes_of_record", "attributes_of_resource"] + fields.indices.map { "v\($0)" }
        translator.statement.text = """
            WITH \(SQLValue.functions.joined(separator: ", ")) \
            SELECT \(columns.joined(separator: ", ")) FROM (\(records)) \
            ORDER BY \(order == .slowest ? "length DESC NULLS LAST, " : "")t DESC LIMIT \(limit) \
            SETTINGS \(SQLValue.settings)
            """
        statement = translator.statement
    }

    @Sendable func row(_ reader: inout RowBinaryReader) throws -> QueryRecord {
        let time = try reader.integer(Int64.self)
        let weight = try reader.double()
        var values: [String: QueryValue] = [:]
        for (key, value) in try reader.texts() { values[key] = .string(value) }
        for (key, value) in try reader.texts() { values["resource." + key] = .string(value) }
        for field in fields {
            if let value = try reader.optional({ try QueryStatement.value(field.type, &$0) }) {
                values[field.name] = value
            }
        }
        return QueryRecord(time: time, adjustedCount: weight, fields: values)
    }
}
