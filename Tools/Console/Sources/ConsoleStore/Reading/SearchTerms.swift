import AstrolabeTelemetryModel

/// The words of a search, as patterns for SQL's LIKE.
///
/// Spaces separate words, quotes keep words together, and all words must match. `key=value` matches attributes whose
/// value starts with that text. ASCII letters match in either case.
package struct SearchTerms: Sendable, Hashable {
    let terms: [Term]

    struct Term: Sendable, Hashable {
        /// The alternative patterns, of which one must match.
        let patterns: [String]
        /// The ids that the term can be.
        let id: RecordID?
    }

    /// The maximum number of words. Further words, and characters beyond `lengthLimit`, are ignored.
    package static let countLimit = 8
    static let lengthLimit = 200

    init(_ text: String) {
        terms = Self.words(text).prefix(Self.countLimit).map { word in
            let word = String(word.prefix(Self.lengthLimit))
            return Term(patterns: Self.patterns(word), id: RecordID(word))
        }
    }

    var isEmpty: Bool { terms.isEmpty }

    package static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word = ""
        var isQuoted = false
        for character in text {
            if character == "\"" {
                isQuoted.toggle()
            } else if character.isWhitespace, !isQuoted {
                if !word.isEmpty { words.append(word) }
                word = ""
            } else {
                word.append(character)
            }
        }
        if !word.isEmpty { words.append(word) }
        return words
    }

    private static func patterns(_ word: String) -> [String] {
        guard let equals = word.firstIndex(of: "="), equals != word.startIndex else { return [contains(word)] }
        let key = escaped(String(word[..<equals]))
        let value = String(word[word.index(after: equals)...])
        // A string follows a quote. Numbers and Booleans have no quotes.
        return [#"%"\#(key)":"\#(escaped(value))%"#, #"%"\#(key)":\#(escaped(value))%"#, contains(word)]
    }

    private static func contains(_ word: String) -> String {
        "%" + escaped(word) + "%"
    }

    /// Returns the text as it appears in stored JSON, with LIKE's wildcards escaped.
    private static func escaped(_ text: String) -> String {
        var json = JSONText()
        json.append(text)
        var pattern = ""
        for character in json.string.dropFirst().dropLast() {
            if character == "%" || character == "_" || character == "\\" { pattern.append("\\") }
            pattern.append(character)
        }
        return pattern
    }
}

extension SearchTerms.Term {
    /// Returns an SQL condition that is true if one of `columns` matches, and its arguments.
    func condition(_ columns: [String]) -> (sql: String, arguments: [String]) {
        var parts: [String] = []
        var arguments: [String] = []
        for pattern in patterns {
            for column in columns {
                parts.append("\(column) LIKE ? ESCAPE '\\'")
                arguments.append(pattern)
            }
        }
        return ("(" + parts.joined(separator: " OR ") + ")", arguments)
    }

    /// The condition on spans with the alias `s`, of the resource `r` and the scope `c`.
    var ofSpans: (sql: String, arguments: [String]) {
        condition(["s.name", "s.attributes", "s.more", "r.attributes", "c.attributes"])
    }

    /// The condition on log records with the alias `l`. The span of a record may not have arrived.
    var ofLogs: (sql: String, arguments: [String]) {
        let texts = condition(["l.name", "l.body", "l.attributes"])
        guard let span = id?.span else { return texts }
        return ("(\(texts.sql) OR l.span = \(Int64(bitPattern: span.value)))", texts.arguments)
    }
}
