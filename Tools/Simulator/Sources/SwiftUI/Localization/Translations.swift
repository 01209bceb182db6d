package import Foundation

/// The translations of an app: a String Catalog, or one `Localizable.strings` for each language, in folders such as
/// `de.lproj`.
///
/// On Apple platforms these are in `Bundle.main`. Here the app's launcher names the bundle, because the main bundle of
/// a Linux program is the folder of its executable.
package struct Translations: Sendable {
    private static let installed = MutexValue(Translations())
    /// The translations that views use. Default: none, so that each key is its own text.
    package static var main: Translations { installed.value }

    /// Sets the translations of this process, before its first view. On a phone, a change of the language ends the app.
    package static func install(_ translations: Translations) {
        installed.update { $0 = translations }
    }

    /// The user's locale at the start of the app, as `Locale.current` on a phone.
    package let locale: Locale
    /// The keys and texts of each language.
    package let tables: [String: TranslationTable]
    private let ownLanguage: String

    /// The language of the keys, for a locale without translations.
    private static let fallback = "en"

    private init() {
        locale = Locale(identifier: "en_US")
        tables = [:]
        ownLanguage = Self.fallback
    }

    /// - Throws: If a file of the bundle cannot be read, or is not a list of strings.
    package init(_ bundle: Bundle, locale: Locale) throws {
        self.locale = locale
        var tables = try Self.catalog(bundle)?.tables ?? [:]
        for language in bundle.localizations {
            guard let folder = bundle.url(forResource: language, withExtension: "lproj") else { continue }
            let texts = try Self.table(folder)
            tables[language, default: TranslationTable()].texts.merge(texts) { catalog, _ in catalog }
        }
        self.tables = tables
        ownLanguage = Self.language(for: locale, of: Set(tables.keys))
    }

    private static func catalog(_ bundle: Bundle) throws -> StringCatalog? {
        guard let url = bundle.url(forResource: "Localizable", withExtension: "xcstrings") else { return nil }
        return try JSONDecoder().decode(StringCatalog.self, from: Data(contentsOf: url))
    }

    private static func table(_ folder: URL) throws -> [String: String] {
        let data = try Data(contentsOf: folder.appendingPathComponent("Localizable.strings"))
        let list = try PropertyListSerialization.propertyList(from: data, format: nil)
        guard let table = list as? [String: String] else { throw CocoaError(.propertyListReadCorrupt) }
        return table
    }

    /// The language that the app shows in a locale: `de` in Austria, or English if there is no translation.
    package func language(for locale: Locale) -> String {
        locale == self.locale ? ownLanguage : Self.language(for: locale, of: Set(tables.keys))
    }

    private static func language(for locale: Locale, of available: Set<String>) -> String {
        let language = locale.language
        guard let code = language.languageCode?.identifier else { return fallback }
        let parts = [language.script?.identifier, language.region?.identifier]
        let names = parts.compactMap { $0.map { "\(code)-\($0)" } } + [code]
        return names.first(where: available.contains) ?? fallback
    }

    /// - Parameter count: The first whole number among the interpolated values.
    func text(for key: String, count: Int64? = nil, in locale: Locale) -> String {
        let language = language(for: locale)
        return tables[language]?.text(for: key, count: count, language: language) ?? key
    }

    /// The direction of the language that the app shows. It is the phone's only if the app has a translation.
    func direction(in locale: Locale) -> LayoutDirection {
        let language = Locale.Language(identifier: language(for: locale))
        return language.characterDirection == .rightToLeft ? .rightToLeft : .leftToRight
    }
}
