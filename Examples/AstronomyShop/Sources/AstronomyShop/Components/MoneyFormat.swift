import Foundation
import ShopAPI
import SwiftUI

/// Formats an amount for a locale: "57,08 $" in German, "$57.08" in Japanese.
///
///     Text(product.priceUsd, format: .money)
///
/// A view sets the locale to its own. `Money.formatted` is the same everywhere, for logs.
struct MoneyFormat: FormatStyle {
    private var currentLocale = Locale.current

    func locale(_ locale: Locale) -> MoneyFormat {
        var copy = self
        copy.currentLocale = locale
        return copy
    }

    func format(_ money: Money) -> String {
        let digits = Currency(code: money.currencyCode)?.fractionDigits ?? 2
        return money.decimal.formatted(
            .currency(code: money.currencyCode).precision(.fractionLength(digits))
                .rounded(rule: .toNearestOrAwayFromZero).locale(currentLocale))
    }
}

extension FormatStyle where Self == MoneyFormat {
    static var money: MoneyFormat { MoneyFormat() }
}

extension Text {
    /// The amount, or an ellipsis while it is not known.
    init(amount: Money?) {
        self = amount.map { Text($0, format: .money) } ?? Text(verbatim: "…")
    }
}

extension Money {
    fileprivate var decimal: Decimal { Decimal(units) + Decimal(nanos) / Decimal(Self.nanosPerUnit) }
}
