import Astrolabe
import AstrolabeSwiftUI
import ShopAPI
import SwiftUI

/// The screen of a product, with recommendations.
struct ProductDetailView: View {
    @StateObject private var viewModel: ProductDetailViewModel
    @EnvironmentObject private var cart: CartViewModel
    @Environment(\.viewTracer) private var tracer

    init(viewModel: @autoclosure @escaping () -> ProductDetailViewModel) {
        _viewModel = StateObject(wrappedValue: viewModel())
    }

    var body: some View {
        TracedView(
            "ProductDetail", id: "product-detail", attributes: [DemoAttribute.productId: viewModel.productID],
        ) {
            content
        }
        .navigationTitle(viewModel.product.map { Text(verbatim: $0.name) } ?? Text("Product"))
        .inlineTitle()
        .task { await viewModel.loadProduct() }
    }

    private var content: some View {
        ScrollView {
            if let product = viewModel.product {
                details(of: product)
            } else if let message = viewModel.errorMessage, !viewModel.isLoading {
                LoadFailureView(message: message, id: "product-retry") { await viewModel.loadProduct() }
            } else {
                LoadingView(message: "Loading the product…")
            }
        }
    }

    private func details(of product: Product) -> some View {
        VStack(alignment: .leading, spacing: 16) {
            ProductPicture(url: viewModel.pictureURL(of: product), name: product.name)
                .frame(height: 240)
                .frame(maxWidth: .infinity)
            if let message = viewModel.errorMessage { ErrorBanner(message: message) }
            Text(product.name)
                .font(.title2)
                .bold()
                .accessibilityAddTraits(.isHeader)
            Text(product.priceUsd, format: .money)
                .font(.title3)
                .monospacedDigit()
                .foregroundColor(.accentColor)
                .accessibilityIdentifier("product-price")
            Text(product.description)
                .font(.body)
            purchase(of: product)
            if !viewModel.recommendations.isEmpty { recommendations }
            if !viewModel.advertisements.isEmpty { advertisements }
        }
        .padding(16)
    }

    private func purchase(of product: Product) -> some View {
        VStack(alignment: .leading, spacing: 12) {
            Stepper(
                "Quantity: \(viewModel.quantity)", value: $viewModel.quantity, in: ProductDetailViewModel.quantities,
            )
            .accessibilityIdentifier("product-quantity")
            .onNewValue(of: viewModel.quantity) { _ in
                tracer.recordTap("product-quantity", name: "Quantity")
            }
            ActionButton("Add to Cart", id: "add-to-cart") {
                await cart.addProduct(product, quantity: viewModel.quantity)
            } label: {
                Label("Add to Cart", systemImage: "cart.badge.plus")
                    .frame(maxWidth: .infinity)
            }
            .buttonStyle(.borderedProminent)
            .controlSize(.large)
            .disabled(cart.isLoading)
            if let message = cart.errorMessage { ErrorBanner(message: message) }
            if cart.quantity(of: product.id) > 0 {
                Text("In your cart: \(cart.quantity(of: product.id))")
                    .font(.footnote)
                    .foregroundStyle(.secondary)
                    .accessibilityIdentifier("quantity-in-cart")
            }
        }
    }

    private var recommendations: some View {
        VStack(alignment: .leading, spacing: 8) {
            Text("You might also like")
                .font(.headline)
                .accessibilityAddTraits(.isHeader)
            ScrollView(.horizontal, showsIndicators: false) {
                HStack(alignment: .top, spacing: 12) {
                    ForEach(viewModel.recommendations) { product in
                        NavigationLink(value: product) {
                            ProductCardView(product: product, pictureURL: viewModel.pictureURL(of: product))
                        }
                        .buttonStyle(.plain)
                        .tracedTap("recommended-\(product.id)", name: product.name)
                    }
                }
            }
        }
    }

    private var advertisements: some View {
        VStack(alignment: .leading, spacing: 6) {
            ForEach(viewModel.advertisements, id: \.self) { advertisement in
                Label(advertisement.text, systemImage: "megaphone")
                    .font(.footnote)
                    .foregroundStyle(.secondary)
            }
        }
        .accessibilityIdentifier("advertisements")
    }
}
