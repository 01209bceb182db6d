import Foundation

/// A value and its format. Its text depends on the locale of the view.
struct FormattedValue: Hashable, Sendable {
    private let text: @Sendable (Locale) -> String
    /// The text in the format's own locale, by which two values are compared.
    private let unlocalized: String

    init<F: FormatStyle & Sendable>(_ input: F.FormatInput, _ format: F)
    where F.FormatInput: Sendable, F.FormatOutput == String {
        text = { format.locale($0).format(input) }
        unlocalized = format.format(input)
    }

    func text(in locale: Locale) -> String { text(locale) }

    static func == (left: FormattedValue, right: FormattedValue) -> Bool { left.unlocalized == right.unlocalized }

    func hash(into hasher: inout Hasher) { hasher.combine(unlocalized) }
}
