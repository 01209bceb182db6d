import ConsoleModel
import TelemetryQuery

/// Translates the expressions and conditions of a query to SQL, and collects the fields that they read.
///
/// Each field becomes a column `f0`, `f1`, … of the innermost SELECT, so its SQL is in the statement once.
struct QueryTranslator {
    let source: RecordSource
    let sessions: RecordSource
    var statement: Statement
    /// The fields of the record by name, in the order of their columns.
    private(set) var fields: [(name: String, value: SQLValue)] = []
    /// The fields of related records, in the order of their columns.
    private(set) var related: [(relation: Relation, name: String, value: SQLValue)] = []

    init(_ dataset: Dataset, milestones: ConversionEvents) {
        statement = Statement()
        sessions = RecordSource.sessions(milestones, in: &statement)
        switch dataset {
        case .spans: source = .spans
        case .events: source = .events
        case .sessions: source = sessions
        case .issues: source = .issues
        case .metrics: source = .metrics
        }
    }

    mutating func value(of expression: Expression) throws(QueryError) -> SQLValue {
        switch expression {
        case .field(let name):
            guard let (relation, field) = FieldNames.relation(of: name) else { return try column(of: name) }
            let value = try column(of: field, in: relation)
            // The least value of some span.
            guard relation == .any, value.type != nil else { return value }
            return value.named("if(empty(\(value.sql)), NULL, arrayMin(\(value.sql)))")
        case .literal(let literal): return SQLValue(literal.value, in: &statement)
        case .arithmetic(let left, let sign, let right):
            let sql = "\(try value(of: left).number) \(sign.rawValue) \(try value(of: right).number)"
            return SQLValue(sql: "finite(\(sql))", type: .double)
        case .bucket(let inner, let size):
            guard let size = size.value.number, size.isFinite else { return .missing }
            let bound = statement.bind(size)
            return SQLValue(sql: "finite(floor(\(try value(of: inner).number) / \(bound)) * \(bound))", type: .double)
        case .coalesce(let parts):
            let values = try unified(parts, in: "coalesce")
            if values.type == nil { return .missing }
            return SQLValue(
                sql: "coalesce(\(values.sql.joined(separator: ", ")))", type: values.type,
                isOfAnyType: values.isOfAnyType)
        case .conditional(let condition, let yes, let no):
            let values = try unified([yes, no], in: "if")
            if values.type == nil { return .missing }
            return SQLValue(
                sql: "if(\(try holds(condition)), \(values.sql.joined(separator: ", ")))", type: values.type,
                isOfAnyType: values.isOfAnyType)
        case .extract(let inner, let pattern):
            let (text, pattern) = (try value(of: inner).text(), statement.bind(SQLValue.pattern(pattern)))
            return SQLValue(
                sql: "if(match(\(text), \(pattern)), nullIf(extract(\(text), \(pattern)), ''), NULL)", type: .text)
        }
    }

    mutating func holds(_ condition: Condition) throws(QueryError) -> String {
        switch condition {
        case .leaf(let term): return try holds(term)
        case .not(let part): return "NOT \(try holds(part))"
        case .all(let parts): return try joined(parts, by: " AND ")
        case .any(let parts): return try joined(parts, by: " OR ")
        }
    }

    private mutating func joined(_ parts: [Condition], by sign: String) throws(QueryError) -> String {
        var tests: [String] = []
        for part in parts { tests.append(try holds(part)) }
        return "(\(tests.joined(separator: sign)))"
    }

    private mutating func holds(_ term: Term) throws(QueryError) -> String {
        guard case .field(let name) = term.subject, let (relation, field) = FieldNames.relation(of: name),
            relation == .any
        else { return try value(of: term.subject).holds(term.comparison, term.values, in: &statement) }
        // Some span of the trace. A negation asks that none is.
        let values = try column(of: field, in: relation)
        guard values.type != nil else { return term.comparison.negated == nil ? "false" : "true" }
        let one = values.named("v")
        let test = try one.holds(term.comparison.negated ?? term.comparison, term.values, in: &statement)
        return "\(term.comparison.negated == nil ? "" : "NOT ")arrayExists(v -> \(test), \(values.sql))"
    }

    /// Returns the column of a field of the record.
    mutating func column(of name: String) throws(QueryError) -> SQLValue {
        if let index = fields.firstIndex(where: { $0.name == name }) {
            return fields[index].value.named("f\(index)")
        }
        let value = try source.value(of: name, in: &statement)
        guard value.type != nil else { return value }
        fields.append((name, value))
        return value.named("f\(fields.count - 1)")
    }

    private mutating func column(of field: String, in relation: Relation) throws(QueryError) -> SQLValue {
        if let index = related.firstIndex(where: { $0.relation == relation && $0.name == field }) {
            return related[index].value.named("r\(index)")
        }
        let value =
            try (relation == .session ? sessions : RecordSource.spans).value(of: field, in: &statement)
        guard value.type != nil else { return value }
        related.append((relation, field, value))
        return value.named("r\(related.count - 1)")
    }

    /// Returns the SQL of expressions that give one column, so that all have one type.
    private mutating func unified(
        _ expressions: [Expression], in function: String,
    ) throws(QueryError) -> (sql: [String], type: SQLValue.ValueType?, isOfAnyType: Bool) {
        var values: [SQLValue] = []
        for expression in expressions { values.append(try value(of: expression)) }
        var types = Set(values.compactMap(\.type))
        if types == [.int, .double] {
            // A whole number of a field may be too large for a decimal.
            for (index, expression) in expressions.enumerated() where values[index].type == .int {
                guard case .literal(let literal) = expression, case .int(let int) = literal.value,
                    Int64(exactly: Double(int)) == int
                else { continue }
                values[index] = SQLValue(.double(Double(int)), in: &statement)
            }
            types = Set(values.compactMap(\.type))
        }
        guard types.count <= 1 else {
            let names = types.map(\.name).sorted().joined(separator: " and ")
            throw QueryError(
                "The ClickHouse store cannot mix \(names) in \(function)(…). Expected values of one type; "
                    + "adding 0.0 makes a decimal.")
        }
        return (
            values.map { $0.type == nil ? "NULL" : $0.sql }, types.first, values.contains(where: \.isOfAnyType),
        )
    }
}

extension SQLValue.ValueType {
    fileprivate var name: String {
        switch self {
        case .text: "text"
        case .int: "whole numbers"
        case .double: "decimals"
        case .bool: "truth values"
        }
    }
}
