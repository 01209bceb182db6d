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

    @Test func `outside of views are in the language that the app was started in`() throws {
        try Self.install(locale: "de_DE")
        #expect(String(localized: "Far away") == "Weit weg")
        #expect(String(localized: "\(3) of \("M 31")") == "M 31: 3 Stück")
        #expect(String(localized: "Elsewhere") == "Elsewhere")
    }
}
