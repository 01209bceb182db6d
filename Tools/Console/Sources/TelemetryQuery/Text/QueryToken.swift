/// A word of the text form.
struct QueryToken: Hashable {
    enum Kind: Hashable {
        /// A bare word: a keyword, a field, or a value.
        case word(String)
        /// A field in backticks.
        case field(String)
        case string(String)
        /// A number, with its unit.
        case number(Literal)
        case symbol(String)
        case end
        /// The place where a text is being completed.
        case cursor
    }

    var kind: Kind
    /// The index of the first character.
    let start: Int
    let length: Int
}

/// Divides a text into tokens.
struct QueryLexer {
    private let characters: [Character]
    private var position = 0

    /// - Throws: `QueryError` for a quote without an end, an unknown character, or a text that is too long.
    static func tokens(of text: String) throws(QueryError) -> [QueryToken] {
        let characters = Array(text)
        guard characters.count <= QueryLimits.characters else {
            throw QueryError(
                "The query has \(characters.count) characters. The limit is \(QueryLimits.characters).",
                at: .column(QueryLimits.characters + 1, length: 1))
        }
        var lexer = QueryLexer(characters: characters)
        var tokens: [QueryToken] = []
        while let token = try lexer.next() { tokens.append(token) }
        tokens.append(QueryToken(kind: .end, start: characters.count, length: 0))
        return tokens
    }

    private init(characters: [Character]) {
        self.characters = characters
    }

    private mutating func next() throws(QueryError) -> QueryToken? {
        while position < characters.count, characters[position].isWhitespace { position += 1 }
        guard position < characters.count else { return nil }
        let start = position
        let kind = try kind(at: start)
        return QueryToken(kind: kind, start: start, length: position - start)
    }

    private mutating func kind(at start: Int) throws(QueryError) -> QueryToken.Kind {
        let character = characters[start]
        switch character {
        case "\"", "'": return .string(try quoted(by: character))
        case "`":
            let name = try quoted(by: character)
            guard !name.isEmpty else {
                throw error(
                    "Expected the name of a field between the backticks. The attribute with an empty key is "
                        + "`attribute.`.", at: start)
            }
            return .field(name)
        case "(", ")", ",", "+", "*", "/", "=", "-":
            position += 1
            return .symbol(String(character))
        case "!", "<", ">":
            position += 1
            if position < characters.count, characters[position] == "=" {
                position += 1
                return .symbol(String(character) + "=")
            }
            if character == "!" { throw error("Expected != or not.", at: start) }
            return .symbol(String(character))
        default:
            guard QueryText.isNamePart(character) else {
                throw error(
                    "Unexpected character \(character). Put values in quotes and odd names in backticks.", at: start)
            }
            return bareWord()
        }
    }

    /// Reads a word. A hyphen belongs to it if a letter or digit follows, so `content-type` is one name and `a - b` is
    /// a difference.
    private mutating func bareWord() -> QueryToken.Kind {
        let start = position
        while position < characters.count {
            let isHyphen =
                characters[position] == "-" && position + 1 < characters.count
                && QueryText.isNamePart(characters[position + 1])
            guard QueryText.isNamePart(characters[position]) || isHyphen else { break }
            position += 1
        }
        let word = String(characters[start..<position])
        return QueryText.number(word).map { .number($0) } ?? .word(word)
    }

    private mutating func quoted(by quote: Character) throws(QueryError) -> String {
        let start = position
        var text = ""
        position += 1
        while position < characters.count {
            let character = characters[position]
            position += 1
            if character == quote { return text }
            guard character == "\\", position < characters.count else {
                text.append(character)
                continue
            }
            let escaped = characters[position]
            position += 1
            switch escaped {
            case "\\", "\"", "'", "`": text.append(escaped)
            case "n": text.append("\n")
            case "t": text.append("\t")
            case "r": text.append("\r")
            // A backslash before anything else stays, so that patterns need not double it.
            default: text.append("\\\(escaped)")
            }
        }
        throw error("The quote \(quote) has no end. Expected another \(quote).", at: start)
    }

    private func error(_ message: String, at start: Int) -> QueryError {
        QueryError(message, at: .column(start + 1, length: 1))
    }
}
