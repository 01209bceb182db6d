import TelemetryQuery

/// Writes expressions in the language of Honeycomb's calculated fields.
struct HoneycombExpression {
    let fields: HoneycombFields

    func text(_ expression: Expression) throws(HoneycombGap) -> String {
        switch expression {
        case .field(let name):
            let column = Self.column(try fields.column(name))
            // Other durations in an expression are nanoseconds, as its literals are.
            return fields.isDuration(name) ? "MUL(\(column), 1000000)" : column
        case .literal(let literal): return try Self.literal(literal.value)
        case .arithmetic(let left, let sign, let right):
            let function =
                switch sign {
                case .plus: "SUM"
                case .minus: "SUB"
                case .times: "MUL"
                case .divided: "DIV"
                }
            return "\(function)(\(try text(left)), \(try text(right)))"
        case .bucket(let value, let size): return "BUCKET(\(try text(value)), \(try Self.literal(size.value)))"
        case .coalesce(let values):
            var parts: [String] = []
            for value in values { parts.append(try text(value)) }
            return "COALESCE(\(parts.joined(separator: ", ")))"
        case .conditional(let condition, let yes, let no):
            return "IF(\(try text(condition)), \(try text(yes)), \(try text(no)))"
        case .extract(let value, let pattern):
            return "REG_VALUE(\(try text(value)), \(try Self.pattern(pattern)))"
        }
    }

    func text(_ condition: Condition) throws(HoneycombGap) -> String {
        switch condition {
        case .leaf(let term): return try text(term)
        case .not(let part): return "NOT(\(try text(part)))"
        case .all(let parts), .any(let parts):
            var texts: [String] = []
            for part in parts { texts.append(try text(part)) }
            let function = if case .all = condition { "AND" } else { "OR" }
            return "\(function)(\(texts.joined(separator: ", ")))"
        }
    }

    private func text(_ term: Term) throws(HoneycombGap) -> String {
        if let positive = term.comparison.negated {
            return "NOT(\(try text(Term(term.subject, positive, term.values))))"
        }
        let subject: String
        var values: [String] = []
        if case .field(let name) = term.subject {
            subject = Self.column(try fields.column(name))
            for value in term.values { values.append(try Self.literal(fields.value(value, of: name))) }
        } else {
            subject = try text(term.subject)
            for value in term.values { values.append(try Self.literal(value.value)) }
        }
        let value = values.first ?? ""
        return switch term.comparison {
        case .equal: "EQUALS(\(subject), \(value))"
        case .less: "LT(\(subject), \(value))"
        case .lessOrEqual: "LTE(\(subject), \(value))"
        case .greater: "GT(\(subject), \(value))"
        case .greaterOrEqual: "GTE(\(subject), \(value))"
        case .isIn: "IN(\(([subject] + values).joined(separator: ", ")))"
        case .contains: "CONTAINS(\(subject), \(value))"
        case .startsWith: "STARTS_WITH(\(subject), \(value))"
        case .matches: "REG_MATCH(\(subject), \(try Self.pattern(term.values.first?.value)))"
        default: "EXISTS(\(subject))"
        }
    }

    private static func column(_ name: String) -> String {
        let isPlain =
            name.unicodeScalars.first.map { !("0"..."9").contains($0) } == true
            && name.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || "0123456789_.".unicodeScalars.contains($0))
            }
        return isPlain ? "$" + name : "$" + quoted(name)
    }

    private static func literal(_ value: QueryValue) throws(HoneycombGap) -> String {
        switch value {
        case .string(let text): return quoted(text)
        case .bool(let value): return value ? "true" : "false"
        case .int(let value): return String(value)
        case .double(let value): return "\(value)"
        case .missing: return "null"
        }
    }

    private static func literal(_ value: HoneycombValue) throws(HoneycombGap) -> String {
        switch value {
        case .text(let text): quoted(text)
        case .bool(let value): value ? "true" : "false"
        case .number(let value): Int64(exactly: value).map(String.init) ?? "\(value)"
        case .list: throw HoneycombGap(reason: "Expected one value.")
        }
    }

    private static func pattern(_ value: QueryValue?) throws(HoneycombGap) -> String {
        guard case .string(let text) = value else { throw HoneycombGap(reason: "Expected a regular expression.") }
        return try pattern(text)
    }

    /// A pattern as a raw string, in which nothing is escaped.
    private static func pattern(_ text: String) throws(HoneycombGap) -> String {
        guard !text.contains("`") else {
            throw HoneycombGap(reason: "A regular expression for Honeycomb cannot have a backtick.")
        }
        return "`\(text)`"
    }

    private static func quoted(_ text: String) -> String {
        "\""
            + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            .replacing("\n", with: "\\n") + "\""
    }
}
