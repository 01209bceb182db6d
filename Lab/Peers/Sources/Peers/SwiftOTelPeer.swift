import CoreMetrics
import Logging
import OTel
import ServiceLifecycle
import Tracing

/// swift-otel with its batch processors, whose exporters do nothing. Its services run in a task.
struct SwiftOTelPeer: Peer {
    static let name = "swift-otel"

    private let tracer: any Tracing.Tracer
    private let logger: Logging.Logger
    private let metrics: any MetricsFactory
    private let bound: Counter

    init() throws {
        var configuration = OTel.Configuration.default
        configuration.traces.exporter = .none
        configuration.logs.exporter = .none
        configuration.metrics.exporter = .none
        let traces = try OTel.makeTracingBackend(configuration: configuration)
        let logs = try OTel.makeLoggingBackend(configuration: configuration)
        let measurements = try OTel.makeMetricsBackend(configuration: configuration)
        for service in [traces.service, logs.service, measurements.service] as [any Service] {
            Task { try await service.run() }
        }
        tracer = traces.factory
        logger = Logging.Logger(label: "peers") { logs.factory($0) }
        metrics = measurements.factory
        bound = Counter(label: Values.counter, dimensions: Self.dimensions, factory: metrics)
    }

    private static let dimensions = [("demo.payment", "card"), ("demo.country", "DE"), ("demo.is_new", "false")]

    func span() {
        let span = tracer.startAnySpan(Values.spanName, ofKind: .client)
        Self.describe(span)
        span.end()
    }

    func withSpan() {
        tracer.withAnySpan(Values.spanName, ofKind: .client) { Self.describe($0) }
    }

    private static func describe(_ span: any Tracing.Span) {
        span.updateAttributes {
            $0["http.request.method"] = "GET"
            $0["url.full"] = Values.url
            $0["server.address"] = Values.host
            $0["server.port"] = 8_080
            $0["http.response.status_code"] = 200
            $0["demo.product.id"] = Values.product
            $0["demo.cached"] = false
            $0["demo.product.price"] = 101.96
        }
    }

    func event() {
        logger.info(
            "\(Values.eventName)",
            metadata: [
                "demo.product.id": "OLJCESPC7Z", "demo.product.quantity": "2", "demo.product.price": "101.96",
                "demo.cart.is_new": "false",
            ])
    }

    func measurement() {
        Counter(label: Values.counter, dimensions: Self.dimensions, factory: metrics).increment()
    }

    func boundMeasurement() -> Bool {
        bound.increment()
        return true
    }
}
