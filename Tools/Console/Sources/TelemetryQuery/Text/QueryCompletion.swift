/// The possible continuations at a place of a text.
package struct QueryCompletion: Hashable, Sendable {
    package enum Kind: String, Codable, Sendable {
        case keyword
        case calculation
        case function
        case field
        case `operator`
        case value
    }

    package let kind: Kind
    /// The text to insert in place of `replaced`.
    package let text: String

    /// The kinds of words that the parser asks for, before the catalog names fields and values.
    enum Candidate: Hashable {
        case keyword(String)
        case symbol(String)
        case calculation(Calculation.Function)
        case function(String)
        case fields
        case value(String)
        case values(of: String)
    }
}

/// Names the fields and values that the data has.
package protocol QueryCatalog: Sendable {
    /// Returns the names of fields that begin with `prefix` or contain it, the commonest first.
    func fields(of dataset: Dataset, prefix: String) -> [String]
    /// Returns values of a field whose text begins with `prefix` or contains it, the commonest first.
    func values(of field: String, in dataset: Dataset, prefix: String) -> [QueryValue]
}

/// The completions at a place, and the range of characters that they replace.
package struct QueryCompletions: Hashable, Sendable {
    package let replaced: Range<Int>
    package let items: [QueryCompletion]

    /// Finds what may stand at `cursor`, a number of characters of `text`.
    package static func at(
        _ cursor: Int, in text: String, catalog: any QueryCatalog, limit: Int = 50,
    ) -> QueryCompletions {
        let before = Array(text.prefix(max(0, cursor)))
        let typed = before.reversed().prefix { QueryText.isNamePart($0) || $0 == "-" }.reversed()
        var start = before.count - typed.count
        var prefix = String(typed)
        // A value in an open quote, or a name in open backticks.
        var quote: Character?
        if let open = openQuote(in: before) {
            start = open
            quote = before[open]
            prefix = String(before[(open + 1)...])
        }
        guard var tokens = try? QueryLexer.tokens(of: String(before[..<start])) else {
            return QueryCompletions(replaced: start..<before.count, items: [])
        }
        tokens[tokens.count - 1].kind = .cursor
        var parser = QueryParser(tokens: tokens)
        _ = try? parser.query()
        let dataset = dataset(of: text)
        var seen: Set<QueryCompletion> = []
        let found = parser.candidates.flatMap {
            items(for: $0, prefix: prefix, dataset: dataset, catalog: catalog, quote: quote)
        }
        let unique = found.filter { seen.insert($0).inserted }.prefix(limit)
        return QueryCompletions(replaced: start..<before.count, items: Array(unique))
    }

    private static func items(
        for candidate: QueryCompletion.Candidate, prefix: String, dataset: Dataset, catalog: any QueryCatalog,
        quote: Character?,
    ) -> [QueryCompletion] {
        func matching(_ kind: QueryCompletion.Kind, _ texts: [String]) -> [QueryCompletion] {
            texts.filter { quote == nil && $0.hasPrefix(prefix) }.map { QueryCompletion(kind: kind, text: $0) }
        }
        switch candidate {
        case .keyword(let word):
            let operators = ["in", "contains", "starts-with", "matches", "exists", "not", "and", "or"]
            return matching(operators.contains(word) ? .operator : .keyword, [word])
        case .symbol(let symbol): return prefix.isEmpty ? matching(.operator, [symbol]) : []
        case .calculation(let function):
            let call = function.takesOperand == true || function == .ratio
            return matching(.calculation, [call ? "\(function.rawValue)(" : function.rawValue])
        case .function(let name): return matching(.function, ["\(name)("])
        case .value(let text): return matching(.value, [text])
        case .fields:
            guard quote == nil || quote == "`" else { return [] }
            return catalog.fields(of: dataset, prefix: prefix).map {
                QueryCompletion(kind: .field, text: QueryText.name($0))
            }
        case .values(let field):
            if quote == "`" { return [] }
            return catalog.values(of: field, in: dataset, prefix: prefix).map {
                QueryCompletion(kind: .value, text: QueryText.text(of: Literal($0)))
            }
        }
    }

    /// Returns the index of a quote that no other closes.
    private static func openQuote(in characters: [Character]) -> Int? {
        var open: Int?
        var index = 0
        while index < characters.count {
            let character = characters[index]
            if let start = open {
                if character == "\\" {
                    index += 1
                } else if character == characters[start] {
                    open = nil
                }
            } else if character == "\"" || character == "'" || character == "`" {
                open = index
            }
            index += 1
        }
        return open
    }

    /// Returns the dataset that an unfinished query asks for.
    package static func dataset(of text: String) -> Dataset {
        let words = text.split { !QueryText.isNamePart($0) && $0 != "-" }
        let named = zip(words, words.dropFirst()).compactMap { $0 == "of" ? Dataset(rawValue: String($1)) : nil }
        return named.first ?? .spans
    }
}
