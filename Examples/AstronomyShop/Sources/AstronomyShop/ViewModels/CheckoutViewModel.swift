import Astrolabe
import AstrolabeHTTP
import Combine
import Foundation
import ShopAPI
import SwiftUI

/// The model of a checkout, from the review of the cart to the confirmation of the order.
///
/// Each step is shown when the one before is complete. The shipping cost is requested when the shipping form is
/// complete, and again after each change that affects it. A change of the cart changes the steps and totals of the
/// checkout.
@MainActor
final class CheckoutViewModel: ObservableObject {
    @Published var shipping = ShippingInfo.testData {
        didSet { updateQuote(after: quoteDelay) }
    }
    @Published var payment: PaymentInfo
    @Published private(set) var quote = ShippingQuote.notAsked
    @Published private(set) var isPlacingOrder = false
    /// A message for the user.
    @Published private(set) var errorMessage: String?
    /// The error of the last attempt to place the order.
    private(set) var failure: (any Error)?
    /// The placed order.
    @Published private(set) var confirmation: OrderConfirmation?

    let cart: CartViewModel
    private let services: AppServices
    private let currency: CurrencyViewModel
    private let session: SessionManager
    private let telemetry: ShopTelemetry
    private let now: @Sendable () -> Date
    private let clock: any Clock<Duration>
    private let quoteDelay: Duration

    private var isOpen = false
    private var cartChanges: AnyCancellable?
    private var quoteTask: Task<Void, Never>?
    private var quoteSubject: QuoteSubject?

    /// The values that determine the shipping cost.
    private struct QuoteSubject: Equatable {
        let items: [CartItem]
        let address: Address
        let currencyCode: String
    }

    /// - Parameters:
    ///   - now: The current time, for the expiry of cards.
    ///   - clock: The clock for `quoteDelay`.
    ///   - quoteDelay: The pause after a change of the shipping form before the cost is requested, so that typing does
    ///     not send a request for each letter.
    init(
        cart: CartViewModel, services: AppServices, currency: CurrencyViewModel, session: SessionManager,
        telemetry: ShopTelemetry, now: @escaping @Sendable () -> Date = { Date() },
        clock: any Clock<Duration> = ContinuousClock(), quoteDelay: Duration = .milliseconds(400),
    ) {
        self.cart = cart
        self.services = services
        self.currency = currency
        self.session = session
        self.telemetry = telemetry
        self.now = now
        self.clock = clock
        self.quoteDelay = quoteDelay
        payment = .testData(at: now())
        currency.notify(self)
        cartChanges = cart.objectWillChange.sink { [weak self] _ in self?.objectWillChange.send() }
    }

    var shippingProblems: FormProblems<ShippingInfo.Field> { shipping.problems }

    var paymentProblems: FormProblems<PaymentInfo.Field> { payment.problems(at: now()) }

    /// The visible steps in order.
    var visibleSteps: [CheckoutStep] { CheckoutStep.allCases.filter { $0 <= furthestStep } }

    /// The first step that is not complete, or the last.
    var furthestStep: CheckoutStep {
        if cart.isEmpty { return .cartReview }
        if !shipping.isComplete { return .shipping }
        return paymentProblems.isEmpty ? .placeOrder : .payment
    }

    /// The reasons why the order cannot be placed now, as messages for the user; empty if it can.
    var blockers: [String] {
        var blockers: [String] = []
        if cart.isEmpty { blockers.append(String(localized: "Your cart is empty.")) }
        if !shipping.isComplete { blockers.append(String(localized: "The shipping address is not complete.")) }
        if !paymentProblems.isEmpty { blockers.append(String(localized: "The payment details are not complete.")) }
        if !cart.isEmpty, shipping.isComplete, quote.cost == nil {
            blockers.append(String(localized: "The shipping cost is not known yet."))
        }
        return blockers
    }

    var canPlaceOrder: Bool { blockers.isEmpty && !isPlacingOrder }

    /// Cart and shipping; `nil` until both are known in one currency.
    var total: Money? {
        guard let items = cart.total, let shipping = quote.cost else { return nil }
        return try? items.adding(shipping)
    }

    /// Opens the checkout: loads the cart, removes an earlier confirmation, and requests the shipping cost.
    func startCheckout() async {
        isOpen = true
        confirmation = nil
        errorMessage = nil
        failure = nil
        quoteSubject = nil
        await cart.loadCart()
        if !cart.isEmpty { telemetry.events.emit(ShopEvent.checkoutStarted, attributes: cart.attributes) }
        updateQuote(after: .zero)
        await quoteSettled()
    }

    /// Leaves the checkout. The forms stay filled in.
    func leaveCheckout() {
        isOpen = false
        updateQuote(after: .zero)
    }

    /// Requests the shipping cost again after a failure.
    func retryQuote() async {
        quoteSubject = nil
        updateQuote(after: .zero)
        await quoteSettled()
    }

    /// Waits until no request for the shipping cost is in progress.
    func quoteSettled() async {
        while let task = quoteTask {
            await task.value
            if task == quoteTask { quoteTask = nil }
        }
    }
}

// The shipping cost.
extension CheckoutViewModel {
    /// Requests the shipping cost if its inputs have changed, and cancels the request in progress.
    private func updateQuote(after delay: Duration) {
        let subject = currentSubject
        guard subject != quoteSubject else { return }
        quoteSubject = subject
        quoteTask?.cancel()
        quoteTask = nil
        guard let subject else {
            quote = .notAsked
            return
        }
        quote = .loading
        quoteTask = Task { await loadQuote(for: subject, after: delay) }
    }

    /// The inputs of the shipping cost; `nil` if they are incomplete.
    private var currentSubject: QuoteSubject? {
        guard isOpen, shipping.isComplete, !cart.isEmpty else { return nil }
        return QuoteSubject(
            items: cart.lines.map { CartItem(productId: $0.id, quantity: $0.quantity) }, address: shipping.address,
            currencyCode: currency.code,
        )
    }

    private func loadQuote(for subject: QuoteSubject, after delay: Duration) async {
        do {
            if delay > .zero { try await clock.sleep(for: delay) }
            let cost = try await telemetry.span("CheckoutViewModel.updateShippingCost") { span in
                let cost = try await services.shipping.fetchShippingCost(
                    items: subject.items, address: subject.address, currencyCode: subject.currencyCode,
                )
                span.setAttribute(DemoAttribute.shippingAmount, cost.approximateValue)
                span.setAttribute(DemoAttribute.currencyCode, cost.currencyCode)
                return cost
            }
            if subject == quoteSubject { quote = .cost(cost) }
        } catch {
            if !error.isCancellation, subject == quoteSubject { quote = .failed(error.messageForPerson) }
        }
    }
}

extension CheckoutViewModel: CurrencyDependent {
    func currencyDidChange() async {
        updateQuote(after: .zero)
        await quoteSettled()
    }
}

// The order.
extension CheckoutViewModel {
    /// Places the order. After a refusal the forms and the cart stay as they are.
    func placeOrder() async {
        guard !isPlacingOrder else { return }
        guard blockers.isEmpty, let card = payment.card else {
            errorMessage = blockers.joined(separator: " ")
            return
        }
        isPlacingOrder = true
        defer { isPlacingOrder = false }
        errorMessage = nil
        failure = nil
        let order = CheckoutRequest(
            userId: session.sessionID, userCurrency: currency.code, address: shipping.address,
            email: shipping.email.trimmed, creditCard: card,
        )
        do {
            finish(try await send(order))
        } catch {
            await recover(from: error)
        }
    }

    private func send(_ order: CheckoutRequest) async throws -> OrderConfirmation {
        var attributes = cart.attributes
        attributes[DemoAttribute.paymentCardType] = .string(payment.network.rawValue)
        return try await telemetry.span("CheckoutViewModel.placeOrder", attributes: attributes) { span in
            do {
                let placed = OrderConfirmation(try await services.checkout.placeOrder(order))
                announce(placed, on: span)
                return placed
            } catch {
                if !error.isCancellation { announce(error, attributes, on: span) }
                throw error
            }
        }
    }

    private func announce(_ placed: OrderConfirmation, on span: Tracer.Span) {
        var attributes: Attributes = [
            DemoAttribute.orderId: placed.orderID,
            DemoAttribute.orderItemCount: AttributeValue(placed.itemCount),
            DemoAttribute.shippingAmount: placed.shippingCost.approximateValue,
            DemoAttribute.currencyCode: placed.shippingCost.currencyCode,
        ]
        if let total = placed.total { attributes[DemoAttribute.orderAmount] = .double(total.approximateValue) }
        span.setAttributes(attributes)
        telemetry.events.emit(ShopEvent.orderPlaced, attributes: attributes)
    }

    private func announce(_ error: any Error, _ attributes: Attributes, on span: Tracer.Span) {
        var attributes = attributes
        let reason = OrderFailureReason(error).rawValue
        span.setAttribute(DemoAttribute.orderFailureReason, reason)
        attributes[DemoAttribute.orderFailureReason] = .string(reason)
        attributes[AttributeKey.errorType] = .string(error.telemetryType)
        telemetry.events.emit(ShopEvent.orderFailed, severity: .warn, attributes: attributes)
    }

    /// Clears the cart and the card after an order, and starts the next session.
    private func finish(_ placed: OrderConfirmation) {
        // The next session begins on the confirmation. It is not one that left a checkout.
        telemetry.setScreen("Confirmation", "checkout-confirmation")
        session.startNewSession()
        cart.wasOrdered()
        payment = .testData(at: now())
        leaveCheckout()
        confirmation = placed
    }

    private func recover(from error: any Error) async {
        guard !error.isCancellation else { return }
        failure = error
        guard (error as? HTTPError)?.leavesOutcomeOpen == true else {
            errorMessage = error.messageForPerson
            return
        }
        await cart.loadCart()
        let advice =
            if cart.errorMessage != nil {
                String(
                    localized: "Before you try again, look into your cart: if it is empty, the order was placed.")
            } else if cart.isEmpty {
                String(localized: "Your cart is empty now, so it was probably placed.")
            } else {
                String(localized: "Your cart is still full, so please try again.")
            }
        errorMessage = String(localized: "The shop could not confirm your order. \(advice)")
    }
}
