import ShopAPI
import SwiftUI

/// The text fields of the checkout in order.
enum CheckoutField: Hashable, Sendable {
    case shipping(ShippingInfo.Field)
    case cardNumber
    case securityCode

    /// The field that the return key moves to.
    var next: CheckoutField? {
        switch self {
        case .shipping(let field):
            let all = ShippingInfo.Field.allCases
            let following = all.firstIndex(of: field).map { all.index(after: $0) } ?? all.endIndex
            return following < all.endIndex ? .shipping(all[following]) : .cardNumber
        case .cardNumber: return .securityCode
        case .securityCode: return nil
        }
    }
}

/// A text field, with its problem.
struct FormField: View {
    let title: LocalizedStringKey
    let text: Binding<String>
    let problem: String?
    let id: String
    let focus: FocusState<CheckoutField?>.Binding
    let field: CheckoutField

    var body: some View {
        VStack(alignment: .leading, spacing: 4) {
            Text(title)
                .font(.caption)
                .foregroundStyle(.secondary)
            TextField(title, text: text)
                .focused(focus, equals: field)
                .submitLabel(.next)
                .onSubmit { focus.wrappedValue = field.next }
                .accessibilityIdentifier(id)
            if let problem {
                Text(problem)
                    .font(.caption)
                    .foregroundColor(.red)
                    .accessibilityIdentifier("\(id)-problem")
            }
        }
    }
}

/// The content of the cart.
struct CheckoutReviewSection: View {
    @ObservedObject var cart: CartViewModel

    var body: some View {
        Section("Your cart") {
            if cart.isEmpty, cart.isLoading {
                LoadingView(message: "Loading your cart…")
            } else if cart.isEmpty {
                (cart.errorMessage.map { Text($0) } ?? Text("Your cart is empty."))
                    .foregroundStyle(.secondary)
            }
            ForEach(cart.lines) { line in
                AmountRow(name: "\(line.quantity) × \(line.product.name)", amount: line.total)
            }
            if !cart.isEmpty { AmountRow(name: "Items", amount: cart.total) }
        }
    }
}

/// The card.
struct CheckoutPaymentSection: View {
    @ObservedObject var viewModel: CheckoutViewModel
    let now: @Sendable () -> Date
    let focus: FocusState<CheckoutField?>.Binding

    var body: some View {
        let problems = viewModel.paymentProblems
        Section {
            FormField(
                title: "Card number", text: $viewModel.payment.cardNumber, problem: problems[.cardNumber],
                id: "payment-cardNumber", focus: focus, field: .cardNumber,
            )
            .privacySensitive()
            VStack(alignment: .leading, spacing: 4) {
                Text("Security code")
                    .font(.caption)
                    .foregroundStyle(.secondary)
                SecureField("Security code", text: $viewModel.payment.securityCode)
                    .privacySensitive()
                    .focused(focus, equals: .securityCode)
                    .accessibilityIdentifier("payment-securityCode")
                if let problem = problems[.securityCode] { problemText(problem) }
            }
            Picker("Month", selection: $viewModel.payment.expirationMonth) {
                ForEach(1...12, id: \.self) { month in
                    Text(verbatim: month < 10 ? "0\(month)" : "\(month)").tag(month)
                }
            }
            .accessibilityIdentifier("payment-month")
            Picker("Year", selection: $viewModel.payment.expirationYear) {
                ForEach(years, id: \.self) { year in
                    Text(verbatim: "\(year)").tag(year)
                }
            }
            .accessibilityIdentifier("payment-year")
            if let problem = problems[.expiration] { problemText(problem) }
        } header: {
            Text("Payment")
        } footer: {
            if viewModel.payment.network == .americanExpress {
                ActionButton("Use an Accepted Card", id: "use-accepted-card") {
                    viewModel.payment = .testData(at: now())
                }
                .buttonStyle(.bordered)
            } else {
                ActionButton("Use a Refused Card", id: "use-refused-card") {
                    viewModel.payment = .refusedTestData(at: now())
                }
                .buttonStyle(.bordered)
            }
        }
    }

    private func problemText(_ problem: String) -> some View {
        Text(problem)
            .font(.caption)
            .foregroundColor(.red)
    }

    /// The years from last year, so that an expired card can be tried, to ten years from now, and the selected year.
    private var years: [Int] {
        let year = Calendar(identifier: .gregorian).component(.year, from: now())
        return Array(Set((year - 1)...(year + 10)).union([viewModel.payment.expirationYear])).sorted()
    }
}
