import Astrolabe
import ShopAPI

/// Performs the steps of a user with the app's view models.
///
/// Each step is the root span of its own trace, as a tap is. A step that shows an error is retried.
@MainActor
final class Shopper {
    private let shop: ShopModel
    private let clock: any Clock<Duration>
    private let thinkTime: ClosedRange<Duration>
    private var random: TripRandomness
    private let sessionID: String
    private var detail: ProductDetailViewModel?
    private var records: [TripSummary.Step] = []
    private var refusedTraceID = ""

    private static let attempts = 3

    init(shop: ShopModel, clock: any Clock<Duration>, thinkTime: ClosedRange<Duration>, seed: UInt64) {
        self.shop = shop
        self.clock = clock
        self.thinkTime = thinkTime
        random = TripRandomness(seed: ~seed)
        sessionID = shop.session.sessionID
    }

    /// - Throws: `TripError`, or `CancellationError`.
    func take(_ plan: TripPlan) async throws -> TripSummary {
        for step in plan.steps {
            try await attempt(step)
        }
        guard let order = shop.checkout.confirmation, let total = order.total, let last = records.last else {
            throw TripError.gaveUp(
                step: "order", attempts: 1, message: shop.checkout.errorMessage ?? "no confirmation was shown",
            )
        }
        return TripSummary(
            orderID: order.orderID, trackingID: order.trackingID, total: total, itemCount: order.itemCount,
            sessionID: sessionID, nextSessionID: shop.session.sessionID, checkoutTraceID: last.traceID,
            refusedTraceID: refusedTraceID, steps: records,
        )
    }

    private func attempt(_ step: TripStep) async throws {
        var message = ""
        for _ in 1...Self.attempts {
            try await think()
            var errorMessage: String?
            var traceID = ""
            try await shop.telemetry.userAction(step.widget, id: step.widgetID) { span in
                traceID = span.context.traceID.hex
                if let screen = step.screen { self.shop.telemetry.setScreen(screen.name, screen.id) }
                errorMessage = try await self.perform(step)
            }
            try Task.checkCancellation()
            records.append(
                TripSummary.Step(name: "tap \(step.widget)", traceID: traceID, errorMessage: errorMessage))
            if case .payWithRefusedCard = step, isRefused {
                refusedTraceID = traceID
                return
            }
            guard let errorMessage else { return }
            message = errorMessage
        }
        throw TripError.gaveUp(step: step.widget, attempts: Self.attempts, message: message)
    }

    /// The shop responded, but not with an order.
    private var isRefused: Bool {
        let failure = shop.checkout.failure
        return failure is CheckoutRefusal || (failure as? HTTPError)?.status != nil
    }

    private func think() async throws {
        let milliseconds = (thinkTime.lowerBound / .milliseconds(1))...(thinkTime.upperBound / .milliseconds(1))
        let pause = Duration.milliseconds(Double.random(in: milliseconds, using: &random))
        if pause > .zero { try await clock.sleep(for: pause) }
    }

    /// Performs the step and returns the error message on the screen, if any.
    private func perform(_ step: TripStep) async throws -> String? {
        switch step {
        case .openShop: return await openShop()
        case .changeCurrency(let code): return await changeCurrency(to: code)
        case .openProduct(let choice):
            return await openProduct(try Self.pick(choice, of: shop.productList.products, step))
        case .openRecommendation(let choice):
            guard let recommended = detail?.recommendations, !recommended.isEmpty else { return nil }
            return await openProduct(try Self.pick(choice, of: recommended, step))
        case .addToCart(let quantity): return await addToCart(quantity, step)
        case .openCart:
            await shop.cart.loadCart()
            return shop.cart.errorMessage
        case .changeQuantity(let choice, let difference):
            let line = try Self.pick(choice, of: shop.cart.lines, step)
            await shop.cart.setQuantity(line.quantity + difference, of: line)
            return shop.cart.errorMessage
        case .startCheckout:
            await shop.checkout.startCheckout()
            return shop.cart.errorMessage ?? quoteMessage
        case .fillInAddress(let address): return await fillIn(address)
        case .payWithRefusedCard: return try await payWithRefusedCard()
        case .payWithAcceptedCard:
            shop.checkout.payment = .testData(at: shop.now())
            await shop.checkout.placeOrder()
            return shop.checkout.errorMessage
        }
    }

    private func openShop() async -> String? {
        await shop.currency.loadCurrencies()
        await shop.productList.loadProducts()
        await shop.cart.loadCart()
        return shop.currency.errorMessage ?? shop.productList.errorMessage ?? shop.cart.errorMessage
    }

    private func changeCurrency(to code: String) async -> String? {
        if let currency = shop.currency.currencies.first(where: { $0.code == code }) {
            await shop.currency.select(currency)
        }
        return shop.productList.errorMessage ?? shop.cart.errorMessage
    }

    private func openProduct(_ product: Product) async -> String? {
        let detail = shop.productDetail(id: product.id, product: product)
        await detail.loadProduct()
        if detail.errorMessage == nil { self.detail = detail }
        return detail.errorMessage
    }

    /// Declines demonstrations, because a trip must end with an order.
    private func addToCart(_ quantity: Int, _ step: TripStep) async -> String? {
        guard let product = detail?.product else { return nil }
        await shop.cart.addProduct(product, quantity: quantity)
        shop.cart.declineDemo()
        return shop.cart.errorMessage
    }

    private func fillIn(_ address: ShippingInfo) async -> String? {
        shop.checkout.shipping = address
        if case .failed = shop.checkout.quote { await shop.checkout.retryQuote() }
        await shop.checkout.quoteSettled()
        return quoteMessage
    }

    private func payWithRefusedCard() async throws -> String? {
        shop.checkout.payment = .refusedTestData(at: shop.now())
        await shop.checkout.placeOrder()
        if let order = shop.checkout.confirmation { throw TripError.refusedCardWasAccepted(orderID: order.orderID) }
        return shop.checkout.errorMessage
    }

    private var quoteMessage: String? {
        if case .failed(let message) = shop.checkout.quote { message } else { nil }
    }

    private static func pick<Element>(_ choice: Int, of elements: [Element], _ step: TripStep) throws -> Element {
        guard !elements.isEmpty else { throw TripError.nothingThere(step: step.widget) }
        return elements[choice % elements.count]
    }
}
