extension Query {
    /// Reads the text form.
    ///
    /// - Throws: `QueryError` that names the column and what was expected there.
    package init(text: String) throws(QueryError) {
        var parser = QueryParser(tokens: try QueryLexer.tokens(of: text))
        self = try parser.query()
    }
}

extension Expression {
    /// Reads an expression alone, such as `bucket(duration, 100ms)`.
    package init(text: String) throws(QueryError) {
        var parser = QueryParser(tokens: try QueryLexer.tokens(of: text))
        self = try parser.expression()
        try parser.expectEnd()
    }
}

extension Logic where Leaf == Term {
    /// Reads a condition alone, as it stands after `where`.
    package init(text: String) throws(QueryError) {
        var parser = QueryParser(tokens: try QueryLexer.tokens(of: text))
        self = try parser.condition()
        try parser.expectEnd()
    }
}

/// A recursive descent parser of the text form.
///
/// At the token `cursor` nothing matches, and everything that could stand there is collected: see `QueryCompletion`.
struct QueryParser {
    private let tokens: [QueryToken]
    private(set) var index = 0
    private var depth = 0
    private var nodes = 0
    /// The possible words at the cursor.
    private(set) var candidates: [QueryCompletion.Candidate] = []
    /// The alternatives that were tried at the present token, for the message of an error.
    private var expected: [String] = []

    init(tokens: [QueryToken]) {
        self.tokens = tokens
    }

    // The last token is the end or the cursor, and `advance` never goes beyond it.
    var token: QueryToken { tokens[index] }

    mutating func advance() {
        expected = []
        if index < tokens.count - 1 { index += 1 }
    }

    mutating func offer(_ candidate: QueryCompletion.Candidate) {
        if token.kind == .cursor { candidates.append(candidate) }
    }

    mutating func accept(word: String) -> Bool {
        offer(.keyword(word))
        expected.append(word)
        guard case .word(word) = token.kind else { return false }
        advance()
        return true
    }

    mutating func accept(symbol: String) -> Bool {
        offer(.symbol(symbol))
        expected.append(symbol)
        guard case .symbol(symbol) = token.kind else { return false }
        advance()
        return true
    }

    mutating func expect(symbol: String, _ purpose: String) throws(QueryError) {
        if !accept(symbol: symbol) { throw unexpected("Expected \(symbol) \(purpose)") }
    }

    mutating func expectEnd() throws(QueryError) {
        if token.kind == .end { return }
        if case .word(let word) = token.kind {
            let suggestions = Spelling.suggestions(for: word, among: expected)
            throw unexpected("Expected \(list(expected))", suggestions: suggestions)
        }
        throw unexpected(expected.isEmpty ? "Expected the end" : "Expected \(list(expected))")
    }

    /// The error for the present token.
    func unexpected(_ expectation: String, suggestions: [String] = []) -> QueryError {
        let found =
            switch token.kind {
            case .word(let word): "\"\(word)\""
            case .field(let name): "the field `\(name)`"
            case .string: "a text"
            case .number: "a number"
            case .symbol(let symbol): "\"\(symbol)\""
            case .end, .cursor: "the end"
            }
        return QueryError(
            "\(expectation), found \(found).", at: .column(token.start + 1, length: max(1, token.length)),
            suggestions: suggestions)
    }

    func list(_ words: [String]) -> String {
        var seen: Set<String> = []
        let unique = words.filter { seen.insert($0).inserted }
        return unique.count < 2
            ? unique.joined() : unique.dropLast().joined(separator: ", ") + " or " + (unique.last ?? "")
    }

    /// Counts a part of the query, and holds the depth while `body` reads it.
    mutating func nested<Value>(
        _ body: (inout QueryParser) throws(QueryError) -> Value
    ) throws(QueryError) -> Value {
        nodes += 1
        depth += 1
        defer { depth -= 1 }
        guard depth <= QueryLimits.depth else {
            throw QueryError(
                "The query is nested more than \(QueryLimits.depth) levels deep.",
                at: .column(token.start + 1, length: 1))
        }
        guard nodes <= QueryLimits.nodes else {
            throw QueryError(
                "The query has more than \(QueryLimits.nodes) parts.", at: .column(token.start + 1, length: 1))
        }
        return try body(&self)
    }

    /// Returns the token behind the parenthesis that closes the one at the present token.
    func tokenAfterParenthesis() -> QueryToken? {
        var open = 0
        for position in index..<tokens.count {
            if tokens[position].kind == .symbol("(") { open += 1 }
            if tokens[position].kind == .symbol(")") {
                open -= 1
                if open == 0 { return position + 1 < tokens.count ? tokens[position + 1] : nil }
            }
        }
        return nil
    }

    /// True if the present token is followed by an opening parenthesis.
    var isCall: Bool { index + 1 < tokens.count && tokens[index + 1].kind == .symbol("(") }
}
