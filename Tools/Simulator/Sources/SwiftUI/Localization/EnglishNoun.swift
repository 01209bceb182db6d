/// The forms of English nouns beside a number, for automatic grammar agreement.
enum EnglishNoun {
    /// Returns the phrase with its noun in the form for the number, such as `minutes` and `cups of tea`.
    static func phrase(_ phrase: String, isSingular: Bool) -> String {
        var words = phrase.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let end = words.firstIndex { trailers.contains($0.lowercased()) } ?? words.endIndex
        guard let noun = words[..<end].lastIndex(where: { $0.contains(where: \.isLetter) }) else { return phrase }
        let letters = words[noun].prefix { $0.isLetter || $0 == "-" || $0 == "’" || $0 == "'" }
        let rest = words[noun].dropFirst(letters.count)
        words[noun] = (isSingular ? singular(String(letters)) : plural(String(letters))) + rest
        return words.joined(separator: " ")
    }

    /// Words that follow a noun and have no form for a number.
    private static let trailers: Set<String> = [
        "ago", "at", "by", "for", "from", "in", "left", "of", "on", "per", "remaining", "selected", "to", "with",
    ]

    private static func plural(_ word: String) -> String {
        let small = word.lowercased()
        if unchanging.contains(small) || isPlural(small) { return word }
        if let irregular = irregulars[small] { return cased(irregular, as: word) }
        let before = small.dropLast().last.map { "aeiou".contains($0) } ?? true
        if small.hasSuffix("y"), !before { return word.dropLast() + "ies" }
        return word + (["s", "x", "z", "ch", "sh"].contains(where: small.hasSuffix) ? "es" : "s")
    }

    private static func singular(_ word: String) -> String {
        let small = word.lowercased()
        if unchanging.contains(small) || !isPlural(small) { return word }
        if let irregular = irregulars.first(where: { $0.value == small })?.key { return cased(irregular, as: word) }
        if small.hasSuffix("ies"), !namesInIe.contains(small) { return word.dropLast(3) + "y" }
        let takesTwo = ["ches", "shes", "sses", "xes"].contains(where: small.hasSuffix)
        return String(word.dropLast(takesTwo ? 2 : 1))
    }

    private static func isPlural(_ small: String) -> Bool {
        if irregulars.values.contains(small) { return true }
        return small.count > 3 && small.hasSuffix("s") && !["ss", "us", "is"].contains(where: small.hasSuffix)
    }

    private static func cased(_ word: String, as model: String) -> String {
        model.first?.isUppercase == true ? word.prefix(1).uppercased() + word.dropFirst() : word
    }

    private static let unchanging: Set<String> = [
        "aircraft", "deer", "equipment", "fish", "information", "news", "series", "sheep", "species",
    ]

    private static let namesInIe: Set<String> = ["calories", "cookies", "movies", "pies", "selfies", "ties"]

    private static let irregulars: [String: String] = [
        "analysis": "analyses", "bonus": "bonuses", "bus": "buses", "child": "children", "crisis": "crises",
        "echo": "echoes", "foot": "feet", "goose": "geese", "half": "halves", "hero": "heroes", "knife": "knives",
        "leaf": "leaves", "life": "lives", "loaf": "loaves", "man": "men", "mouse": "mice", "person": "people",
        "potato": "potatoes", "quiz": "quizzes", "shelf": "shelves", "status": "statuses", "tomato": "tomatoes",
        "tooth": "teeth", "virus": "viruses", "wife": "wives", "wolf": "wolves", "woman": "women",
    ]
}
