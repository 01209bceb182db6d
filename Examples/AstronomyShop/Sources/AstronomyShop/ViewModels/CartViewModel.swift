import Astrolabe
import Combine
import ShopAPI

/// The cart, which the server holds: each change is sent there, and what is shown is read back from it.
@MainActor
final class CartViewModel: ObservableObject {
    @Published private(set) var lines: [CartLine] = []
    /// What the shop no longer sells, though the cart holds it.
    @Published private(set) var unavailable: [ServerCartItem] = []
    @Published private(set) var isLoading = false
    /// Words for the person; the lines that were there before stay.
    @Published private(set) var errorMessage: String?
    /// What the last addition would set off, for the screen to ask about.
    @Published private(set) var pendingDemo: DemoTrigger?
    /// True while the slow comet is to be shown.
    @Published private(set) var showsSlowAnimation = false

    private let services: ShopServices
    private let currency: CurrencyViewModel
    private let session: SessionManager
    private let telemetry: ShopTelemetry
    private let demo: DemoPerformer
    private let itemsAdded: Counter
    private var latest = LatestLoad()
    private var workUnderWay = 0
    private var slowAnimation: Span?

    init(
        services: ShopServices, currency: CurrencyViewModel, session: SessionManager, telemetry: ShopTelemetry,
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

    /// Pieces, all lines together.
    var itemCount: Int { lines.reduce(0) { $0 + $1.quantity } }

    var isEmpty: Bool { lines.isEmpty }

    /// Prices times quantities; nil while lines are in several currencies, as during a change of currency.
    var total: Money? {
        try? Money.sum(
            lines.compactMap(\.total), currencyCode: lines.first?.product.priceUsd.currencyCode ?? currency.code,
        )
    }

    func quantity(of productID: String) -> Int {
        lines.first { $0.id == productID }?.quantity ?? 0
    }

    /// Reads the cart from the server.
    func loadCart() async {
        await work("CartViewModel.loadCart") { span in try await self.readBack(span) }
    }

    /// Adds pieces of a product, and asks about the demonstration that this sets off, if any.
    func addProduct(_ product: Product, quantity: Int = 1) async {
        guard quantity > 0 else { return }
        let attributes: Attributes = [
            DemoAttribute.productId: .string(product.id), DemoAttribute.productName: .string(product.name),
            DemoAttribute.productQuantity: AttributeValue(quantity),
            DemoAttribute.productPrice: .double(product.priceUsd.approximateValue),
            DemoAttribute.currencyCode: .string(product.priceUsd.currencyCode),
        ]
        await work("CartViewModel.addProduct", attributes: attributes) { span in
            try await self.change(product.id, by: quantity, span)
            self.telemetry.events.emit("demo.cart.product_added", attributes: attributes)
        }
    }

    /// Sets how many of a line's product there are; 0 takes it out.
    func setQuantity(_ quantity: Int, of line: CartLine) async {
        guard quantity >= 0, quantity != line.quantity else { return }
        guard quantity > 0 else { return await removeProduct(id: line.id) }
        let attributes: Attributes = [
            DemoAttribute.productId: .string(line.id),
            DemoAttribute.productQuantity: AttributeValue(quantity - line.quantity),
        ]
        await work("CartViewModel.updateQuantity", attributes: attributes) { span in
            try await self.change(line.id, by: quantity - line.quantity, span)
        }
    }

    /// Takes a product out, whether the shop still sells it or not.
    func removeProduct(id: String) async {
        let held = lines.first { $0.id == id }?.quantity ?? unavailable.first { $0.productId == id }?.quantity
        guard let held else { return }
        let attributes: Attributes = [
            DemoAttribute.productId: .string(id), DemoAttribute.productQuantity: AttributeValue(-held),
        ]
        await work("CartViewModel.removeProduct", attributes: attributes) { span in
            try await self.change(id, by: -held, span)
        }
    }

    /// Takes everything out.
    func clearCart() async {
        await work("CartViewModel.clearCart") { span in
            try await self.services.cart.emptyCart(sessionId: self.session.sessionID)
            try await self.readBack(span)
        }
    }

    /// The server has emptied the cart itself, as it does with an order.
    func wasOrdered() {
        _ = latest.begin()
        lines = []
        unavailable = []
        errorMessage = nil
    }

    private func change(_ productID: String, by quantity: Int, _ span: Span) async throws {
        let changed = try await services.cart.addItem(
            productId: productID, quantity: quantity, sessionId: session.sessionID, currencyCode: currency.code,
        )
        if quantity > 0 {
            itemsAdded.add(quantity, attributes: [DemoAttribute.productId: .string(productID)])
            let held = changed.items.first { $0.productId == productID }?.quantity ?? 0
            pendingDemo = DemoTrigger.whenAdding(productID: productID, quantityInCart: held)
            if let pendingDemo { span.setAttribute(key: "demo.trigger", value: pendingDemo.rawValue) }
        }
        try await readBack(span)
    }

    private func readBack(_ span: Span) async throws {
        let load = latest.begin()
        let cart = try await services.cart.fetchCart(sessionId: session.sessionID, currencyCode: currency.code)
        let (lines, unavailable) = try await resolve(cart)
        span.setAttribute(key: DemoAttribute.cartItemCount, value: cart.itemCount)
        guard latest.isNewest(load) else { return }
        self.lines = lines
        self.unavailable = unavailable
        if let total { span.setAttribute(key: DemoAttribute.cartTotal, value: total.approximateValue) }
        span.setAttribute(key: DemoAttribute.currencyCode, value: currency.code)
    }

    /// Gives each item its product: the server's, or the catalogue's where the server left it out.
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

    /// All at once; those that the shop does not sell are left out.
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

    /// Runs a piece of work in its span, and turns what goes wrong into words.
    private func work(_ name: String, attributes: Attributes = [:], _ body: (Span) async throws -> Void) async {
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

// The demonstrations: decided above, agreed to by the person, recorded, and only then performed.
extension CartViewModel {
    /// The person agreed: says in telemetry what is about to happen and why, and does it.
    ///
    /// - Parameter trigger: What was asked about; a screen may have taken its question down before it reports the
    /// answer.
    func confirmDemo(_ trigger: DemoTrigger) {
        pendingDemo = nil
        var attributes: Attributes = [
            "demo.trigger": .string(trigger.rawValue), "demo.trigger.cause": .string(trigger.cause),
        ]
        if let duration = trigger.duration { attributes["demo.trigger.duration"] = .double(duration.inSeconds) }
        telemetry.events.emit(trigger.eventName, severity: .warn, attributes: attributes)
        let duration = trigger.duration ?? .zero
        switch trigger {
        case .crash: demo.crash()
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

    /// The person would rather not.
    func declineDemo() {
        pendingDemo = nil
    }

    /// The animation is over, or the person has left it.
    func slowAnimationEnded() {
        showsSlowAnimation = false
        slowAnimation?.end()
        slowAnimation = nil
    }
}
