import AstrolabeSwiftUI
import ShopAPI
import SwiftUI

/// The screen of the cart.
struct CartView: View {
    let shop: ShopModel
    @EnvironmentObject private var cart: CartViewModel
    @Environment(\.dismiss) private var dismiss
    @State private var isCheckingOut = false
    @State private var isAskingToEmpty = false
    @State private var hasAsked = false

    var body: some View {
        TracedView("Cart", id: "cart") { content }
            .navigationTitle("Cart")
            .inlineTitle()
            .toolbar {
                ToolbarItem(placement: .primaryAction) {
                    if !cart.isEmpty {
                        TracedButton("Empty", id: "empty-cart", name: "Empty") { isAskingToEmpty = true }
                    }
                }
            }
            .confirmationDialog("Empty the cart?", isPresented: $isAskingToEmpty, titleVisibility: .visible) {
                ActionButton("Remove Everything", id: "empty-cart-confirm", role: .destructive) {
                    await cart.clearCart()
                }
            }
            .sheet(isPresented: $isCheckingOut) {
                CheckoutFormView(viewModel: shop.checkout, now: shop.now)
            }
            .task {
                await cart.loadCart()
                hasAsked = true
            }
    }

    @ViewBuilder private var content: some View {
        if !cart.isEmpty || !cart.unavailable.isEmpty {
            list
        } else if cart.isLoading || !hasAsked {
            LoadingView(message: "Loading your cart…")
        } else if let message = cart.errorMessage {
            LoadFailureView(message: message, id: "cart-retry") { await cart.loadCart() }
        } else {
            MessageView(
                symbol: "cart", title: "Your cart is empty", message: Text("Products that you add appear here."),
            ) {
                TracedButton("Go Shopping", id: "cart-shop", name: "Go Shopping") { dismiss() }
                    .buttonStyle(.borderedProminent)
            }
            .accessibilityIdentifier("cart-empty")
        }
    }

    private var list: some View {
        List {
            if let message = cart.errorMessage { ErrorBanner(message: message) }
            Section {
                ForEach(cart.lines) { line in
                    CartLineView(line: line, pictureURL: shop.productList.pictureURL(of: line.product))
                }
            }
            if !cart.unavailable.isEmpty {
                Section("No longer sold") {
                    ForEach(cart.unavailable, id: \.productId) { item in
                        AdaptiveStack {
                            Text("\(item.quantity) × \(item.productId)")
                            Spacer()
                            ActionButton("Remove", id: "remove-\(item.productId)", role: .destructive) {
                                await cart.removeProduct(id: item.productId)
                            }
                        }
                    }
                }
            }
            Section {
                AmountRow(name: "Total", amount: cart.total, isTotal: true)
                    .accessibilityIdentifier("cart-total")
                ActionButton("Checkout", id: "checkout") {
                    isCheckingOut = true
                } label: {
                    Text("Checkout")
                        .frame(maxWidth: .infinity)
                }
                .buttonStyle(.borderedProminent)
                .controlSize(.large)
                .disabled(cart.isEmpty)
            }
        }
        .refreshable { await cart.loadCart() }
    }
}

/// A product in the cart, with its quantity.
private struct CartLineView: View {
    let line: CartLine
    let pictureURL: URL?
    @EnvironmentObject private var cart: CartViewModel
    @Environment(\.shopTelemetry) private var telemetry

    var body: some View {
        VStack(alignment: .leading, spacing: 8) {
            AdaptiveStack {
                ProductPicture(url: pictureURL, name: line.product.name)
                    .frame(width: 56, height: 56)
                VStack(alignment: .leading, spacing: 2) {
                    Text(line.product.name)
                        .font(.headline)
                    Text("\(line.product.priceUsd, format: .money) each")
                        .font(.caption)
                        .foregroundStyle(.secondary)
                }
                Spacer()
                Text(amount: line.total)
                    .monospacedDigit()
            }
            Stepper {
                Text("Quantity: \(line.quantity)")
                    .font(.subheadline)
            } onIncrement: {
                change(to: line.quantity + 1)
            } onDecrement: {
                change(to: line.quantity - 1)
            }
            .disabled(cart.isLoading)
            .accessibilityIdentifier("quantity-\(line.id)")
        }
        .swipeActions {
            ActionButton("Remove", id: "remove-\(line.id)", role: .destructive) {
                await cart.removeProduct(id: line.id)
            }
        }
    }

    private func change(to quantity: Int) {
        Task {
            guard let telemetry else { return await cart.setQuantity(quantity, of: line) }
            await telemetry.userAction("Quantity", id: "quantity-\(line.id)") { _ in
                await cart.setQuantity(quantity, of: line)
            }
        }
    }
}
