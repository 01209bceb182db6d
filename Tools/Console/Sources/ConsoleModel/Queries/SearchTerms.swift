import AstrolabeTelemetryModel

/// The words of a search, as patterns for SQL's LIKE.
///
/// Spaces separate words, quotes keep words together, and all words must match. `key=value` matches attributes whose
/// value starts with that text. ASCII letters match in either case.
package struct SearchTerms: Sendable, Hashable {
    package let terms: [Term]

    package struct Term: Sendable, Hashable {
        /// The alternative patterns, of which one must match.
        package let patterns: [String]
        /// The ids that the term can be.
        package let id: RecordID?
    }

    /// The maximum number of words. Further words, and characters beyond `lengthLimit`, are ignored.
    package static let countLimit = 8
    static let lengthLimit = 200

    package init(_ text: String) {
        terms = Self.words(text).prefix(Self.countLimit).map { word in
            let word = String(word.prefix(Self.lengthLimit))
            return Term(patterns: Self.patterns(word), id: RecordID(word))
        }
    }

    package var isEmpty: Bool { terms.isEmpty }

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
