import ShopAPI
import SwiftUI

/// A product in the list of all products.
struct ProductRowView: View {
    let product: Product
    let pictureURL: URL?

    var body: some View {
        AdaptiveStack(spacing: 14) {
            ProductPicture(url: pictureURL, name: product.name)
                .frame(width: 72, height: 72)
            VStack(alignment: .leading, spacing: 4) {
                Text(product.name)
                    .font(.headline)
                    .lineLimit(2)
                Text(product.categories.map(Self.name(ofCategory:)), format: .list(type: .and, width: .narrow))
                    .font(.caption)
                    .foregroundStyle(.secondary)
                Text(product.priceUsd, format: .money)
                    .font(.subheadline)
                    .monospacedDigit()
                    .foregroundColor(.accentColor)
            }
        }
        .padding(.vertical, 4)
        .accessibilityElement(children: .combine)
    }
}

extension ProductRowView {
    /// The shop sends a key for each category.
    private static func name(ofCategory key: String) -> String { String(localized: String.LocalizationValue(key)) }
}

/// A product as a card in a row of recommendations.
struct ProductCardView: View {
    let product: Product
    let pictureURL: URL?

    var body: some View {
        VStack(alignment: .leading, spacing: 6) {
            ProductPicture(url: pictureURL, name: product.name)
                .frame(width: 132, height: 100)
            Text(product.name)
                .font(.caption)
                .lineLimit(2)
                .foregroundColor(.primary)
            Text(product.priceUsd, format: .money)
                .font(.caption)
                .bold()
                .foregroundColor(.accentColor)
        }
        .frame(width: 132)
        .accessibilityElement(children: .combine)
    }
}
