import ShopAPI
import SwiftUI

/// The list of products, with links to products, the cart and the currencies.
struct AstronomyShopView: View {
    let shop: ShopModel
    @State private var isChoosingCurrency = false
    @State private var isCartOpen = false

    var body: some View {
        ProductListView(viewModel: shop.productList)
            .navigationTitle("Astronomy Shop")
            .navigationDestination(for: Product.self) { product in
                ProductDetailView(viewModel: shop.productDetail(id: product.id, product: product))
            }
            .navigationDestination(isPresented: $isCartOpen) {
                CartView(shop: shop)
            }
            .toolbar {
                ToolbarItem(placement: .primaryAction) {
                    CurrencyButton { isChoosingCurrency = true }
                }
                ToolbarItem(placement: .primaryAction) {
                    CartButton { isCartOpen = true }
                }
            }
            .sheet(isPresented: $isChoosingCurrency) {
                CurrencyView(viewModel: shop.currency)
            }
            .task {
                await shop.currency.loadCurrencies()
                await shop.cart.loadCart()
            }
    }
}

/// The button for the currency of amounts.
private struct CurrencyButton: View {
    @EnvironmentObject private var currency: CurrencyViewModel
    @Environment(\.locale) private var locale
    let action: @MainActor () -> Void

    var body: some View {
        ActionButton("Currency", id: "currency", action: action) {
            Text(verbatim: currency.code)
                .monospacedDigit()
        }
        .accessibilityLabel("Currency, \(currency.selected.name(in: locale))")
    }
}

/// The button for the cart, with the number of pieces.
private struct CartButton: View {
    @EnvironmentObject private var cart: CartViewModel
    let action: @MainActor () -> Void

    var body: some View {
        ActionButton("Cart", id: "cart", action: action) {
            HStack(spacing: 3) {
                Image(systemName: cart.isEmpty ? "cart" : "cart.fill")
                if cart.itemCount > 0 {
                    Text("\(cart.itemCount)")
                        .font(.footnote)
                        .monospacedDigit()
                }
            }
        }
        .accessibilityLabel("Cart")
        .accessibilityValue("Pieces: \(cart.itemCount)")
    }
}
