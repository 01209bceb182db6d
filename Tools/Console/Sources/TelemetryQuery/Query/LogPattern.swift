/// The pattern of similar messages: the message with numbers, ids and quoted texts replaced.
///
///     LogPattern.of("order 17 of \"ada\" took 3.5 s")     // order # of "…" took # s
///
/// `#` stands for a number, `*` for an id, `…` for the text in quotes.
package enum LogPattern {
    /// The characters of a message that count.
    package static let length = 500
    /// A word of letters and digits that is at least this long is an id.
    private static let shortestID = 6

    package static func of(_ message: String) -> String {
        let characters = Array(message.prefix(length))
        var pattern = ""
        var index = 0
        while index < characters.count {
            let character = characters[index]
            if let end = closingQuote(of: index, in: characters) {
                pattern.append(character)
                pattern += "…"
                pattern.append(character)
                index = end + 1
            } else if isWordPart(character) {
                var end = index
                // A point and a hyphen belong to a word if it goes on behind them.
                while end < characters.count,
                    isWordPart(characters[end])
                        || (isJoint(characters[end]) && end + 1 < characters.count && isWordPart(characters[end + 1]))
                {
                    end += 1
                }
                pattern += masked(characters[index..<end])
                index = end
            } else {
                pattern.append(character)
                index += 1
            }
        }
        return message.count > length ? pattern + "…" : pattern
    }

    /// Returns the place of the quote that closes the one at `index`. An apostrophe opens no quote.
    private static func closingQuote(of index: Int, in characters: [Character]) -> Int? {
        let quote = characters[index]
        guard quote == "\"" || quote == "'" || quote == "`" else { return nil }
        if index > 0, isWordPart(characters[index - 1]) { return nil }
        return characters[(index + 1)...].firstIndex(of: quote)
    }

    private static func masked(_ word: ArraySlice<Character>) -> String {
        guard word.contains(where: isDigit) else { return String(word) }
        if word.allSatisfy({ isDigit($0) || $0 == "." || $0 == "-" }) {
            // A date and a version have parts; a number has one point at most.
            return word.split(whereSeparator: isJoint).count > 2 ? "*" : "#"
        }
        // A number with its unit, such as 250ms.
        let rest = word.drop { isDigit($0) || $0 == "." }
        if rest.count < word.count, rest.count <= 3, rest.allSatisfy(\.isLetter) { return "#" + String(rest) }
        if word.count >= shortestID, isID(word) { return "*" }
        return replacingNumbers(in: word)
    }

    /// Returns true if letters and digits alternate, or many are hexadecimal digits, as in a UUID, but not in
    /// `worker3`.
    private static func isID(_ word: ArraySlice<Character>) -> Bool {
        word.split(whereSeparator: isJoint).contains { part in
            zip(part, part.dropFirst()).count { isDigit($0) != isDigit($1) } >= 2
                || part.count >= 8 && part.allSatisfy(\.isHexDigit)
        }
    }

    private static func replacingNumbers(in word: ArraySlice<Character>) -> String {
        var result = ""
        for character in word {
            if !isDigit(character) {
                result.append(character)
            } else if result.last != "#" {
                result.append("#")
            }
        }
        return result
    }

    private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }
    private static func isWordPart(_ character: Character) -> Bool {
        character.isLetter || isDigit(character) || character == "_"
    }
    private static func isJoint(_ character: Character) -> Bool { character == "." || character == "-" }
}
