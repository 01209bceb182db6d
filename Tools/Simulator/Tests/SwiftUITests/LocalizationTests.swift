import Foundation
import SwiftUI
import Testing
import ViewTree

@MainActor
@Suite(.serialized) struct `Localized texts` {
    private struct Screen: View {
        @State private var asks = true
        let name = "M 31"
        let price = Decimal(1_234.5)
        @Environment(\.layoutDirection) private var direction

        var body: some View {
            VStack {
                Text("Far away")
                Text("\(3) of \(name)")
                Text("\(price, format: .currency(code: "EUR")) each")
                Text(price, format: .currency(code: "EUR"))
                Text("100% of \(name)")
                Text("Not translated")
                Text(verbatim: direction == .rightToLeft ? "mirrored" : "not mirrored")
            }
            .alert("Sure?", isPresented: $asks) {}
        }
    }

    /// Installs these translations in this process; the texts are of no other test.
    private static func install(locale: String) throws {
        let bundle = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("strings-\(UUID().uuidString)")
        let german = """
            "Far away" = "Weit weg";
            "%lld of %@" = "%2$@: %1$lld Stück";
            "%@ each" = "je %@";
            "100%% of %@" = "%@ zu 100 %%";
            """
        for (language, table) in [
            ("de", german), ("en", #""Far away" = "Far away";"#), ("ar", #""Far away" = "بعيد";"#),
        ] {
            let folder = bundle.appendingPathComponent("\(language).lproj")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(table.utf8).write(to: folder.appendingPathComponent("Localizable.strings"))
        }
        defer { try? FileManager.default.removeItem(at: bundle) }
        Translations.install(
            try Translations(try #require(Bundle(url: bundle)), locale: Locale(identifier: locale)))
    }

    @Test func `are those of the view's language, with values in its order and format`() throws {
        try Self.install(locale: "en_US")
        let host = ViewHost(Screen())
        #expect(
            host.tree.root.texts == [
                "Far away", "3 of M 31", "€1,234.50 each", "€1,234.50", "100% of M 31", "Not translated",
                "not mirrored", "OK",
            ])
        host.traits.locale = Locale(identifier: "de_AT")
        #expect(
            host.tree.root.texts == [
                "Weit weg", "M 31: 3 Stück", "je €\u{A0}1.234,50", "€\u{A0}1.234,50", "M 31 zu 100 %", "Not translated",
                "not mirrored", "OK",
            ])
        #expect(host.tree.root.properties["language"] == "de")
    }

    @Test func `decide the direction of the screen, which the locale alone does not`() throws {
        try Self.install(locale: "en_US")
        let host = ViewHost(Screen())
        host.traits.locale = Locale(identifier: "ar_EG")
        #expect(host.tree.root.texts.contains("بعيد"))
        #expect(host.tree.root.texts.contains("mirrored"))
        #expect(host.tree.root.texts.contains("موافق"), "the alert's own button")
        #expect(host.tree.root.properties["layoutDirection"] == "rightToLeft")
        host.traits.locale = Locale(identifier: "he_IL")
        #expect(host.tree.root.texts.contains("Far away"), "there is no Hebrew here")
        #expect(host.tree.root.properties["layoutDirection"] == "leftToRight")
    }

    private struct Catalogued: View {
        let count: Int

        var body: some View {
            Text("Bookshelf")
            Text("\(count) books")
            Text("By \("Ende"), \(count) pages")
            Text("Only here")
        }
    }

    @Test func `are those of a String Catalog, in the plural form of their number`() throws {
        let bundle = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("catalog-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: bundle) }
        try Data(Self.catalog.utf8).write(to: bundle.appendingPathComponent("Localizable.xcstrings"))
        Translations.install(try Translations(try #require(Bundle(url: bundle)), locale: Locale(identifier: "de_DE")))
        let host = ViewHost(Catalogued(count: 1))
        host.traits.locale = Locale(identifier: "de_DE")
        #expect(host.tree.root.texts == ["Bücherregal", "1 Buch", "Von Ende, 1 Seiten", "Only here"])
        let several = ViewHost(Catalogued(count: 2))
        several.traits.locale = Locale(identifier: "de_DE")
        #expect(several.tree.root.texts[1] == "2 Bücher")
        several.traits.locale = Locale(identifier: "en_US")
        #expect(several.tree.root.texts == ["Bookshelf", "2 books", "By Ende, 2 pages", "Only here"])
        several.traits.locale = Locale(identifier: "pl_PL")
        #expect(several.tree.root.texts[1] == "2 książki")
    }

    private static let catalog = """
        {
          "sourceLanguage": "en",
          "strings": {
            "Bookshelf": { "localizations": { "de": { "stringUnit": { "state": "translated", "value": "Bücherregal" } } } },
            "%lld books": {
              "localizations": {
                "de": { "variations": { "plural": {
                  "one": { "stringUnit": { "state": "translated", "value": "%lld Buch" } },
                  "other": { "stringUnit": { "state": "translated", "value": "%lld Bücher" } }
                } } },
                "pl": { "variations": { "plural": {
                  "few": { "stringUnit": { "state": "translated", "value": "%lld książki" } },
                  "other": { "stringUnit": { "state": "translated", "value": "%lld książek" } }
                } } }
              }
            },
            "By %@, %lld pages": {
              "localizations": { "de": { "stringUnit": { "state": "translated", "value": "Von %@, %lld Seiten" } } }
            },
            "Only here": {}
          },
          "version": "1.0"
        }
        """

    @Test func `outside of views are in the language that the app was started in`() throws {
        try Self.install(locale: "de_DE")
        #expect(String(localized: "Far away") == "Weit weg")
        #expect(String(localized: "\(3) of \("M 31")") == "M 31: 3 Stück")
        #expect(String(localized: "Elsewhere") == "Elsewhere")
    }
}
