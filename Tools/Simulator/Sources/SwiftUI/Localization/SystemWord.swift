import Foundation
import ViewTree

/// A word that the system itself shows, which an app does not translate.
enum SystemWord: String, CaseIterable {
    case back
    case cancel
    case checkSpelling
    case clear
    case decrement
    case delete
    case done
    case edit
    case hideSidebar
    case increment
    case noResults
    case noResultsFor
    case ok
    case reorder
    case search
    case share
    case showSidebar

    /// The word in a language: English if the system does not have the language.
    func text(in language: String) -> String {
        let words: (en: String, de: String, ja: String, ar: String) =
            switch self {
            case .back: ("Back", "Zurück", "戻る", "رجوع")
            case .cancel: ("Cancel", "Abbrechen", "キャンセル", "إلغاء")
            case .checkSpelling:
                (
                    "Check the spelling or try a new search.", "Prüfe die Schreibweise oder versuche eine neue Suche.",
                    "綴りを確認するか、新しい検索を試してください。", "تحقق من التهجئة أو جرب بحثًا جديدًا.",
                )
            case .clear: ("Clear text", "Text löschen", "テキストを消去", "مسح النص")
            case .decrement: ("Decrement", "Verringern", "減らす", "إنقاص")
            case .delete: ("Delete", "Löschen", "削除", "حذف")
            case .done: ("Done", "Fertig", "完了", "تم")
            case .edit: ("Edit", "Bearbeiten", "編集", "تحرير")
            case .hideSidebar:
                ("Hide Sidebar", "Seitenleiste ausblenden", "サイドバーを非表示", "إخفاء الشريط الجانبي")
            case .increment: ("Increment", "Erhöhen", "増やす", "زيادة")
            case .noResults: ("No Results", "Keine Ergebnisse", "結果なし", "لا توجد نتائج")
            case .noResultsFor:
                ("No Results for “%@”", "Keine Ergebnisse für „%@“", "“%@”の検索結果なし", "لا توجد نتائج لـ “%@”")
            case .ok: ("OK", "OK", "OK", "موافق")
            case .reorder: ("Reorder", "Neu anordnen", "並べ替え", "إعادة ترتيب")
            case .search: ("Search", "Suchen", "検索", "بحث")
            case .share: ("Share…", "Teilen …", "共有…", "مشاركة…")
            case .showSidebar:
                ("Show Sidebar", "Seitenleiste einblenden", "サイドバーを表示", "إظهار الشريط الجانبي")
            }
        return switch language {
        case "de": words.de
        case "ja": words.ja
        case "ar": words.ar
        default: words.en
        }
    }

    func text(for locale: Locale) -> String { text(in: Translations.main.language(for: locale)) }

    func text(in environment: EnvironmentValues) -> String { text(for: environment.locale) }

    /// All words, for the page that draws the screen.
    static func list(in environment: EnvironmentValues) -> NodeValue {
        .list(allCases.map { .list([.string($0.rawValue), .string($0.text(in: environment))]) })
    }
}
