/// The syntax of a search.
///
/// A term is a word, several words in quotes, or `attribute=value`. Other operators are rejected, because a search for
/// `duration>1s` as text finds nothing. In quotes they are text.
package enum SearchSyntax {
    /// Describes the first term that is not supported and what is expected; `nil` if there is none.
    package static func problem(in text: String) -> String? {
        let expected = #"Expected words, "several words" or attribute=value"#
        guard text.count(where: { $0 == "\"" }).isMultiple(of: 2) else {
            let open = text[(text.lastIndex(of: "\"") ?? text.startIndex)...]
            return "Search: the quote in \(open.prefix(40)) has no end. \(expected)."
        }
        for term in unquotedStarts(of: text) where term.starts(with: operation) || term.hasPrefix("=") {
            return "Search: \(term.prefix(40)) is not supported. \(expected); quote the term to search for it as text."
        }
        let terms = SearchTerms.words(text)
        if terms.count > SearchTerms.countLimit {
            return "Search: found \(terms.count) terms. Expected at most \(SearchTerms.countLimit)."
        }
        if terms.contains(where: { $0.count > SearchTerms.lengthLimit }) {
            return "Search: a term is too long. Expected at most \(SearchTerms.lengthLimit) characters."
        }
        return nil
    }

    /// An attribute with an operator other than `=`.
    private static var operation: some RegexComponent { /[A-Za-z_][A-Za-z0-9_.]*(!=|!~|=~|<|>)/ }

    /// Returns each term up to its first quote.
    private static func unquotedStarts(of text: String) -> [String] {
        var starts: [String] = []
        var term: String? = ""
        var isQuoted = false
        for character in text {
            if character == "\"" {
                isQuoted.toggle()
                if let start = term { starts.append(start) }
                term = nil
            } else if character.isWhitespace, !isQuoted {
                if let start = term { starts.append(start) }
                term = ""
            } else {
                term?.append(character)
            }
        }
        if let term { starts.append(term) }
        return starts
    }
}
