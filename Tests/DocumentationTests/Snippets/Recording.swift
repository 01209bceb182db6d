import Astrolabe
import AstrolabeHTTP
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// snippet: nested-spans
struct Cart {
    var count = 0
}

struct OrderService {
    let telemetry: Telemetry

    func placeOrder(_ cart: Cart) async throws {
        let tracer = telemetry.tracer("checkout")
        try await tracer.withSpan("place order") { span in
            span.setAttribute("cart.items", cart.count)
            try await tracer.withSpan("charge card") { _ in
                try await charge(cart)  // An error that leaves the closure marks both spans as failed.
            }
        }
    }

    func charge(_ cart: Cart) async throws {}
}
// snippet: end

extension OrderService {
    func recordOthers() {
        // snippet: events-and-metrics
        telemetry.logger("checkout").emit("order.placed", attributes: ["order.total": 57.08])
        telemetry.meter("checkout").counter("orders").add(1)
        telemetry.addBreadcrumb("opened the cart", category: "navigation")
        // snippet: end
    }
}

// snippet: http-client
struct ProductAPI {
    let client: TracedHTTPClient

    init(telemetry: Telemetry) {
        client = TracedHTTPClient(telemetry, allowedHosts: ["api.example.com"])
    }

    func product(at url: URL) async throws -> Data {
        try await client.send(URLRequest(url: url), template: "/products/{id}").body
    }
}
// snippet: end

// snippet: http-traced-session
struct CatalogAPI {
    let session: TracedURLSession

    init(telemetry: Telemetry) {
        session = TracedURLSession(telemetry, allowedHosts: ["api.example.com"])
    }

    func product(_ request: URLRequest) async throws -> Data {
        try await session.data(for: request, template: "/products/{id}").0
    }

    func upload(_ photo: URL, _ request: URLRequest) {
        let task = session.uploadTask(with: request, fromFile: photo, template: "/photos") { _, _, error in
            if let error { print("The upload failed: \(error)") }
        }
        task.resume()
    }
}
// snippet: end

// snippet: http-own-session
func load(_ request: URLRequest, by session: URLSession, tracing: HTTPTracing) async throws -> Data {
    let (data, _) = try await tracing.trace(request, template: "/products/{id}") { request, _ in
        try await session.data(for: request)
    }
    return data
}
// snippet: end

func migrate(_ telemetry: Telemetry) {
    // snippet: span-builder
    let span = telemetry.tracer("checkout").startSpan("place order", attributes: ["cart.items": 3])
    span.end()
    // snippet: end
}
