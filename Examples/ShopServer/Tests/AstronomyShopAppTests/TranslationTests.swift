import AstrolabeTestSupport
import Foundation
import ShopAPI
import SwiftUI
import Testing

@testable import ShopServer

/// The app's sources against its `Localizable.strings`.
@Suite struct `The shop's translations` {
    private static let languages = ["ar", "de", "en", "ja"]
    private static let tables = Result {
        try Translations(
            #require(AppResources.bundle(ofModule: "AstronomyShopApp")), locale: Locale(identifier: "en_US"),
        ).tables.mapValues(\.texts)
    }

    @Test func `have the same keys in each language, with a text and the same values`() throws {
        let tables = try Self.tables.get()
        #expect(tables.keys.sorted() == Self.languages)
        let keys = Set(try #require(tables["en"]).keys)
        for (language, table) in tables {
            #expect(Set(table.keys).symmetricDifference(keys) == [], "in \(language)")
            for (key, text) in table {
                #expect(!text.trimmingCharacters(in: .whitespaces).isEmpty, "\(key) in \(language)")
                #expect(Self.specifiers(key).sorted() == Self.specifiers(text).sorted(), "\(key) in \(language)")
            }
        }
        #expect(tables["en"]?.allSatisfy { $0.key == $0.value } == true, "a key is its English text")
    }

    @Test func `are complete: the app shows no text without a key, and has no key without a text`() throws {
        let keys = Set(try #require(Self.tables.get()["en"]).keys.map(Self.pattern))
        let shown = try Self.literals(in: ["Views", "Components"]).filter { Self.isText($0) }.subtracting(Self.names)
        let localized = try Self.literals(in: Self.folders, after: "localized:")
        let dynamic =
            Catalogue.astronomy.flatMap(\.categories) + [
                Payment.Refusal.networkNotAccepted(.americanExpress).message,
                Payment.Refusal.invalid(field: "").message,
            ]
        let wanted = shown.union(localized).union(dynamic.map(Self.pattern))
        #expect(wanted.subtracting(keys).sorted() == [], "texts without a key")
        let all = try Self.literals(in: Self.folders).union(dynamic.map(Self.pattern))
        #expect(keys.subtracting(all).sorted() == [], "keys that nothing shows")
    }

    private static let folders = ["Views", "Components", "Models", "Network", "ViewModels"]

    /// Names in telemetry and of products, and texts that are no words: the same in each language.
    private static let names: Set<String> = [
        "ProductList", "ProductDetail", "SlowComet", "SlowCometAnimation", "Confirmation", "Home", "Quantity",
        "The Comet Book",
    ]

    /// Returns true if a person would read it: it begins with a capital letter or a value, and has a lowercase letter.
    private static func isText(_ literal: String) -> Bool {
        guard let first = literal.first(where: { $0 != "%" && $0 != " " }), literal.contains(where: \.isLowercase)
        else { return false }
        return first.isUppercase || (literal.hasPrefix("% ") && literal.count > 4)
    }

    /// The literals of the app's sources in folders, as patterns.
    private static func literals(in folders: [String], after label: String? = nil) throws -> Set<String> {
        let root = Repository.file("Examples/AstronomyShop/Sources/AstronomyShop")
        var found: Set<String> = []
        for folder in folders {
            let names = try FileManager.default.contentsOfDirectory(atPath: root.path + "/" + folder)
            for name in names where name.hasSuffix(".swift") {
                let source = try String(contentsOfFile: "\(root.path)/\(folder)/\(name)", encoding: .utf8)
                    .replacing(/(?m)^ *\/\/.*$/, with: "")
                let literal = /"""\n([\s\S]*?)"""|"((?:[^"\\\n]|\\.)*)"/
                for match in source.matches(of: literal) {
                    let before = source[..<match.range.lowerBound].suffix(60).trimmingCharacters(
                        in: .whitespacesAndNewlines)
                    if let label, !before.hasSuffix(label) { continue }
                    let text = match.1.map { $0.replacing(/\\\n */, with: "").replacing(/^ +|\s+$/, with: "") }
                    found.insert(pattern(String(text ?? match.2 ?? "")))
                }
            }
        }
        return found
    }

    /// A text with a `%` in the place of each value: of an interpolation in the source, and of a specifier in a key.
    private static func pattern(_ text: String) -> String {
        text.replacing(/\\\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/, with: "%").replacing(/%(?:@|lld|lf)/, with: "%")
    }

    private static func specifiers(_ text: String) -> [String] {
        text.matches(of: /%(?:[0-9]+\$)?(@|lld|lf)/).map { String($0.1) }
    }
}
