/// The clauses of a query.
extension QueryParser {
    mutating func query() throws(QueryError) -> Query {
        var query = Query()
        query.calculations = try listed(at: QueryLimits.calculations, "calculations") { parser throws(QueryError) in
            try parser.calculation()
        }
        var seen: Set<String> = []
        while token.kind != .end {
            guard let clause = nextClause(besides: seen) else {
                if case .word(let word) = token.kind, seen.contains(word) {
                    throw unexpected("Expected each clause once")
                }
                try expectEnd()
                break
            }
            seen.insert(clause == "from" ? "last" : clause)
            try read(clause, into: &query)
        }
        return query
    }

    private mutating func nextClause(besides seen: Set<String>) -> String? {
        for clause in QueryText.clauses where !seen.contains(clause == "from" ? "last" : clause) {
            if accept(word: clause) { return clause }
        }
        return nil
    }

    private mutating func read(_ clause: String, into query: inout Query) throws(QueryError) {
        switch clause {
        case "of": query.dataset = try choice(Dataset.allCases, "a dataset")
        case "with":
            query.derived = try listed(at: QueryLimits.groups, "names") { parser throws(QueryError) in
                try parser.derivedField()
            }
        case "by":
            query.groups = try listed(at: QueryLimits.groups, "fields to group by") { parser throws(QueryError) in
                try parser.expression()
            }
        case "where": query.condition = try condition()
        case "having":
            query.having = try logic { parser throws(QueryError) in try parser.havingTerm() }
        case "order":
            query.order = try listed(at: QueryLimits.groups, "terms of the order") { parser throws(QueryError) in
                try parser.orderTerm()
            }
        case "limit": query.limit = try limit()
        case "arriving": query.clock = .arrival
        case "last": query.time = .last(nanoseconds: try duration(atMost: QueryLimits.timeRange))
        case "from": query.time = try interval()
        case "every":
            if accept(word: "auto") {
                query.granularity = .automatic
            } else if accept(word: "total") {
                query.granularity = .total
            } else {
                query.granularity = .fixed(nanoseconds: try duration(atMost: QueryLimits.timeRange))
            }
        case "compare":
            query.comparison =
                accept(word: "previous")
                ? .previous : .earlier(nanoseconds: try duration(atMost: QueryLimits.timeRange))
        default: query.isRaw = true
        }
    }

    /// Reads one or more items with commas between them.
    mutating func listed<Item>(
        at most: Int, _ name: String, _ item: (inout QueryParser) throws(QueryError) -> Item,
    ) throws(QueryError) -> [Item] {
        var items = [try item(&self)]
        while accept(symbol: ",") {
            guard items.count < most else {
                throw QueryError(
                    "There are more than \(most) \(name).",
                    at: .column(token.start + 1, length: max(1, token.length)))
            }
            items.append(try item(&self))
        }
        return items
    }

    private mutating func choice<Value: RawRepresentable>(
        _ values: [Value], _ name: String,
    ) throws(QueryError) -> Value where Value.RawValue == String {
        for value in values where accept(word: value.rawValue) { return value }
        let names = values.map(\.rawValue)
        guard case .word(let word) = token.kind else { throw unexpected("Expected \(name): \(list(names))") }
        throw unexpected(
            "Expected \(name): \(list(names))", suggestions: Spelling.suggestions(for: word, among: names))
    }

    private mutating func derivedField() throws(QueryError) -> DerivedField {
        let name = try fieldName("a name for the expression")
        try expect(symbol: "=", "after the name \(name)")
        return DerivedField(name: name, expression: try expression())
    }

    private mutating func limit() throws(QueryError) -> Int {
        offer(.value("10"))
        let expectation = "Expected a number of groups from 1 to \(QueryLimits.resultGroups)"
        guard case .number(let literal) = token.kind, literal.unit == nil, case .int(let count) = literal.value,
            (1...Int64(QueryLimits.resultGroups)).contains(count)
        else { throw unexpected(expectation) }
        advance()
        return Int(count)
    }

    mutating func duration(atMost most: Int64) throws(QueryError) -> Int64 {
        for example in ["15m", "1h", "24h", "7d"] { offer(.value(example)) }
        guard case .number(let literal) = token.kind, literal.unit?.isDuration == true,
            case .int(let nanoseconds) = literal.value, nanoseconds > 0, nanoseconds <= most
        else {
            throw unexpected("Expected a duration such as 15m, 24h or 7d, at most \(QueryText.text(ofDuration: most))")
        }
        advance()
        return nanoseconds
    }

    /// Reads a time range with its first word.
    mutating func timeRange() throws(QueryError) -> TimeRange {
        if accept(word: "last") { return .last(nanoseconds: try duration(atMost: QueryLimits.timeRange)) }
        guard accept(word: "from") else { throw unexpected("Expected a time such as last 24h") }
        return try interval()
    }

    private mutating func interval() throws(QueryError) -> TimeRange {
        let from = try time()
        guard accept(word: "to") else { throw unexpected("Expected to and the end of the time") }
        let end = token
        let to = try time()
        guard from < to, to - from <= QueryLimits.timeRange else {
            throw QueryError(
                "Expected an end after the start, at most ten years later.",
                at: .column(end.start + 1, length: max(1, end.length)))
        }
        return .between(from: from, to: to)
    }

    private mutating func time() throws(QueryError) -> Int64 {
        offer(.value("2026-01-31T12:00:00Z"))
        let text: String
        switch token.kind {
        case .word(let word): text = word
        case .string(let string): text = string
        default: text = ""
        }
        guard let nanoseconds = Timestamp.nanoseconds(text) else {
            throw unexpected("Expected a time such as 2026-01-31T12:00:00Z")
        }
        advance()
        return nanoseconds
    }

    mutating func calculation() throws(QueryError) -> Calculation {
        let functions = Calculation.Function.allCases
        for function in functions { offer(.calculation(function)) }
        guard case .word(let word) = token.kind, let function = Calculation.Function(rawValue: word) else {
            let names = functions.map(\.rawValue)
            guard case .word(let word) = token.kind else { throw unexpected("Expected a calculation such as count") }
            let suggestions = Spelling.suggestions(for: word, among: names)
            throw unexpected("Expected a calculation: \(list(names))", suggestions: suggestions)
        }
        advance()
        guard function == .ratio || function.takesOperand != false else {
            if accept(symbol: "(") { try expect(symbol: ")", "because \(word) has no operand") }
            return Calculation(function)
        }
        if function.takesOperand == nil {
            guard accept(symbol: "(") else { return Calculation(function) }
        } else {
            let example = function == .ratio ? "(where status = error)" : "(duration)"
            try expect(symbol: "(", "and an operand, as in \(word)\(example)")
        }
        if function == .ratio {
            _ = accept(word: "where")
            let condition = try condition()
            try expect(symbol: ")", "after the condition of ratio")
            return Calculation(.ratio, where: condition)
        }
        let operand = try expression()
        try expect(symbol: ")", "after the operand of \(word)")
        return Calculation(function, of: operand)
    }

    private mutating func havingTerm() throws(QueryError) -> HavingTerm {
        let calculation = try calculation()
        let comparisons = ComparisonOperator.allCases.filter { $0.isOrder || $0 == .equal || $0 == .notEqual }
        for comparison in comparisons where accept(symbol: comparison.rawValue) {
            guard let value = try literal(for: nil), value.value.number != nil else {
                throw unexpected("Expected a number")
            }
            return HavingTerm(calculation, comparison, value)
        }
        throw unexpected("Expected one of \(list(comparisons.map(\.rawValue)))")
    }

    mutating func orderTerm() throws(QueryError) -> OrderTerm {
        let isCalculation =
            if case .word(let word) = token.kind { Calculation.Function(rawValue: word) != nil } else { false }
        let key: OrderTerm.Key
        if isCalculation {
            key = .calculation(try calculation())
        } else {
            for function in Calculation.Function.allCases { offer(.calculation(function)) }
            key = .group(try expression())
        }
        if accept(word: "desc") { return OrderTerm(key, isDescending: true) }
        if accept(word: "asc") { return OrderTerm(key, isDescending: false) }
        return OrderTerm(key, isDescending: isCalculation)
    }
}
