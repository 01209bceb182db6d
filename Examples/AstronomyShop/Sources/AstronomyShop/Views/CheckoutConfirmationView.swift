import AstrolabeSwiftUI
import ShopAPI
import SwiftUI

/// The confirmation of an order.
struct CheckoutConfirmationView: View {
    let confirmation: OrderConfirmation
    let done: @MainActor () -> Void

    var body: some View {
        TracedView("Confirmation", id: "checkout-confirmation") { content }
            .navigationTitle("Order placed")
            .inlineTitle()
    }

    private var content: some View {
        List {
            Section {
                VStack(spacing: 8) {
                    Image(systemName: "checkmark.circle.fill")
                        .font(.largeTitle)
                        .foregroundColor(.green)
                        .accessibilityHidden(true)
                    Text("Thank you!")
                        .font(.title2)
                        .bold()
                        .accessibilityAddTraits(.isHeader)
                    Text("Your order is on its way.")
                        .foregroundStyle(.secondary)
                }
                .frame(maxWidth: .infinity)
                .padding(.vertical, 12)
            }
            Section("Order") {
                IdentifierRow(name: "Order number", identifier: confirmation.orderID)
                    .accessibilityIdentifier("order-id")
                IdentifierRow(name: "Tracking number", identifier: confirmation.trackingID)
                    .accessibilityIdentifier("tracking-id")
            }
            Section("Items") {
                ForEach(confirmation.lines, id: \.item.productId) { line in
                    AmountRow(
                        name: "\(line.item.quantity) × \(line.item.product.name)",
                        amount: try? line.total,
                    )
                }
                AmountRow(name: "Shipping", amount: confirmation.shippingCost)
                AmountRow(name: "Total", amount: confirmation.total, isTotal: true)
                    .accessibilityIdentifier("order-total")
            }
            Section {
                ActionButton("Continue Shopping", id: "continue-shopping", action: done) {
                    Text("Continue Shopping")
                        .frame(maxWidth: .infinity)
                }
                .buttonStyle(.borderedProminent)
                .controlSize(.large)
            }
        }
    }
}
