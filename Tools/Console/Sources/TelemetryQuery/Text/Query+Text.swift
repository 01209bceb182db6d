/// The text form of a query, in its canonical order of clauses.
extension Query: CustomStringConvertible {
    package var description: String {
        var parts = [calculations.map(\.description).joined(separator: ", ")]
        if dataset != .spans { parts.append("of \(dataset.rawValue)") }
        if !derived.isEmpty {
            let fields = derived.map { "\(QueryText.name($0.name)) = \($0.expression)" }
            parts.append("with " + fields.joined(separator: ", "))
        }
        if !groups.isEmpty { parts.append("by " + groups.map(\.description).joined(separator: ", ")) }
        if let condition { parts.append("where \(condition.text { $0.description })") }
        if let having { parts.append("having \(having.text { $0.description })") }
        if !order.isEmpty { parts.append("order " + order.map(\.description).joined(separator: ", ")) }
        if limit != Self.defaultLimit { parts.append("limit \(limit)") }
        if clock == .arrival { parts.append("arriving") }
        parts.append(time.text)
        switch granularity {
        case .automatic: break
        case .fixed(let nanoseconds): parts.append("every \(QueryText.text(ofDuration: nanoseconds))")
        case .total: parts.append("every total")
        }
        switch comparison {
        case .previous: parts.append("compare previous")
        case .earlier(let nanoseconds): parts.append("compare \(QueryText.text(ofDuration: nanoseconds))")
        case nil: break
        }
        if isRaw { parts.append("raw") }
        return parts.joined(separator: " ")
    }

    /// The text form for one parameter of a URL, percent-encoded.
    package var urlValue: String {
        description.utf8.reduce(into: "") { text, byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: text.append(Character(.init(byte)))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                text += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
    }

    /// Reads the value of a parameter of a URL, percent-encoded.
    package init(urlValue: String) throws(QueryError) {
        var bytes: [UInt8] = []
        var rest = Array(urlValue.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == 0x25 else {
                bytes.append(byte == 0x2B ? 0x20 : byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, let text = String(validating: digits, as: UTF8.self),
                let value = UInt8(text, radix: 16)
            else {
                throw QueryError("Expected two hexadecimal digits after % in the URL.")
            }
            rest.removeFirst(2)
            bytes.append(value)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw QueryError("Expected a query in UTF-8 in the URL.")
        }
        try self.init(text: text)
    }
}

extension Calculation: CustomStringConvertible {
    package var description: String {
        if let condition { return "\(function.rawValue)(where \(condition.text { $0.description }))" }
        return operand.map { "\(function.rawValue)(\($0))" } ?? function.rawValue
    }
}

extension OrderTerm: CustomStringConvertible {
    package var description: String {
        let key =
            switch key {
            case .calculation(let calculation): calculation.description
            case .group(let expression): expression.description
            }
        return key + (isDescending ? " desc" : " asc")
    }
}

extension Expression: CustomStringConvertible {
    package var description: String {
        switch self {
        case .field(let name): QueryText.name(name)
        case .literal(let literal): QueryText.text(of: literal)
        case .arithmetic(let left, let sign, let right):
            "\(left.operandText(above: sign.precedence)) \(sign.rawValue) "
                + right.operandText(above: sign.precedence + 1)
        case .bucket(let value, let size): "bucket(\(value), \(QueryText.text(of: size)))"
        case .coalesce(let values): "coalesce(\(values.map(\.description).joined(separator: ", ")))"
        case .conditional(let condition, let yes, let no):
            "if(\(condition.text { $0.description }), \(yes), \(no))"
        case .extract(let value, let pattern): "extract(\(value), \(QueryText.quoted(pattern)))"
        }
    }

    private func operandText(above precedence: Int) -> String {
        if case .arithmetic(_, let sign, _) = self, sign.precedence < precedence { "(\(self))" } else { description }
    }
}

extension ArithmeticOperator {
    fileprivate var precedence: Int { self == .plus || self == .minus ? 0 : 1 }
}

extension Term: CustomStringConvertible {
    package var description: String {
        switch comparison {
        case .exists, .doesNotExist: "\(subject) \(comparison.rawValue)"
        case .isIn, .isNotIn:
            "\(subject) \(comparison.rawValue) (\(values.map(QueryText.text(of:)).joined(separator: ", ")))"
        default: "\(subject) \(comparison.rawValue) \(values.first.map(QueryText.text(of:)) ?? "")"
        }
    }
}

extension HavingTerm: CustomStringConvertible {
    package var description: String { "\(calculation) \(comparison.rawValue) \(QueryText.text(of: value))" }
}

extension Logic: CustomStringConvertible where Leaf: CustomStringConvertible {
    package var description: String { text { $0.description } }
}

extension Logic {
    func text(_ leafText: (Leaf) -> String) -> String {
        switch self {
        case .leaf(let leaf): leafText(leaf)
        case .all(let parts): parts.map { $0.operandText(leafText) }.joined(separator: " and ")
        case .any(let parts): parts.map { $0.operandText(leafText) }.joined(separator: " or ")
        case .not(let part): "not \(part.operandText(leafText))"
        }
    }

    private func operandText(_ leafText: (Leaf) -> String) -> String {
        switch self {
        case .leaf, .not: text(leafText)
        case .all, .any: "(\(text(leafText)))"
        }
    }
}
