import Astrolabe
import Foundation

/// Astrolabe with a session that is sampled in. It writes to its journal on disk.
struct AstrolabePeer: Peer {
    static let name = "Astrolabe"

    private let tracer: Tracer
    private let logger: EventLogger
    private let counter: Meter.Counter
    private let bound: Meter.BoundCounter

    init() throws {
        var configuration = TelemetryConfiguration(serviceName: "peers")
        // No collector: as with the others, nothing is sent.
        configuration.endpoint = nil
        configuration.sampler = AlwaysOnSampler()
        configuration.storageDirectory = Self.folder(of: ProcessInfo.processInfo.processIdentifier)
        let telemetry = Telemetry.start(configuration)
        tracer = telemetry.tracer("peers")
        logger = telemetry.logger("peers")
        counter = telemetry.meter("peers").counter(Values.counter)
        bound = counter.bound(to: ["demo.payment": "card", "demo.country": "DE", "demo.is_new": false])
    }

    /// The folder of a process, which the process that has started it removes.
    static func folder(of process: Int32) -> URL {
        FileManager.default.temporaryDirectory.appendingPathComponent("astrolabe-peers-\(process)", isDirectory: true)
    }

    func span() {
        let span = tracer.spanBuilder(Values.spanName).setSpanKind(.client).startSpan()
        Self.describe(span)
        span.end()
    }

    func withSpan() {
        tracer.withSpan(Values.spanName, kind: .client) { Self.describe($0) }
    }

    @inline(__always)
    private static func describe(_ span: Tracer.Span) {
        span.setAttribute("http.request.method", "GET")
        span.setAttribute("url.full", Values.url)
        span.setAttribute("server.address", Values.host)
        span.setAttribute("server.port", 8_080)
        span.setAttribute("http.response.status_code", 200)
        span.setAttribute("demo.product.id", Values.product)
        span.setAttribute("demo.cached", false)
        span.setAttribute("demo.product.price", 101.96)
    }

    func event() {
        logger.emit(
            Values.eventName,
            attributes: [
                "demo.product.id": "OLJCESPC7Z", "demo.product.quantity": 2, "demo.product.price": 101.96,
                "demo.cart.is_new": false,
            ])
    }

    func measurement() {
        counter.add(1, attributes: ["demo.payment": "card", "demo.country": "DE", "demo.is_new": false])
    }

    func boundMeasurement() -> Bool {
        bound.add(1)
        return true
    }
}
