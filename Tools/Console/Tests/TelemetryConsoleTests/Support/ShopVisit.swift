import AstrolabeSeededRandomness
import BrowserKit

/// A visit to the Astronomy Shop as recorded by phone and backend.
///
/// The phone's spans and events have the session id. The backend's do not, and belong to the session through their
/// traces.
struct ShopVisit {
    typealias Attributes = [(String, JSON)]

    let session: String
    let start: UInt64
    let phone: Attributes
    var phoneSpans: [OTLPBody.Span] = []
    private(set) var backendSpans: [OTLPBody.Span] = []
    private(set) var events: [OTLPBody.Event] = []
    private(set) var backendLogs: [OTLPBody.Event] = []
    private(set) var traces: [String: String] = [:]
    private var clock: UInt64 = 0
    private var lastSpan: UInt64
    private var screen = "ProductList"
    /// The attributes of every record of the phone.
    var network: Attributes = []

    static let backend: Attributes = [
        ("service.name", "shop-backend"), ("service.version", "1.0.0"), ("os.name", "linux"),
        ("telemetry.sdk.language", "swift"),
    ]

    /// - Parameters:
    ///   - number: Identifies the visit and determines its ids, 0 to 999.
    ///   - installation: Identifies the device. By default, each visit has its own.
    init(number: Int, start: UInt64, device: Device = .iPhone15Pro, installation: Int? = nil) {
        session = "7c4f0a1e-9d2b-4e57-8f30-\(String(100_000_000_000 + number))"
        self.start = start
        lastSpan = UInt64(number + 1) << 40
        phone = [
            ("service.name", "astronomy-shop"), ("service.version", "1.4.2"), ("device.manufacturer", "Apple"),
            ("device.model.identifier", .string(device.identifier)), ("device.model.name", .string(device.name)),
            ("os.name", "iOS"), ("os.version", .string(device.system)),
            ("app.installation.id", .string("5f3c2d0e-1a2b-4c3d-8e9f-\(100_000_000_000 + (installation ?? number))")),
            ("telemetry.sdk.name", "astrolabe"), ("telemetry.sdk.language", "swift"),
        ]
    }

    struct Device {
        let identifier: String
        let name: String
        let system: String

        static let iPhone15Pro = Device(identifier: "iPhone16,1", name: "iPhone 15 Pro", system: "18.1")
        static let iPhoneSE = Device(identifier: "iPhone14,6", name: "iPhone SE", system: "17.6")
        static let iPadAir = Device(identifier: "iPad14,8", name: "iPad Air", system: "18.0")
        static let iPhone12 = Device(identifier: "iPhone13,2", name: "iPhone 12", system: "16.7")
    }

    // Request bodies
    var phoneTraceBody: JSON { OTLPBody.traces(phone, phoneSpans) }
    var backendTraceBody: JSON { OTLPBody.traces(Self.backend, backendSpans) }
    var phoneLogBody: JSON { OTLPBody.logs(phone, events) }
    var backendLogBody: JSON { OTLPBody.logs(Self.backend, backendLogs) }

    // User actions

    mutating func launch() {
        event("session.start")
        event("device.app.lifecycle", [("ios.app.state", "foreground")])
        pass(180)
        browse()
    }

    mutating func browse() {
        screen = "ProductList"
        let trace = newTrace("browse")
        let root = span(
            trace, "ProductList", kind: 3, lasts: 412, [("view.name", "ProductList"), ("view.type", "swiftui")])
        span(
            trace, "ProductList.body", parent: root, after: 1, lasts: 4,
            [("view.name", "ProductList"), ("view.body.evaluation", 1)])
        let load = span(
            trace, "ProductListViewModel.loadProducts", parent: root, after: 8, lasts: 390,
            [("is_refresh", false), ("product_count", 10)])
        request(trace, "GET", "/api/products", parent: load, after: 12, lasts: 368, query: "?currencyCode=USD") {
            visit, server in
            visit.served(
                trace, "catalogue.list", parent: server, after: 9, lasts: 41,
                [("db.system.name", "sqlite"), ("db.query.text", "SELECT id, name FROM products ORDER BY id")])
            let convert = visit.served(
                trace, "currency.convert", parent: server, after: 58, lasts: 196,
                [("demo.currency.code", "USD"), ("demo.product.count", 10)])
            for index in 0..<4 {
                visit.served(
                    trace, "currency.rate", parent: convert, after: 4 + UInt64(index) * 46, lasts: 40,
                    [("demo.currency.code", .string(["EUR", "USD", "GBP", "JPY"][index]))])
            }
        }
        event("app.screen.view_did_appear", trace: trace)
        pass(3_200)
    }

    mutating func open(product: String, name: String) {
        tap("product.\(product)")
        screen = "ProductDetail"
        let trace = newTrace("detail")
        let root = span(
            trace, "ProductDetail", kind: 3, lasts: 356,
            [
                ("view.name", "ProductDetail"), ("demo.product.id", .string(product)),
                ("demo.product.name", .string(name)),
            ])
        let load = span(
            trace, "ProductDetailViewModel.load", parent: root, after: 6, lasts: 338,
            [("demo.product.id", .string(product))])
        request(trace, "GET", "/api/products/\(product)", parent: load, after: 4, lasts: 120) { visit, server in
            visit.served(
                trace, "catalogue.find", parent: server, after: 8, lasts: 22, [("demo.product.id", .string(product))])
        }
        request(
            trace, "GET", "/api/recommendations", parent: load, after: 130, lasts: 196, query: "?productIds=\(product)",
        ) { visit, server in
            visit.served(
                trace, "recommendations.rank", parent: server, after: 20, lasts: 122, [("demo.product.count", 4)])
        }
        request(trace, "GET", "/api/data", parent: load, after: 132, lasts: 88, query: "?contextKeys=telescopes")
        event("app.screen.view_did_appear", trace: trace)
        pass(5_400)
    }

    mutating func addToCart(product: String, name: String, quantity: Int) {
        tap("add_to_cart")
        let trace = newTrace("add")
        let add = span(
            trace, "CartViewModel.addProduct", lasts: 214,
            [
                ("demo.product.id", .string(product)), ("demo.product.name", .string(name)),
                ("demo.product.quantity", .integer(quantity)),
            ])
        request(trace, "POST", "/api/cart", parent: add, after: 6, lasts: 201) { visit, server in
            visit.served(
                trace, "cart.add", parent: server, after: 12, lasts: 96,
                [("demo.product.id", .string(product)), ("demo.product.quantity", .integer(quantity))])
        }
        pass(1_900)
    }

    mutating func openCart() {
        tap("cart")
        screen = "Cart"
        let trace = newTrace("cart")
        let root = span(trace, "Cart", kind: 3, lasts: 262, [("view.name", "Cart")])
        request(trace, "GET", "/api/cart", parent: root, after: 10, lasts: 240) { visit, server in
            visit.served(trace, "cart.get", parent: server, after: 10, lasts: 48)
            visit.served(
                trace, "catalogue.find", parent: server, after: 62, lasts: 70, [("demo.product.id", "OLJCESPC7Z")])
        }
        event("app.screen.view_did_appear", trace: trace)
        pass(2_600)
    }

    /// Adds an order. If `declined`, the payment and its callers fail.
    mutating func checkOut(order: String, declined: Bool) {
        tap("place_order")
        screen = "Checkout"
        let trace = newTrace(declined ? "declined" : "checkout")
        let reason = "payment service unreachable: charge timed out after 800 ms"
        let failure = declined ? "HTTP 500 Internal Server Error" : nil
        let root = span(
            trace, "CheckoutViewModel.placeOrder", lasts: declined ? 1_240 : 1_105, [("demo.cart.items.count", 2)],
            error: failure)
        let service = span(
            trace, "CheckoutAPIService.placeOrder", parent: root, after: 7, lasts: declined ? 1_222 : 1_086,
            error: failure)
        request(
            trace, "POST", "/api/checkout", parent: service, after: 5, lasts: declined ? 1_204 : 1_070,
            code: declined ? 500 : 200, error: failure,
        ) { visit, server in
            visit.served(trace, "cart.get", parent: server, after: 14, lasts: 38)
            let prices = visit.served(
                trace, "catalogue.prices", parent: server, after: 56, lasts: 118, [("demo.cart.items.count", 2)])
            visit.served(
                trace, "catalogue.find", parent: prices, after: 5, lasts: 48, [("demo.product.id", "OLJCESPC7Z")])
            visit.served(
                trace, "catalogue.find", parent: prices, after: 58, lasts: 52, [("demo.product.id", "L9ECAV7KIM")])
            visit.served(
                trace, "shipping.quote", parent: server, after: 180, lasts: 84, [("demo.shipping.amount", 17.98)])
            visit.served(
                trace, "currency.convert", parent: server, after: 268, lasts: 26, [("demo.currency.code", "EUR")])
            let charge = visit.served(
                trace, "payment.charge", parent: server, after: 300, lasts: declined ? 802 : 356,
                [("demo.payment.card_type", "visa"), ("demo.order.amount", 225.88)], error: declined ? reason : nil,
                events: declined ? [visit.exception("PaymentUnreachable", reason, after: 1_090)] : [],
            )
            guard !declined else {
                return visit.log("charge failed, the order is not placed", severity: 17, trace, charge, after: 1_104)
            }
            visit.served(
                trace, "shipping.ship", parent: server, after: 664, lasts: 210,
                [("demo.shipping.tracking.id", "AS-4711-0815")])
            visit.served(trace, "cart.empty", parent: server, after: 880, lasts: 44)
            visit.served(
                trace, "order.confirm", parent: server, after: 930, lasts: 62, [("demo.order.id", .string(order))])
            visit.log("order \(order) confirmed", severity: 9, trace, server, after: 990)
        }
        pass(4_000)
    }

    mutating func stutter() {
        event(
            "app.jank", severity: 13,
            [("app.jank.frame_count", 9), ("app.jank.period", 1.0), ("app.jank.threshold", 0.0167)])
        pass(700)
    }

    mutating func crash() {
        event(
            "app.crash", severity: 21,
            [
                ("app.crash.id", .string("crash-\(session)")), ("exception.type", "EXC_BREAKPOINT (SIGTRAP)"),
                ("exception.message", "Demo crash: 10 National Park Foundation Explorascopes in the cart"),
                (
                    "exception.stacktrace",
                    "0  AstronomyShop  CartViewModel.addProduct(_:quantity:) + 412\n1  AstronomyShop  ProductDetailView.addToCartButtonTapped() + 96\n2  SwiftUI  ButtonAction.callAsFunction() + 40",
                ),
            ],
        )
        event("session.end")
    }

    /// The current time of the visit.
    var now: UInt64 { start + clock }

    mutating func pass(_ milliseconds: UInt64) {
        clock += milliseconds * 1_000_000
    }

    // Recording

    private mutating func newTrace(_ name: String) -> String {
        lastSpan += 1
        let trace = Self.hex(Self.scattered(lastSpan)) + Self.hex(Self.scattered(lastSpan &+ 1))
        traces[name] = trace
        return trace
    }

    @discardableResult
    private mutating func span(
        _ trace: String, _ name: String, kind: Int = 1, parent: String = "", after: UInt64 = 0, lasts: UInt64,
        _ attributes: Attributes = [], error: String? = nil,
    ) -> String {
        lastSpan += 1
        let begin = (phoneSpans.first { $0.id == parent }?.start ?? start + clock) + after * 1_000_000
        phoneSpans.append(
            OTLPBody.Span(
                trace: trace, id: Self.hex(lastSpan), parent: parent, name: name, kind: kind, start: begin,
                end: begin + lasts * 1_000_000,
                attributes: [("session.id", .string(session)), ("app.screen.name", .string(screen))] + network
                    + attributes,
                error: error,
            )
        )
        return Self.hex(lastSpan)
    }

    /// Adds a request and the server span that handles it, with 24 ms of network time on each side.
    private mutating func request(
        _ trace: String, _ method: String, _ path: String, parent: String, after: UInt64, lasts: UInt64,
        query: String = "", code: Int = 200, error: String? = nil,
        _ work: (inout ShopVisit, String) -> Void = { _, _ in },
    ) {
        let client = span(
            trace, "\(method) \(path)", kind: 3, parent: parent, after: after, lasts: lasts,
            [
                ("http.request.method", .string(method)),
                ("url.full", .string("http://127.0.0.1:8080\(path)\(query)")),
                ("http.response.status_code", .integer(code)), ("server.address", "127.0.0.1"), ("server.port", 8080),
            ], error: error,
        )
        lastSpan += 1
        let server = Self.hex(lastSpan)
        let begin = (phoneSpans.last?.start ?? start) + 24_000_000
        backendSpans.append(
            OTLPBody.Span(
                trace: trace, id: server, parent: client, name: "\(method) \(path)", kind: 2, start: begin,
                end: begin + (lasts - 48) * 1_000_000,
                attributes: [
                    ("http.request.method", .string(method)), ("http.route", .string(path)),
                    ("url.path", .string(path)), ("http.response.status_code", .integer(code)),
                ], error: code >= 500 ? "HTTP \(code)" : nil,
            )
        )
        work(&self, server)
    }

    @discardableResult
    private mutating func served(
        _ trace: String, _ name: String, parent: String, after: UInt64, lasts: UInt64, _ attributes: Attributes = [],
        error: String? = nil, events: [JSON] = [],
    ) -> String {
        lastSpan += 1
        let begin = (backendSpans.first { $0.id == parent }?.start ?? start) + after * 1_000_000
        backendSpans.append(
            OTLPBody.Span(
                trace: trace, id: Self.hex(lastSpan), parent: parent, name: name, start: begin,
                end: begin + lasts * 1_000_000, attributes: attributes, events: events, error: error,
            )
        )
        return Self.hex(lastSpan)
    }

    private func exception(_ type: String, _ message: String, after: UInt64) -> JSON {
        [
            "name": "exception", "timeUnixNano": .string(String(start + clock + after * 1_000_000)),
            "attributes": OTLPBody.attributes([
                ("exception.type", .string(type)), ("exception.message", .string(message)),
            ]),
        ]
    }

    private mutating func log(_ text: String, severity: Int, _ trace: String, _ span: String, after: UInt64) {
        backendLogs.append(
            OTLPBody.Event(
                name: "", time: start + clock + after * 1_000_000, severity: severity, body: text, trace: trace,
                span: span,
            )
        )
    }

    mutating func tap(_ widget: String) {
        event("app.widget.click", [("app.widget.id", .string(widget))])
        pass(12)
    }

    mutating func event(_ name: String, severity: Int = 9, _ attributes: Attributes = [], trace: String = "") {
        events.append(
            OTLPBody.Event(
                name: name, time: start + clock, severity: severity,
                attributes: [
                    ("session.id", .string(session)), ("app.screen.name", .string(screen)),
                    ("log.record.uid", .string("\(session)-\(events.count)")),
                ] + network + attributes, trace: trace,
            )
        )
    }

    /// Returns a pseudorandom number that is the same in every run.
    private static func scattered(_ value: UInt64) -> UInt64 {
        var random = SeededGenerator(seed: value)
        return random.next()
    }

    private static func hex(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension ShopVisit {
    /// The visit that most tests use: from the product list to an order.
    static func purchase(number: Int = 1, start: UInt64 = 1_790_000_000_000_000_000) -> ShopVisit {
        var visit = ShopVisit(number: number, start: start)
        visit.launch()
        visit.open(product: "OLJCESPC7Z", name: "National Park Foundation Explorascope")
        visit.addToCart(product: "OLJCESPC7Z", name: "National Park Foundation Explorascope", quantity: 2)
        visit.stutter()
        visit.openCart()
        visit.checkOut(order: "o-1001", declined: true)
        visit.changeNetwork("cell")
        visit.checkOut(order: "o-1002", declined: false)
        visit.browse()
        return visit
    }
}
