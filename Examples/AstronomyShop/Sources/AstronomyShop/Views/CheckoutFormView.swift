import AstrolabeSwiftUI
import ShopAPI
import SwiftUI

/// The checkout form. Each step is shown when the one before is complete, and the shipping cost loads by itself.
struct CheckoutFormView: View {
    @ObservedObject var viewModel: CheckoutViewModel
    let now: @Sendable () -> Date
    @Environment(\.dismiss) private var dismiss
    @FocusState private var focus: CheckoutField?

    var body: some View {
        NavigationStack {
            if let confirmation = viewModel.confirmation {
                CheckoutConfirmationView(confirmation: confirmation) { dismiss() }
            } else {
                TracedView("Checkout", id: "checkout") { form }
                    .navigationTitle("Checkout")
                    .inlineTitle()
                    .interactiveDismissDisabled(viewModel.isPlacingOrder)
                    .toolbar {
                        ToolbarItem(placement: .cancellationAction) {
                            TracedButton("Cancel", id: "checkout-cancel", name: "Cancel") { dismiss() }
                                .disabled(viewModel.isPlacingOrder)
                        }
                    }
            }
        }
        .task { await viewModel.startCheckout() }
        .onDisappear { viewModel.leaveCheckout() }
    }

    private var form: some View {
        Form {
            CheckoutReviewSection(cart: viewModel.cart)
            if viewModel.visibleSteps.contains(.shipping) { shipping }
            if viewModel.visibleSteps.contains(.payment) {
                CheckoutPaymentSection(viewModel: viewModel, now: now, focus: $focus)
            }
            if viewModel.visibleSteps.contains(.placeOrder) { placeOrder }
        }
    }

    /// Above the button, so that a refusal is in sight where the person has just tapped.
    @ViewBuilder private var refusal: some View {
        if let message = viewModel.errorMessage {
            Label(message, systemImage: "xmark.octagon.fill")
                .foregroundColor(.red)
                .accessibilityElement(children: .combine)
                .accessibilityAddTraits(.updatesFrequently)
                .accessibilityIdentifier("checkout-error")
        }
    }

    private var shipping: some View {
        Section {
            field("E-mail", $viewModel.shipping.email, .email)
                .writtenAsItIs()
            field("Street and number", $viewModel.shipping.streetAddress, .streetAddress)
            field("City", $viewModel.shipping.city, .city)
            field("State", $viewModel.shipping.state, .state)
            field("Country", $viewModel.shipping.country, .country)
            field("ZIP code", $viewModel.shipping.zipCode, .zipCode)
        } header: {
            Text("Shipping address")
        } footer: {
            ShippingCostView(quote: viewModel.quote) { await viewModel.retryQuote() }
        }
    }

    private func field(
        _ title: LocalizedStringKey, _ text: Binding<String>, _ field: ShippingInfo.Field,
    ) -> some View {
        FormField(
            title: title, text: text, problem: viewModel.shippingProblems[field], id: "shipping-\(field.rawValue)",
            focus: $focus, field: .shipping(field),
        )
    }

    private var placeOrder: some View {
        Section {
            if let cost = viewModel.quote.cost { AmountRow(name: "Shipping", amount: cost) }
            AmountRow(name: "Total", amount: viewModel.total, isTotal: true)
                .accessibilityIdentifier("checkout-total")
            refusal
            ActionButton("Place Order", id: "place-order") {
                await viewModel.placeOrder()
            } label: {
                HStack {
                    if viewModel.isPlacingOrder { ProgressView() }
                    Text(viewModel.isPlacingOrder ? "Placing your order…" : "Place Order")
                }
                .frame(maxWidth: .infinity)
            }
            .buttonStyle(.borderedProminent)
            .controlSize(.large)
            .disabled(!viewModel.canPlaceOrder)
        } footer: {
            if !viewModel.blockers.isEmpty {
                Text(viewModel.blockers.joined(separator: " "))
                    .accessibilityIdentifier("checkout-blockers")
            }
        }
    }
}

/// The shipping cost, or the state of its request.
private struct ShippingCostView: View {
    let quote: ShippingQuote
    let retry: @MainActor () async -> Void

    var body: some View {
        switch quote {
        case .notAsked:
            Text("The shipping cost appears once the address is complete.")
                .accessibilityIdentifier("shipping-cost")
        case .loading:
            HStack(spacing: 8) {
                ProgressView()
                Text("Calculating the shipping cost…")
            }
            .accessibilityIdentifier("shipping-cost")
        case .cost(let money):
            Text("Shipping: \(money, format: .money)")
                .accessibilityIdentifier("shipping-cost")
        case .failed(let message):
            VStack(alignment: .leading, spacing: 6) {
                Text(message)
                    .foregroundColor(.red)
                    .accessibilityIdentifier("shipping-cost")
                ActionButton("Try Again", id: "shipping-retry", action: retry)
            }
        }
    }
}
