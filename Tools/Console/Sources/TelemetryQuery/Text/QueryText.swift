/// The words of the text form, and how values and names are written in it.
enum QueryText {
    /// The words that begin a clause, in the order of the canonical form.
    static let clauses = [
        "of", "with", "by", "where", "having", "order", "limit", "arriving", "last", "from", "every", "compare", "raw",
    ]
    /// The words that cannot be names or values without quotes.
    static let reserved = Set(
        clauses + ["and", "or", "not", "in", "contains", "starts-with", "matches", "exists", "to", "asc", "desc"])
    /// The words that have a meaning where a name may stand.
    private static let words = Set(
        ["true", "false", "null"] + functionsOfExpressions + Calculation.Function.allCases.map(\.rawValue))
    static let functionsOfExpressions = ["bucket", "coalesce", "if", "extract"]

    static func isNamePart(_ character: Character) -> Bool {
        if let byte = character.asciiValue {
            return switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2E, 0x3A, 0x40, 0x24: true
            default: false
            }
        }
        return character.isLetter || character.isNumber
    }

    static func name(_ name: String) -> String {
        isPlain(name) ? name : quoted(name, by: "`")
    }

    /// Returns true if a name is read as a name again without backticks.
    private static func isPlain(_ name: String) -> Bool {
        let characters = Array(name)
        guard !reserved.contains(name), let first = characters.first, first.isASCII, first.isLetter || first == "_",
            number(name) == nil, !words.contains(name), name.unicodeScalars.count == characters.count
        else { return false }
        for (index, character) in characters.enumerated() where !isNamePart(character) || !character.isASCII {
            guard character == "-", index + 1 < characters.count, isNamePart(characters[index + 1]) else {
                return false
            }
        }
        return true
    }

    static func quoted(_ text: String, by quote: Character = "\"") -> String {
        var result = String(quote)
        for character in text {
            switch character {
            case "\\": result += "\\\\"
            case quote: result += "\\\(quote)"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\r": result += "\\r"
            default: result.append(character)
            }
        }
        result.append(quote)
        return result
    }

    static func text(of literal: Literal) -> String {
        if let unit = literal.unit, let number = literal.value.number {
            return text(of: number / Double(unit.factor)) + unit.rawValue
        }
        return switch literal.value {
        case .missing: "null"
        case .bool(let value): value ? "true" : "false"
        case .int(let value): String(value)
        case .double(let value): text(of: value, isDouble: true)
        case .string(let value): quoted(value)
        }
    }

    private static func text(of number: Double, isDouble: Bool = false) -> String {
        if !isDouble, let int = Int64(exactly: number) { return String(int) }
        return "\(number)".replacing("e+", with: "e")
    }

    /// Returns the shortest way to write a duration exactly, such as `90m`.
    static func text(ofDuration nanoseconds: Int64) -> String {
        let units: [Literal.Unit] = [.d, .h, .m, .s, .ms, .us]
        // One day is 24h, as in "last 24h".
        if nanoseconds == Literal.Unit.d.factor { return "24h" }
        let unit = units.first { nanoseconds % $0.factor == 0 } ?? .ns
        return "\(nanoseconds / unit.factor)\(unit.rawValue)"
    }

    /// Reads a number with or without a unit, such as `500`, `1.5e3` or `250ms`.
    static func number(_ word: String) -> Literal? {
        guard let first = word.utf8.first, (0x30...0x39).contains(first) || first == 0x2D else { return nil }
        if let value = QueryValue.number(in: word) { return Literal(value) }
        for unit in Literal.Unit.allCases where word.hasSuffix(unit.rawValue) {
            if let number = QueryValue.number(in: String(word.dropLast(unit.rawValue.count)))?.number,
                let literal = Literal(number, unit)
            {
                return literal
            }
        }
        return nil
    }
}
