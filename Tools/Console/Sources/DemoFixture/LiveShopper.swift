import AstrolabeTelemetryModel
import BrowserKit

/// Trips of the shopper that runs beside a demo, in the proportions of the real one.
///
/// A trip begins every 19 seconds. Each has one refused card and one order.
struct LiveShopper: Sendable {
    private static let interval: UInt64 = 19_000_000_000
    private static let currencies = ["EUR", "GBP", "JPY", "CHF", "CAD", "AUD", "SEK", "INR"]
    private static let phones = [
        ("iPhone16,1", "iPhone 15 Pro", "18.7"), ("iPhone14,6", "iPhone SE (3rd generation)", "17.6"),
        ("iPhone17,3", "iPhone 16", "26.0"),
    ]

    private var number: UInt64 = 0
    private var time: UInt64

    /// - Parameter start: The first trip, in nanoseconds since 1970.
    init(start: UInt64) { time = start }

    /// Returns the trips until a time, as bodies of requests.
    mutating func trips(until end: UInt64) -> [JSON] {
        var bodies: [JSON] = []
        while time + Self.interval <= end { bodies.append(trip()) }
        return bodies
    }

    /// Returns the next trip.
    mutating func trip() -> JSON {
        defer {
            number += 1
            time += Self.interval
        }
        let (model, name, system) = Self.phones[Int(number % 3)]
        return OTLPBody.traces(
            [
                ("service.name", "astronomy-shop"), ("service.version", "1.0.0"), ("os.name", "iOS"),
                ("os.version", .string(system)), ("device.model.identifier", .string(model)),
                ("device.model.name", .string(name)), ("telemetry.sdk.name", "astrolabe"),
                ("app.installation.id", .string("00000000-0000-4000-8000-00000000000\(number % 3)")),
            ],
            (0..<12).map { browse($0) } + [
                order(
                    12, card: "American Express", error: "HTTP 400",
                    [("error.type", "400"), ("demo.order.failure.reason", "payment_refused")]),
                order(13, card: "VISA", error: nil, [("demo.order.id", .string("o-\(number)"))]),
            ])
    }

    private func browse(_ step: UInt64) -> OTLPBody.Span {
        span(step, "GET /api/products", kind: 3, [("http.request.method", "GET"), ("url.template", "/api/products")])
    }

    private func order(
        _ step: UInt64, card: String, error: String?, _ more: [(String, JSON)],
    ) -> OTLPBody.Span {
        let currency = Self.currencies[Int(number % 8)]
        return span(
            step, "CheckoutViewModel.placeOrder",
            [("demo.currency.code", .string(currency)), ("demo.payment.card_type", .string(card))] + more,
            error: error)
    }

    private func span(
        _ step: UInt64, _ name: String, kind: Int = 1, _ attributes: [(String, JSON)], error: String? = nil,
    ) -> OTLPBody.Span {
        let start = time + step * 1_200_000_000
        return OTLPBody.Span(
            trace: TraceID(high: number << 8 | step | 1 << 62, low: step + 1).hex,
            id: SpanID(number << 8 | step + 1).hex,
            name: name, kind: kind, start: start, end: start + 80_000_000,
            attributes: [("session.id", .string("shopper-\(number)"))] + attributes, error: error)
    }
}
