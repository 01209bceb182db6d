import AstrolabeSwiftUI
import ShopAPI
import SwiftUI

/// The list of products.
struct ProductListView: View {
    @ObservedObject var viewModel: ProductListViewModel
    @State private var query = ""
    @State private var hasAsked = false

    var body: some View {
        TracedView("ProductList", id: "product-list") { content }
            .searchable(text: $query, prompt: "Search products")
            .task {
                if viewModel.products.isEmpty { await viewModel.loadProducts() }
                hasAsked = true
            }
    }

    @ViewBuilder private var content: some View {
        if !viewModel.products.isEmpty {
            list
        } else if viewModel.isLoading || !hasAsked {
            LoadingView(message: "Loading products…")
        } else if let message = viewModel.errorMessage {
            LoadFailureView(message: message, id: "products-retry") { await viewModel.loadProducts() }
        } else {
            MessageView(
                symbol: "shippingbox", title: "No products",
                message: Text("The shop has nothing to sell at the moment."),
            )
        }
    }

    private var list: some View {
        List {
            if let message = viewModel.errorMessage { ErrorBanner(message: message) }
            ForEach(found) { product in
                NavigationLink(value: product) {
                    ProductRowView(product: product, pictureURL: viewModel.pictureURL(of: product))
                }
                .tracedTap("product-\(product.id)", name: product.name)
            }
            if found.isEmpty {
                MessageView(
                    symbol: "magnifyingglass", title: "Nothing found",
                    message: Text("No product matches “\(query)”."),
                )
            }
        }
        .listStyle(.plain)
        .refreshable { await viewModel.loadProducts(isRefresh: true) }
        .accessibilityIdentifier("product-list")
    }

    /// The products whose name, description or categories contain all words, ignoring case.
    private var found: [Product] {
        let words = query.lowercased().split(separator: " ")
        guard !words.isEmpty else { return viewModel.products }
        return viewModel.products.filter { product in
            let text = ([product.name, product.description] + product.categories).joined(separator: " ").lowercased()
            return words.allSatisfy { text.contains($0) }
        }
    }
}
