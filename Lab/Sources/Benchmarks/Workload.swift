import Astrolabe
import AstrolabeRecording
import AstrolabeTelemetryModel
import AstrolabeWire
import Foundation

/// The span of all rows: an HTTP request of the shop, with 8 attributes.
enum Workload {
    static let scope = "benchmark"
    private static let name = "GET /api/products/{id}"
    static let batchSize = 512

    static func telemetry(
        into sink: any RecordSink, sampler: (any Sampler)? = nil,
        configure: (inout TelemetryConfiguration) -> Void = { _ in },
    ) -> Telemetry {
        var configuration = TelemetryConfiguration(serviceName: "benchmark")
        configuration.storageDirectory = FileManager.default.temporaryDirectory.appendingPathComponent(
            "astrolabe-benchmark-\(ProcessInfo.processInfo.processIdentifier)", isDirectory: true)
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

    /// A request of such spans, with ids of their own.
    ///
    /// - Parameter trace: The number of spans of each trace: a root and its children.
    static func request(spans: Int = batchSize, trace: Int = 1) -> [UInt8] {
        let sink = CollectingSink()
        let tracer = telemetry(into: sink, sampler: AlwaysOnSampler()).tracer(scope)
        for start in stride(from: 0, to: spans, by: trace) {
            let root = tracer.spanBuilder(name).setSpanKind(.client).startSpan()
            for _ in 1..<max(1, min(trace, spans - start)) {
                end(tracer.spanBuilder(name).setSpanKind(.client).setParent(root).startSpan())
            }
            end(root)
        }
        return ExportRequest.build(
            resource: EncodedResource(Resource(attributes: ["service.name": "benchmark"])),
            scopes: [(EncodedScope(InstrumentationScope(name: scope)), sink.records)])
    }

    /// - Parameter note: The value of one more attribute.
    @inline(__always)
    static func record(with tracer: Tracer, note: String? = nil) {
        end(tracer.spanBuilder(name).setSpanKind(.client).startSpan(), note: note)
    }

    /// Ends a span with the attributes of all.
    @inline(__always)
    private static func end(_ span: Tracer.Span, note: String? = nil) {
        span.setAttribute("http.request.method", "GET")
        span.setAttribute("url.full", "http://shop.example:8080/api/products/OLJCESPC7Z")
        span.setAttribute("server.address", "shop.example")
        span.setAttribute("server.port", 8_080)
        span.setAttribute("http.response.status_code", 200)
        span.setAttribute("demo.product.id", "OLJCESPC7Z")
        span.setAttribute("demo.cached", false)
        span.setAttribute("demo.product.price", 101.96)
        if let note { span.setAttribute("demo.note", note) }
        span.end()
    }
}
