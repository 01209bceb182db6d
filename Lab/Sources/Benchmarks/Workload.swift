import Astrolabe
import Foundation

/// The span of all rows: an HTTP request of the shop, with 8 attributes.
enum Workload {
    static let scope = "benchmark"
    static let batchSize = 512

    static func telemetry(
        into sink: any RecordSink, sampler: (any Sampler)? = nil,
        configure: (inout TelemetryConfiguration) -> Void = { _ in },
    ) -> Telemetry {
        var configuration = TelemetryConfiguration(serviceName: "benchmark")
        configuration.storageDirectory = FileManager.default.temporaryDirectory.appendingPathComponent(
            "astrolabe-benchmark-\(ProcessInfo.processInfo.processIdentifier)", isDirectory: true, )
        if let sampler { configuration.sampler = sampler }
        configure(&configuration)
        return Telemetry(configuration, sink: sink)
    }

    /// The bytes of one such span.
    static func encodedSpan() -> [UInt8] {
        let sink = CollectingSink()
        record(with: telemetry(into: sink).tracer(scope))
        return sink.bytes.first ?? []
    }

    @inline(__always)
    static func record(with tracer: Tracer) {
        let span = tracer.spanBuilder("GET /api/products/{id}").setSpanKind(.client).startSpan()
        span.setAttribute(key: "http.request.method", value: "GET")
        span.setAttribute(key: "url.full", value: "http://shop.example:8080/api/products/OLJCESPC7Z")
        span.setAttribute(key: "server.address", value: "shop.example")
        span.setAttribute(key: "server.port", value: 8_080)
        span.setAttribute(key: "http.response.status_code", value: 200)
        span.setAttribute(key: "demo.product.id", value: "OLJCESPC7Z")
        span.setAttribute(key: "demo.cached", value: false)
        span.setAttribute(key: "demo.product.price", value: 101.96)
        span.end()
    }
}
