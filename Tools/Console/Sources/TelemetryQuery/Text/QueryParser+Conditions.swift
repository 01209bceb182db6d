/// Conditions and expressions.
extension QueryParser {
    mutating func condition() throws(QueryError) -> Condition {
        try logic { parser throws(QueryError) in try parser.term() }
    }

    /// Reads `or` over `and` over `not`.
    mutating func logic<Leaf>(
        _ leaf: (inout QueryParser) throws(QueryError) -> Leaf
    ) throws(QueryError) -> Logic<Leaf> {
        try nested { parser throws(QueryError) in
            var alternatives = [try parser.conjunction(leaf)]
            while parser.accept(word: "or") { alternatives.append(try parser.conjunction(leaf)) }
            return alternatives.count == 1 ? alternatives[0] : .any(alternatives)
        }
    }

    private mutating func conjunction<Leaf>(
        _ leaf: (inout QueryParser) throws(QueryError) -> Leaf
    ) throws(QueryError) -> Logic<Leaf> {
        var parts = [try negation(leaf)]
        while accept(word: "and") { parts.append(try negation(leaf)) }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    private mutating func negation<Leaf>(
        _ leaf: (inout QueryParser) throws(QueryError) -> Leaf
    ) throws(QueryError) -> Logic<Leaf> {
        try nested { parser throws(QueryError) in
            if parser.accept(word: "not") { return .not(try parser.negation(leaf)) }
            if parser.token.kind == .symbol("("), !parser.isExpressionInParentheses {
                parser.advance()
                let inner = try parser.logic(leaf)
                try parser.expect(symbol: ")", "after the conditions in parentheses")
                return inner
            }
            return .leaf(try leaf(&parser))
        }
    }

    /// True if an operator follows the parentheses that begin here, as in `(a + b) > 5`.
    private var isExpressionInParentheses: Bool {
        switch tokenAfterParenthesis()?.kind {
        case .symbol(let symbol): symbol != ")" && symbol != "(" && symbol != ","
        case .word(let word): ["in", "not", "contains", "starts-with", "matches", "exists"].contains(word)
        default: false
        }
    }

    private mutating func term() throws(QueryError) -> Term {
        let subject = try expression()
        for comparison in ComparisonOperator.allCases.map(\.rawValue) where !comparison.contains(where: \.isLetter) {
            if accept(symbol: comparison), let comparison = ComparisonOperator(rawValue: comparison) {
                return Term(subject, comparison, [try requiredLiteral(for: subject)])
            }
        }
        let isNegated = accept(word: "not")
        for comparison in ["in", "contains", "starts-with", "matches", "exists"] where accept(word: comparison) {
            let name = isNegated ? "not \(comparison)" : comparison
            guard let comparison = ComparisonOperator(rawValue: name) else { continue }
            return try term(subject, comparison)
        }
        if isNegated { throw unexpected("Expected in, contains, starts-with, matches or exists after not") }
        if case .string = token.kind { throw unexpected("Expected an operator such as =") }
        if case .number = token.kind { throw unexpected("Expected an operator such as =") }
        // A field alone asks whether it is true.
        return Term(subject, .equal, [Literal(.bool(true))])
    }

    private mutating func term(
        _ subject: Expression, _ comparison: ComparisonOperator,
    ) throws(QueryError) -> Term {
        switch comparison {
        case .exists, .doesNotExist: return Term(subject, comparison)
        case .isIn, .isNotIn:
            try expect(symbol: "(", "and the values of in")
            let values = try listed(at: QueryLimits.listedValues, "values") { parser throws(QueryError) in
                try parser.requiredLiteral(for: subject)
            }
            try expect(symbol: ")", "after the values of in")
            return Term(subject, comparison, values)
        case .matches, .doesNotMatch:
            let place = token
            let literal = try requiredLiteral(for: subject)
            guard case .string(let pattern) = literal.value else {
                throw QueryError(
                    "Expected a regular expression in quotes.", at: .column(place.start + 1, length: place.length))
            }
            try check(pattern, at: place)
            return Term(subject, comparison, [literal])
        default: return Term(subject, comparison, [try requiredLiteral(for: subject)])
        }
    }

    private func check(_ pattern: String, at place: QueryToken) throws(QueryError) {
        do {
            _ = try QueryPattern(pattern)
        } catch {
            throw QueryError(error.description, at: .column(place.start + 1, length: max(1, place.length)))
        }
    }

    private mutating func requiredLiteral(for subject: Expression) throws(QueryError) -> Literal {
        guard let literal = try literal(for: subject) else {
            if case .word(let word) = token.kind {
                throw unexpected("Expected a value. Put \(word) in quotes if it is one")
            }
            throw unexpected("Expected a value: a number such as 500 or 250ms, a text in quotes, true or false")
        }
        return literal
    }

    /// Reads a literal, a bare word among them. Returns `nil` if there is none.
    mutating func literal(for subject: Expression?) throws(QueryError) -> Literal? {
        if case .field(let name) = subject { offer(.values(of: name)) }
        switch token.kind {
        case .number(let literal):
            advance()
            return literal
        case .string(let text):
            advance()
            return Literal(.string(text))
        case .word(let word) where !QueryText.reserved.contains(word):
            advance()
            return word == "true" || word == "false" ? Literal(.bool(word == "true")) : Literal(.string(word))
        case .symbol("-"):
            advance()
            guard case .number(let literal) = token.kind, let negative = literal.negated else {
                throw unexpected("Expected a number after -")
            }
            advance()
            return negative
        default: return nil
        }
    }

    mutating func fieldName(_ purpose: String) throws(QueryError) -> String {
        switch token.kind {
        case .word(let word) where !QueryText.reserved.contains(word):
            advance()
            return word
        case .field(let name):
            advance()
            return name
        case .word(let word): throw unexpected("Expected \(purpose). Put `\(word)` in backticks if it is one")
        default: throw unexpected("Expected \(purpose)")
        }
    }

    mutating func expression() throws(QueryError) -> Expression {
        try nested { parser throws(QueryError) in
            var left = try parser.product()
            var operators = 0
            while let sign = parser.sign(of: [.plus, .minus]) {
                left = .arithmetic(left, sign, try parser.product())
                operators += 1
                try parser.check(operators)
            }
            return left
        }
    }

    private mutating func product() throws(QueryError) -> Expression {
        var left = try operand()
        var operators = 0
        while let sign = sign(of: [.times, .divided]) {
            left = .arithmetic(left, sign, try operand())
            operators += 1
            try check(operators)
        }
        return left
    }

    /// Bounds the depth of a chain of operators, each of which contains the one before.
    private func check(_ operators: Int) throws(QueryError) {
        if operators > QueryLimits.depth {
            throw QueryError(
                "There are more than \(QueryLimits.depth) operators in a row.",
                at: .column(token.start + 1, length: 1))
        }
    }

    private mutating func sign(of signs: [ArithmeticOperator]) -> ArithmeticOperator? {
        for sign in signs where accept(symbol: sign.rawValue) { return sign }
        return nil
    }

    private mutating func operand() throws(QueryError) -> Expression {
        try nested { parser throws(QueryError) in
            parser.offer(.fields)
            for function in QueryText.functionsOfExpressions { parser.offer(.function(function)) }
            switch parser.token.kind {
            case .number, .string, .symbol("-"):
                guard let literal = try parser.literal(for: nil) else { throw parser.unexpected("Expected a value") }
                return .literal(literal)
            case .symbol("("):
                parser.advance()
                let inner = try parser.expression()
                try parser.expect(symbol: ")", "after the expression in parentheses")
                return inner
            case .word(let word) where parser.isCall: return try parser.call(of: word)
            case .word("true"), .word("false"), .word("null"):
                let isNull = parser.token.kind == .word("null")
                let literal = isNull ? Literal(.missing) : Literal(.bool(parser.token.kind == .word("true")))
                parser.advance()
                return .literal(literal)
            default: return .field(try parser.fieldName("a field"))
            }
        }
    }

    private mutating func call(of function: String) throws(QueryError) -> Expression {
        let known = QueryText.functionsOfExpressions
        guard known.contains(function) else {
            let suggestions = Spelling.suggestions(for: function, among: known)
            throw unexpected("Expected a function: \(list(known))", suggestions: suggestions)
        }
        advance()
        try expect(symbol: "(", "after \(function)")
        let result: Expression
        switch function {
        case "bucket":
            let value = try expression()
            try expect(symbol: ",", "and the size of the buckets")
            guard let size = try literal(for: nil), let number = size.value.number, number > 0 else {
                throw unexpected("Expected a size above 0, such as 100ms")
            }
            result = .bucket(value, size)
        case "coalesce":
            result = .coalesce(
                try listed(at: QueryLimits.listedValues, "values") { parser throws(QueryError) in
                    try parser.expression()
                })
        case "if":
            let condition = try condition()
            try expect(symbol: ",", "and the value if the condition holds")
            let yes = try expression()
            try expect(symbol: ",", "and the value if the condition does not hold")
            result = .conditional(condition, then: yes, else: try expression())
        default:
            let value = try expression()
            try expect(symbol: ",", "and a regular expression in quotes")
            let place = token
            guard case .string(let pattern) = token.kind else {
                throw unexpected("Expected a regular expression in quotes")
            }
            try check(pattern, at: place)
            advance()
            result = .extract(value, pattern: pattern)
        }
        try expect(symbol: ")", "after the operands of \(function)")
        return result
    }
}
