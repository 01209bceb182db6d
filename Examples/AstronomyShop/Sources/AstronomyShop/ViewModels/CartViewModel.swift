import Astrolabe
import Combine
import ShopAPI

/// The model of the cart, which is stored on the server. Each change is sent there, and the cart is read back.
@MainActor
final class CartViewModel: ObservableObject {
    @Published private(set) var lines: [CartLine] = []
    /// Items in the cart that the shop no longer sells.
    @Published private(set) var unavailable: [ServerCartItem] = []
    @Published private(set) var isLoading = false
    /// A message for the user. The lines that were shown before stay.
    @Published private(set) var errorMessage: String?
    /// The demonstration that the last addition triggers, which the screen asks about.
    @Published private(set) var pendingDemo: DemoTrigger?
    /// True if the slow comet animation is shown.
    @Published private(set) var showsSlowAnimation = false

    private let services: AppServices
    private let currency: CurrencyViewModel
    private let session: SessionManager
    private let telemetry: ShopTelemetry
    private let demo: DemoPerformer
    private let itemsAdded: Meter.Counter
    private var latest = LatestLoad()
    private var workUnderWay = 0
    private var slowAnimation: Tracer.Span?

    init(
        services: AppServices, currency: CurrencyViewModel, session: SessionManager, telemetry: ShopTelemetry,
        demo: DemoPerformer,
    ) {
        self.services = services
        self.currency = currency
        self.session = session
        self.telemetry = telemetry
        self.demo = demo
        itemsAdded = telemetry.meter.counter(
            "demo.cart.items.added", unit: "{item}", description: "Pieces put into the cart",
        )
        currency.notify(self)
    }

    /// The number of pieces in all lines.
    var itemCount: Int { lines.reduce(0) { $0 + $1.quantity } }

    var isEmpty: Bool { lines.isEmpty }

    /// The sum of all lines; `nil` while they have several currencies, as during a change of currency.
    var total: Money? {
        try? Money.sum(
            lines.compactMap(\.total), currencyCode: lines.first?.product.priceUsd.currencyCode ?? currency.code,
        )
    }

    /// Pieces, amount and currency, for telemetry.
    var attributes: Attributes {
        var attributes: Attributes = [
            DemoAttribute.currencyCode: currency.code, DemoAttribute.cartItemCount: AttributeValue(itemCount),
        ]
        if let total { attributes[DemoAttribute.cartAmount] = .double(total.approximateValue) }
        return attributes
    }

    func quantity(of productID: String) -> Int {
        lines.first { $0.id == productID }?.quantity ?? 0
    }

    /// Reads the cart from the server.
    func loadCart() async {
        await work("CartViewModel.loadCart") { span in try await self.readBack(span) }
    }

    /// Adds pieces of a product, and asks about the demonstration that this triggers, if any.
    func addProduct(_ product: Product, quantity: Int = 1) async {
        guard quantity > 0 else { return }
        let attributes = addition(of: product, quantity: quantity)
        await work("CartViewModel.addProduct", attributes: attributes) { span in
            try await self.change(product.id, by: quantity, span)
            self.announce(attributes)
        }
    }

    /// Sets the quantity of a line; 0 removes the line.
    func setQuantity(_ quantity: Int, of line: CartLine) async {
        guard quantity >= 0, quantity != line.quantity else { return }
        guard quantity > 0 else { return await removeProduct(id: line.id) }
        let attributes: Attributes = [
            DemoAttribute.productId: line.id,
            DemoAttribute.productQuantity: AttributeValue(quantity - line.quantity),
        ]
        await work("CartViewModel.updateQuantity", attributes: attributes) { span in
            try await self.change(line.id, by: quantity - line.quantity, span)
            guard quantity > line.quantity else { return }
            self.announce(self.addition(of: line.product, quantity: quantity - line.quantity))
        }
    }

    /// Removes a product, whether the shop still sells it or not.
    func removeProduct(id: String) async {
        let held = lines.first { $0.id == id }?.quantity ?? unavailable.first { $0.productId == id }?.quantity
        guard let held else { return }
        let attributes: Attributes = [
            DemoAttribute.productId: id, DemoAttribute.productQuantity: -held,
        ]
        await work("CartViewModel.removeProduct", attributes: attributes) { span in
            try await self.change(id, by: -held, span)
        }
    }

    /// Empties the cart.
    func clearCart() async {
        await work("CartViewModel.clearCart") { span in
            try await self.services.cart.emptyCart(sessionId: self.session.sessionID)
            try await self.readBack(span)
        }
    }

    /// Clears the lines after an order, because the server has emptied the cart.
    func wasOrdered() {
        _ = latest.begin()
        lines = []
        unavailable = []
        errorMessage = nil
    }

    private func addition(of product: Product, quantity: Int) -> Attributes {
        [
            DemoAttribute.productId: product.id, DemoAttribute.productName: product.name,
            DemoAttribute.productQuantity: AttributeValue(quantity),
            DemoAttribute.productPrice: product.priceUsd.approximateValue,
            DemoAttribute.currencyCode: product.priceUsd.currencyCode,
        ]
    }

    /// Records an addition with the cart as it is after it.
    private func announce(_ addition: Attributes) {
        telemetry.events.emit(ShopEvent.cartProductAdded, attributes: addition.merging(attributes))
    }

    private func change(_ productID: String, by quantity: Int, _ span: Tracer.Span) async throws {
        let changed = try await services.cart.addItem(
            productId: productID, quantity: quantity, sessionId: session.sessionID, currencyCode: currency.code,
        )
        if quantity > 0 {
            itemsAdded.add(quantity, attributes: [DemoAttribute.productId: productID])
            let held = changed.items.first { $0.productId == productID }?.quantity ?? 0
            pendingDemo = DemoTrigger.whenAdding(
                productID: productID, quantity: quantity, quantityInCart: held)
            if let pendingDemo { span.setAttribute("demo.trigger", pendingDemo.rawValue) }
        }
        try await readBack(span)
    }

    private func readBack(_ span: Tracer.Span) async throws {
        let load = latest.begin()
        let cart = try await services.cart.fetchCart(sessionId: session.sessionID, currencyCode: currency.code)
        let (lines, unavailable) = try await resolve(cart)
        span.setAttribute(DemoAttribute.cartItemCount, cart.itemCount)
        guard latest.isNewest(load) else { return }
        self.lines = lines
        self.unavailable = unavailable
        if let total { span.setAttribute(DemoAttribute.cartAmount, total.approximateValue) }
        span.setAttribute(DemoAttribute.currencyCode, currency.code)
    }

    /// Adds the product to each item: from the response, or from the list of products if it is missing there.
    private func resolve(_ cart: ServerCart) async throws -> (lines: [CartLine], unavailable: [ServerCartItem]) {
        let missing = cart.items.filter { $0.product == nil }.map(\.productId)
        let fetched = try await fetch(missing)
        var lines: [CartLine] = []
        var unavailable: [ServerCartItem] = []
        for item in cart.items {
            if let product = item.product ?? fetched[item.productId] {
                lines.append(CartLine(product: product, quantity: item.quantity))
            } else {
                unavailable.append(item)
            }
        }
        return (lines, unavailable)
    }

    /// Loads products concurrently, without those that the shop does not sell.
    private func fetch(_ ids: [String]) async throws -> [String: Product] {
        let (products, code) = (services.products, currency.code)
        return try await withThrowingTaskGroup(of: Product?.self) { group in
            for id in ids {
                group.addTask {
                    do {
                        return try await products.fetchProduct(id: id, currencyCode: code)
                    } catch is NoSuchProduct {
                        return nil
                    }
                }
            }
            var fetched: [String: Product] = [:]
            for try await product in group { if let product { fetched[product.id] = product } }
            return fetched
        }
    }

    /// Runs work in a span, and converts an error to a message.
    private func work(_ name: String, attributes: Attributes = [:], _ body: (Tracer.Span) async throws -> Void) async {
        workUnderWay += 1
        isLoading = true
        defer {
            workUnderWay -= 1
            isLoading = workUnderWay > 0
        }
        do {
            try await telemetry.span(name, attributes: attributes, body)
            errorMessage = nil
        } catch {
            if !error.isCancellation { errorMessage = error.messageForPerson }
        }
    }
}

extension CartViewModel: CurrencyDependent {
    func currencyDidChange() async {
        if !lines.isEmpty { await loadCart() }
    }
}

// Demonstrations: triggered above, confirmed by the user, recorded, and then performed.
extension CartViewModel {
    /// Records and performs the demonstration that the user has confirmed.
    ///
    /// - Parameter trigger: The demonstration that was asked about. The screen may already have dismissed its question.
    func confirmDemo(_ trigger: DemoTrigger) {
        pendingDemo = nil
        let attributes = trigger.attributes
        telemetry.events.emit(trigger.eventName, severity: .warn, attributes: attributes)
        let duration = trigger.duration ?? .zero
        switch trigger {
        case .crash: telemetry.tracer.withSpan("demo.crash", attributes: attributes) { _ in demo.crash() }
        case .hang: telemetry.tracer.withSpan("demo.hang", attributes: attributes) { _ in demo.hang(duration) }
        case .cpuBurn:
            telemetry.tracer.withSpan("demo.cpu_burn", attributes: attributes) { _ in demo.burnCPU(duration) }
        case .metricsPayload: demo.sendMetricsPayload()
        case .slowAnimation:
            slowAnimation = telemetry.tracer.spanBuilder("demo.slow_animation").startSpan()
            slowAnimation?.setAttributes(attributes)
            showsSlowAnimation = true
        }
    }

    /// Dismisses the question without a demonstration.
    func declineDemo() {
        pendingDemo = nil
    }

    /// Ends the animation.
    func slowAnimationEnded() {
        showsSlowAnimation = false
        slowAnimation?.setStatus(.ok)
        slowAnimation?.end()
        slowAnimation = nil
    }
}
