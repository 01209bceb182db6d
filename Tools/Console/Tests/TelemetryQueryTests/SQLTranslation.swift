@testable import TelemetryQuery

/// Says a query in SQL, without the engine's code.
///
/// SQL compares values of one type, so the table has one type for each column: see ``SQLRecords``. A query that needs
/// more, such as a related record, a percentile or a comparison of text with a number, is not said.
struct SQLTranslation {
    enum ColumnType {
        case text
        case number
        case bool
    }

    struct Unsayable: Error {}

    /// The columns that may hold each field, as SQL.
    static let fields: [String: (sql: String, type: ColumnType)] = [
        "time": ("time", .number),
        "adjusted_count": ("nullif(weight, 1.0)", .number),
        "name": ("name", .text),
        "duration": ("duration", .number),
        "status": ("status", .text),
        "text": ("\"text\"", .text),
        "flag": ("flag", .bool),
        "size": ("size", .number),
        "rare": ("rare", .number),
        "user": ("user", .text),
        "session.id": ("\"session.id\"", .text),
        "trace.id": ("\"trace.id\"", .text),
        "resource.service.name": ("\"resource.service.name\"", .text),
        "service.name": ("\"resource.service.name\"", .text),
        "attribute.service.name": ("\"attribute.service.name\"", .text),
        "http.response.status_code": ("coalesce(\"http.response.status_code\", \"http.status_code\")", .number),
        "http.status_code": ("coalesce(\"http.response.status_code\", \"http.status_code\")", .number),
    ]

    private let query: Query
    private let weight: String
    let groups: [(sql: String, type: ColumnType)]
    let condition: String
    /// Those of the query first, then those that only `order` and `having` need.
    let calculations: [Calculation]
    let order: String
    let having: String

    init(_ query: Query) throws(Unsayable) {
        self.query = query
        weight = query.isRaw ? "1.0" : "weight"
        let parts = Parts(derived: Dictionary(query.derived.map { ($0.name, $0.expression) }) { first, _ in first })
        var groups: [(sql: String, type: ColumnType)] = []
        for group in query.groups { groups.append(try parts.expression(group)) }
        self.groups = groups
        condition = try query.condition.map { value throws(Unsayable) in try parts.condition(value) } ?? "1"
        var calculations = query.calculations
        func column(_ calculation: Calculation) -> String {
            if !calculations.contains(calculation) { calculations.append(calculation) }
            return "c\(calculations.firstIndex(of: calculation) ?? 0)"
        }
        var order = query.order.isEmpty ? ["c0 DESC NULLS LAST"] : []
        for term in query.order {
            switch term.key {
            case .calculation(let calculation):
                order.append("\(column(calculation)) \(term.isDescending ? "DESC" : "ASC") NULLS LAST")
            case .group(let expression):
                guard let index = query.groups.firstIndex(of: expression) else { throw Unsayable() }
                order.append("k\(index) \(term.isDescending ? "DESC" : "ASC")")
            }
        }
        self.order = (order + groups.indices.map { "k\($0)" }).joined(separator: ", ")
        having =
            try query.having.map { having throws(Unsayable) in
                guard case .leaf(let term) = having else { throw Unsayable() }
                let number = column(term.calculation)
                return try Parts.comparison((number, .number), term.comparison, [term.value])
            } ?? "1"
        self.calculations = calculations
        for calculation in calculations { _ = try value(of: calculation, seconds: "1") }
    }

    /// Returns the aggregate of a calculation.
    func value(of calculation: Calculation, seconds: String) throws(Unsayable) -> String {
        let parts = Parts(derived: Dictionary(query.derived.map { ($0.name, $0.expression) }) { first, _ in first })
        func number() throws(Unsayable) -> String {
            guard let operand = calculation.operand else { throw Unsayable() }
            let (sql, type) = try parts.expression(operand)
            guard type == .number else { throw Unsayable() }
            return sql
        }
        switch calculation.function {
        case .count: return "total(\(weight))"
        case .countDistinct:
            guard let operand = calculation.operand else { throw Unsayable() }
            return "count(DISTINCT \(try parts.expression(operand).sql))"
        case .sum: return "total(\(try number()) * \(weight))"
        case .avg:
            let number = try number()
            return "sum(\(number) * \(weight)) / nullif(total(CASE WHEN \(number) IS NOT NULL THEN \(weight) END), 0)"
        case .min: return "min(\(try number()))"
        case .max: return "max(\(try number()))"
        case .rate: return "total(\(calculation.operand == nil ? weight : try number() + " * " + weight)) / \(seconds)"
        case .ratio:
            let condition = try calculation.condition.map { value throws(Unsayable) in try parts.condition(value) }
            return "total(CASE WHEN \(condition ?? "1") THEN \(weight) END) / nullif(total(\(weight)), 0)"
        default: throw Unsayable()
        }
    }

    private struct Parts {
        let derived: [String: Expression]

        func expression(_ expression: Expression) throws(Unsayable) -> (sql: String, type: ColumnType) {
            switch expression {
            case .field(let name):
                if let definition = derived[name] { return try self.expression(definition) }
                guard let field = SQLTranslation.fields[name] else { throw Unsayable() }
                return field
            case .literal: throw Unsayable()
            case .arithmetic(let left, let sign, let right):
                return ("(\(try number(left)) \(sign.rawValue) \(try number(right)))", .number)
            case .bucket(let value, let size):
                guard case .int(let size) = size.value else { throw Unsayable() }
                let share = "(\(try number(value)) / \(size).0)"
                return ("((cast(\(share) AS INTEGER) - (\(share) < cast(\(share) AS INTEGER))) * \(size).0)", .number)
            case .coalesce(let values):
                var parts: [(sql: String, type: ColumnType)] = []
                for value in values {
                    if case .literal(let literal) = value {
                        parts.append(try Self.literal(literal))
                    } else {
                        parts.append(try self.expression(value))
                    }
                }
                guard Set(parts.map(\.type)).count == 1 else { throw Unsayable() }
                return ("coalesce(\(parts.map(\.sql).joined(separator: ", ")))", parts[0].type)
            case .conditional(let condition, let yes, let no):
                let (yes, no) = (try self.expression(yes), try self.expression(no))
                guard yes.type == no.type else { throw Unsayable() }
                return ("CASE WHEN \(try self.condition(condition)) THEN \(yes.sql) ELSE \(no.sql) END", yes.type)
            case .extract: throw Unsayable()
            }
        }

        private func number(_ expression: Expression) throws(Unsayable) -> String {
            let (sql, type): (String, ColumnType)
            if case .literal(let literal) = expression {
                (sql, type) = try Self.literal(literal)
            } else {
                (sql, type) = try self.expression(expression)
            }
            guard type == .number else { throw Unsayable() }
            return "cast(\(sql) AS REAL)"
        }

        func condition(_ condition: Condition) throws(Unsayable) -> String {
            switch condition {
            case .leaf(let term): return try Self.comparison(expression(term.subject), term.comparison, term.values)
            case .not(let part): return "NOT (\(try self.condition(part)))"
            case .all(let parts): return try joined(parts, " AND ")
            case .any(let parts): return try joined(parts, " OR ")
            }
        }

        private func joined(_ parts: [Condition], _ sign: String) throws(Unsayable) -> String {
            var said: [String] = []
            for part in parts { said.append(try condition(part)) }
            return "(\(said.joined(separator: sign)))"
        }

        /// A comparison that is never NULL: a missing value fulfils the negated operators only.
        static func comparison(
            _ subject: (sql: String, type: ColumnType), _ comparison: ComparisonOperator, _ literals: [Literal],
        ) throws(Unsayable) -> String {
            var values: [String] = []
            for literal in literals {
                let (sql, type) = try Self.literal(literal)
                guard type == subject.type else { throw Unsayable() }
                values.append(sql)
            }
            let list = values.joined(separator: ", ")
            switch comparison {
            case .equal, .less, .lessOrEqual, .greater, .greaterOrEqual:
                return "ifnull(\(subject.sql) \(comparison.rawValue) \(list), 0)"
            case .notEqual: return "ifnull(\(subject.sql) <> \(list), 1)"
            case .isIn: return "ifnull(\(subject.sql) IN (\(list)), 0)"
            case .isNotIn: return "ifnull(\(subject.sql) NOT IN (\(list)), 1)"
            case .exists: return "\(subject.sql) IS NOT NULL"
            case .doesNotExist: return "\(subject.sql) IS NULL"
            case .contains where subject.type == .text: return "ifnull(instr(\(subject.sql), \(list)) > 0, 0)"
            case .doesNotContain where subject.type == .text: return "ifnull(instr(\(subject.sql), \(list)) = 0, 1)"
            default: throw Unsayable()
            }
        }

        private static func literal(_ literal: Literal) throws(Unsayable) -> (sql: String, type: ColumnType) {
            switch literal.value {
            case .missing: throw Unsayable()
            case .bool(let value): return (value ? "1" : "0", .bool)
            case .int(let value): return ("\(value)", .number)
            case .double(let value): return ("\(value)", .number)
            case .string(let value): return ("'\(value.replacing("'", with: "''"))'", .text)
            }
        }
    }
}
