import Astrolabe
import AstrolabeHTTP
import Combine
import Foundation
import ShopAPI

/// A checkout from the review of the cart to the confirmation of the order.
///
/// Each step is disclosed once the one before is complete. The shipping cost is asked for by itself as soon as the
/// shipping form is complete, and again whenever what it depends on changes. A change of the cart is one of the
/// checkout, whose steps and totals follow from it.
@MainActor
final class CheckoutViewModel: ObservableObject {
    @Published var shipping = ShippingInfo.testData {
        didSet { updateQuote(after: quoteDelay) }
    }
    @Published var payment: PaymentInfo
    @Published private(set) var quote = ShippingQuote.notAsked
    @Published private(set) var isPlacingOrder = false
    /// Words for the person.
    @Published private(set) var errorMessage: String?
    /// What went wrong with the last attempt to place the order.
    private(set) var failure: (any Error)?
    /// The order, once it is placed.
    @Published private(set) var confirmation: OrderConfirmation?

    let cart: CartViewModel
    private let services: ShopServices
    private let currency: CurrencyViewModel
    private let session: SessionManager
    private let telemetry: ShopTelemetry
    private let now: @Sendable () -> Date
    private let clock: any Clock<Duration>
    private let quoteDelay: Duration
    private let ordersPlaced: Counter

    private var isOpen = false
    private var cartChanges: AnyCancellable?
    private var quoteTask: Task<Void, Never>?
    private var quoteSubject: QuoteSubject?

    /// What a shipping cost depends on.
    private struct QuoteSubject: Equatable {
        let items: [CartItem]
        let address: Address
        let currencyCode: String
    }

    /// - Parameters:
    ///   - now: For the expiry of cards.
    ///   - clock: What `quoteDelay` is measured with.
    ///   - quoteDelay: How long the shipping form must rest before the cost is asked for, so that typing does not send
    ///     a request for each letter.
    init(
        cart: CartViewModel, services: ShopServices, currency: CurrencyViewModel, session: SessionManager,
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
        ordersPlaced = telemetry.meter.counter("demo.orders.placed", unit: "{order}", description: "Orders placed")
        currency.notify(self)
        cartChanges = cart.objectWillChange.sink { [weak self] _ in self?.objectWillChange.send() }
    }

    var shippingProblems: FormProblems<ShippingInfo.Field> { shipping.problems }

    var paymentProblems: FormProblems<PaymentInfo.Field> { payment.problems(at: now()) }

    /// The steps that the screen shows, in their order.
    var visibleSteps: [CheckoutStep] { CheckoutStep.allCases.filter { $0 <= furthestStep } }

    /// The first step that is not complete, or the last.
    var furthestStep: CheckoutStep {
        if cart.isEmpty { return .cartReview }
        if !shipping.isComplete { return .shipping }
        return paymentProblems.isEmpty ? .placeOrder : .payment
    }

    /// Why the order cannot be placed now, in words for the person; empty where it can.
    var blockers: [String] {
        var blockers: [String] = []
        if cart.isEmpty { blockers.append("Your cart is empty.") }
        if !shipping.isComplete { blockers.append("The shipping address is not complete.") }
        if !paymentProblems.isEmpty { blockers.append("The payment details are not complete.") }
        if !cart.isEmpty, shipping.isComplete, quote.cost == nil {
            blockers.append("The shipping cost is not known yet.")
        }
        return blockers
    }

    var canPlaceOrder: Bool { blockers.isEmpty && !isPlacingOrder }

    /// Cart and shipping; nil until both are known in one currency.
    var total: Money? {
        guard let items = cart.total, let shipping = quote.cost else { return nil }
        return try? items.adding(shipping)
    }

    /// Opens the checkout: reads the cart back, forgets an earlier confirmation, and asks for the shipping cost.
    func startCheckout() async {
        isOpen = true
        confirmation = nil
        errorMessage = nil
        failure = nil
        quoteSubject = nil
        await cart.loadCart()
        updateQuote(after: .zero)
        await quoteSettled()
    }

    /// The person has left the checkout; the forms stay as they are.
    func leaveCheckout() {
        isOpen = false
        updateQuote(after: .zero)
    }

    /// Asks for the shipping cost again after a failure.
    func retryQuote() async {
        quoteSubject = nil
        updateQuote(after: .zero)
        await quoteSettled()
    }

    /// Returns when no request for the shipping cost is under way.
    func quoteSettled() async {
        while let task = quoteTask {
            await task.value
            if task == quoteTask { quoteTask = nil }
        }
    }
}

// The shipping cost.
extension CheckoutViewModel {
    /// Asks for the cost where what it depends on has changed. A newer question cancels the one under way.
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

    /// nil where there is nothing to ask for.
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
                span.setAttribute(key: DemoAttribute.shippingCost, value: cost.approximateValue)
                span.setAttribute(key: DemoAttribute.currencyCode, value: cost.currencyCode)
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
    /// Places the order. What is refused leaves forms and cart as they are, to be corrected and tried again.
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
            let placed = try await telemetry.span("CheckoutViewModel.placeOrder", attributes: orderAttributes) { span in
                let placed = OrderConfirmation(try await services.checkout.placeOrder(order))
                announce(placed, on: span)
                return placed
            }
            finish(placed)
        } catch {
            await recover(from: error)
        }
    }

    private var orderAttributes: Attributes {
        var attributes: Attributes = [
            DemoAttribute.currencyCode: .string(currency.code),
            DemoAttribute.cartItemCount: AttributeValue(cart.itemCount),
            DemoAttribute.paymentCardType: .string(payment.network.rawValue),
        ]
        if let total = cart.total { attributes[DemoAttribute.cartTotal] = .double(total.approximateValue) }
        return attributes
    }

    private func announce(_ placed: OrderConfirmation, on span: Span) {
        var attributes: Attributes = [
            DemoAttribute.orderId: .string(placed.orderID),
            DemoAttribute.orderItemCount: AttributeValue(placed.itemCount),
            DemoAttribute.shippingCost: .double(placed.shippingCost.approximateValue),
            DemoAttribute.currencyCode: .string(placed.shippingCost.currencyCode),
        ]
        if let total = placed.total { attributes[DemoAttribute.orderAmount] = .double(total.approximateValue) }
        span.setAttributes(attributes)
        telemetry.events.emit("demo.order.placed", attributes: attributes)
        ordersPlaced.add(1, attributes: [DemoAttribute.currencyCode: .string(placed.shippingCost.currencyCode)])
    }

    /// The server has emptied the cart; with the session, the next cart begins. The card is forgotten.
    private func finish(_ placed: OrderConfirmation) {
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
        errorMessage = "The shop could not confirm your order. "
        if cart.errorMessage != nil {
            errorMessage? += "Before you try again, look into your cart: if it is empty, the order was placed."
        } else if cart.isEmpty {
            errorMessage? += "Your cart is empty now, so it was probably placed."
        } else {
            errorMessage? += "Your cart is still full, so please try again."
        }
    }
}

extension HTTPError {
    /// Whether the server may have done what was asked of it though no answer came.
    fileprivate var leavesOutcomeOpen: Bool {
        switch reason {
        case .transport(.timedOut), .transport(.connectionLost), .transport(.other), .transport(.responseTooLarge),
            .undecodable, .status(502, _), .status(504, _):
            true
        case .status, .transport, .invalidURL: false
        }
    }
}
