import TelemetryQuery

extension SQLValue {
    /// Returns SQL that is true if a comparison holds, and otherwise false, never NULL.
    ///
    /// It compares as `ValueComparison` defines, so a negated operator holds for a missing value.
    func holds(
        _ comparison: ComparisonOperator, _ literals: [Literal], in statement: inout Statement,
    ) throws(QueryError) -> String {
        let test = try positive(comparison.negated ?? comparison, literals.map(\.value), in: &statement)
        return comparison.negated == nil ? test : "NOT \(test)"
    }

    private func positive(
        _ comparison: ComparisonOperator, _ literals: [QueryValue], in statement: inout Statement,
    ) throws(QueryError) -> String {
        if type == nil { return "false" }
        if isOfAnyType, comparison.isOrder { try Self.expectNumber(after: comparison, literals) }
        switch comparison {
        case .exists: return "(\(sql) IS NOT NULL)"
        case .equal, .isIn:
            let tests = literals.compactMap { equals($0, in: &statement) }
            return tests.isEmpty ? "false" : "(\(tests.joined(separator: " OR ")))"
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            return literals.first.flatMap { compares(comparison.rawValue, $0, in: &statement) } ?? "false"
        case .contains:
            guard let wanted = literals.first?.text else { return "false" }
            return "ifNull(position(\(try text()), \(statement.bind(wanted))) > 0, false)"
        case .startsWith:
            guard let wanted = literals.first?.text else { return "false" }
            return "ifNull(startsWith(\(try text()), \(statement.bind(wanted))), false)"
        case .matches:
            guard let pattern = literals.first?.text else { return "false" }
            return "ifNull(match(\(try text()), \(statement.bind(Self.pattern(pattern)))), false)"
        default: return "false"
        }
    }

    /// Refuses an order that depends on the type which a sender gave an attribute: a text has one with a text, and a
    /// number has none.
    private static func expectNumber(
        after comparison: ComparisonOperator, _ literals: [QueryValue],
    ) throws(QueryError) {
        for literal in literals {
            switch literal {
            case .int, .double, .missing: continue
            case .bool, .string:
                throw QueryError(
                    "The ClickHouse store has attributes as text, so it cannot order them by a text. Expected a number "
                        + "after \(comparison.rawValue), or another operator, such as = or starts-with.")
            }
        }
    }

    private func equals(_ literal: QueryValue, in statement: inout Statement) -> String? {
        switch (type, literal) {
        case (.text, .bool(let value)): "ifNull(\(sql) = '\(value)', false)"
        case (.bool, .string(let text)):
            ["true", "false"].contains(text) ? "ifNull(\(sql) = \(text), false)" : nil
        default: compares("=", literal, in: &statement)
        }
    }

    /// Returns `nil` if values of the two types have no order.
    private func compares(_ sign: String, _ literal: QueryValue, in statement: inout Statement) -> String? {
        switch (type, literal) {
        case (.bool, .bool), (.text, .string):
            return "ifNull(\(sql) \(sign) \(SQLValue(literal, in: &statement).sql), false)"
        case (.text, .int), (.text, .double):
            // Whole numbers are compared without rounding.
            guard let number = Self.bind(number: literal, in: &statement) else { return nil }
            return "ifNull(if(json_integer(\(sql)) IS NULL, \(self.number) \(sign) \(number), "
                + "json_integer(\(sql)) \(sign) \(number)), false)"
        case (.int, .int), (.int, .double), (.double, .int), (.double, .double):
            guard let number = Self.bind(number: literal, in: &statement) else { return nil }
            return "ifNull(\(sql) \(sign) \(number), false)"
        case (.int, .string(let text)), (.double, .string(let text)):
            return QueryValue.number(in: text).flatMap { compares(sign, $0, in: &statement) }
        default: return nil
        }
    }

    private static func bind(number: QueryValue, in statement: inout Statement) -> String? {
        let value = SQLValue(number, in: &statement)
        return value.type == nil ? nil : value.sql
    }

    /// Returns a pattern of `QueryPattern` as RE2 understands it: a dot is no line break, and case is that of ASCII.
    static func pattern(_ pattern: String) -> String {
        pattern.hasPrefix("(?i)") ? "(?i-s)" + pattern.dropFirst(4) : "(?-s)" + pattern
    }
}
