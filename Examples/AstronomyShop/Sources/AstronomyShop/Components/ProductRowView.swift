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
                Text(product.categories.joined(separator: ", "))
                    .font(.caption)
                    .foregroundStyle(.secondary)
                Text(product.priceUsd.formatted)
                    .font(.subheadline)
                    .monospacedDigit()
                    .foregroundColor(.accentColor)
            }
        }
        .padding(.vertical, 4)
        .accessibilityElement(children: .combine)
    }
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
            Text(product.priceUsd.formatted)
                .font(.caption)
                .bold()
                .foregroundColor(.accentColor)
        }
        .frame(width: 132)
        .accessibilityElement(children: .combine)
    }
}
