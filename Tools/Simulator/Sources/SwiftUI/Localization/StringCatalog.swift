import Foundation

/// A String Catalog, `Localizable.xcstrings`: the keys of an app with their texts in each language.
///
/// A text that depends on a number has a form for each plural category.
struct StringCatalog: Decodable {
    struct Entry: Decodable {
        var localizations: [String: Localization]?
    }

    struct Localization: Decodable {
        struct Unit: Decodable {
            let value: String
        }

        struct Variations: Decodable {
            var plural: [String: Localization]?
        }

        var stringUnit: Unit?
        var variations: Variations?
    }

    let sourceLanguage: String
    let strings: [String: Entry]

    /// The texts and plural forms of each language.
    var tables: [String: TranslationTable] {
        var tables = [sourceLanguage: TranslationTable()]
        for (key, entry) in strings {
            for (language, localization) in entry.localizations ?? [:] {
                var table = tables[language] ?? TranslationTable()
                if let unit = localization.stringUnit { table.texts[key] = unit.value }
                let forms = localization.variations?.plural?.compactMapValues { $0.stringUnit?.value } ?? [:]
                if !forms.isEmpty { table.plurals[key] = forms }
                tables[language] = table
            }
        }
        return tables
    }
}

/// The texts of one language by their keys, and the plural forms of the texts that depend on a number.
package struct TranslationTable: Sendable, Hashable {
    package var texts: [String: String] = [:]
    package var plurals: [String: [String: String]] = [:]

    /// The text for a key, in the form for its first number.
    func text(for key: String, count: Int64?, language: String) -> String? {
        guard let forms = plurals[key] else { return texts[key] }
        let category = count.map { PluralRule.category(of: $0, language: language) } ?? "other"
        return forms[category] ?? forms["other"]
    }
}

/// The plural categories of whole numbers, by the Unicode CLDR.
enum PluralRule {
    static func category(of number: Int64, language: String) -> String {
        let (last, lastTwo) = (abs(number % 10), abs(number % 100))
        switch language.prefix(2) {
        case "ja", "ko", "zh", "th", "vi", "id": return "other"
        case "fr", "pt": return (-1...1).contains(number) ? "one" : "other"
        case "ru", "uk":
            if last == 1, lastTwo != 11 { return "one" }
            return (2...4).contains(last) && !(12...14).contains(lastTwo) ? "few" : "many"
        case "pl":
            if number == 1 { return "one" }
            return (2...4).contains(last) && !(12...14).contains(lastTwo) ? "few" : "many"
        case "cs", "sk":
            if number == 1 { return "one" }
            return (2...4).contains(number) ? "few" : "other"
        case "ar":
            if (0...2).contains(number) { return ["zero", "one", "two"][Int(number)] }
            return (3...10).contains(lastTwo) ? "few" : lastTwo >= 11 ? "many" : "other"
        default: return number == 1 ? "one" : "other"
        }
    }
}
