/// A part of a query that is one text in the JSON form too.
package protocol WrittenAsText: Encodable, CustomStringConvertible {}

extension WrittenAsText {
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// The parts of the JSON form of a query.
extension Calculation: WrittenAsText, Codable {
    package init(from decoder: any Decoder) throws {
        self = try decoder.parsed("calculation") { parser throws(QueryError) in try parser.calculation() }
    }
}

extension Expression: WrittenAsText, Codable {
    package init(from decoder: any Decoder) throws {
        self = try decoder.parsed("expression") { parser throws(QueryError) in try parser.expression() }
    }
}

extension OrderTerm: WrittenAsText, Codable {
    package init(from decoder: any Decoder) throws {
        self = try decoder.parsed("order") { parser throws(QueryError) in try parser.orderTerm() }
    }
}

extension DerivedField: Codable {
    private enum Key: String, CodingKey, CaseIterable {
        case name
        case expression
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(Key.self)
        name = try container.decode(String.self, forKey: .name)
        expression = try container.decode(Expression.self, forKey: .expression)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(name, forKey: .name)
        try container.encode(expression, forKey: .expression)
    }
}

/// A literal is a JSON value. One with a unit is `{"quantity": "250ms"}`.
extension Literal: Codable {
    private enum Key: String, CodingKey, CaseIterable {
        case quantity
    }

    package init(from decoder: any Decoder) throws {
        if let container = try? decoder.singleValueContainer() {
            if let bool = try? container.decode(Bool.self) {
                self.init(.bool(bool))
                return
            }
            if let int = try? container.decode(Int64.self) {
                self.init(.int(int))
                return
            }
            if let double = try? container.decode(Double.self), double.isFinite {
                self.init(.double(double))
                return
            }
            if let text = try? container.decode(String.self) {
                self.init(.string(text))
                return
            }
        }
        guard let container = try? decoder.strictContainer(Key.self) else {
            throw decoder.error("Expected a text, a number, true, false, or an object with the key \"quantity\".")
        }
        let text = try container.decode(String.self, forKey: .quantity)
        let isNegative = text.hasPrefix("-")
        let literal = QueryText.number(isNegative ? String(text.dropFirst()) : text)
        guard let literal = isNegative ? literal?.negated : literal else {
            throw container.error(.quantity, "Expected a number with a unit such as 250ms or 10MB, found \"\(text)\".")
        }
        self = literal
    }

    package func encode(to encoder: any Encoder) throws {
        if unit != nil {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(QueryText.text(of: self), forKey: .quantity)
            return
        }
        var container = encoder.singleValueContainer()
        switch value {
        case .missing: try container.encodeNil()
        case .bool(let bool): try container.encode(bool)
        case .int(let int): try container.encode(int)
        case .double(let double): try container.encode(double)
        case .string(let text): try container.encode(text)
        }
    }
}

private enum LogicKey: String, CodingKey, CaseIterable {
    case all
    case any
    case not
}

extension Logic: Decodable where Leaf: Decodable {
    package init(from decoder: any Decoder) throws {
        guard decoder.codingPath.count <= 2 * QueryLimits.depth else {
            throw decoder.error("The conditions are nested too deeply.")
        }
        let keys = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
        guard let key = keys.compactMap(LogicKey.init).first else {
            self = .leaf(try Leaf(from: decoder))
            return
        }
        let container = try decoder.strictContainer(LogicKey.self)
        guard keys.count == 1 else { throw decoder.error("Expected one of all, any or not.") }
        switch key {
        case .not: self = .not(try container.decode(Logic.self, forKey: .not))
        case .all, .any:
            let parts = try container.decode([Logic].self, forKey: key)
            guard let first = parts.first else { throw container.error(key, "Expected at least one condition.") }
            self = parts.count == 1 ? first : (key == .all ? .all(parts) : .any(parts))
        }
    }
}

extension Logic: Encodable where Leaf: Encodable {
    package func encode(to encoder: any Encoder) throws {
        if case .leaf(let leaf) = self {
            try leaf.encode(to: encoder)
            return
        }
        var container = encoder.container(keyedBy: LogicKey.self)
        switch self {
        case .leaf: break
        case .all(let parts): try container.encode(parts, forKey: .all)
        case .any(let parts): try container.encode(parts, forKey: .any)
        case .not(let part): try container.encode(part, forKey: .not)
        }
    }
}

extension Term: Codable {
    private enum Key: String, CodingKey, CaseIterable {
        case field
        case `operator`
        case value
        case values
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(Key.self)
        subject = try container.decode(Expression.self, forKey: .field)
        let name = try container.decode(String.self, forKey: .operator)
        guard let comparison = ComparisonOperator(rawValue: name) else {
            throw container.error(.operator, name, among: ComparisonOperator.allCases.map(\.rawValue))
        }
        self.comparison = comparison
        switch comparison {
        case .exists, .doesNotExist: values = []
        case .isIn, .isNotIn: values = try container.decode([Literal].self, forKey: .values)
        default: values = [try container.decode(Literal.self, forKey: .value)]
        }
        if case .matches = comparison.negated ?? comparison {
            guard case .string(let pattern) = values.first?.value else {
                throw container.error(.value, "Expected a regular expression.")
            }
            do {
                _ = try QueryPattern(pattern)
            } catch {
                throw container.error(.value, error.description)
            }
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(subject, forKey: .field)
        try container.encode(comparison.rawValue, forKey: .operator)
        switch comparison {
        case .exists, .doesNotExist: break
        case .isIn, .isNotIn: try container.encode(values, forKey: .values)
        default: try container.encodeIfPresent(values.first, forKey: .value)
        }
    }
}

extension HavingTerm: Codable {
    private enum Key: String, CodingKey, CaseIterable {
        case calculation
        case `operator`
        case value
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(Key.self)
        calculation = try container.decode(Calculation.self, forKey: .calculation)
        let name = try container.decode(String.self, forKey: .operator)
        guard let comparison = ComparisonOperator(rawValue: name),
            comparison.isOrder || comparison == .equal || comparison == .notEqual
        else { throw container.error(.operator, name, among: ["=", "!=", "<", "<=", ">", ">="]) }
        self.comparison = comparison
        value = try container.decode(Literal.self, forKey: .value)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(calculation, forKey: .calculation)
        try container.encode(comparison.rawValue, forKey: .operator)
        try container.encode(value, forKey: .value)
    }
}
