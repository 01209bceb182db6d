import Foundation
import OpenTelemetryApi
import OpenTelemetryConcurrency
import OpenTelemetrySdk

/// opentelemetry-swift-core with its batch processors, whose exporters do nothing.
final class OpenTelemetryPeer: Peer {
    static let name = "opentelemetry-swift-core"

    private let tracer: any OpenTelemetryApi.Tracer
    private let logger: any OpenTelemetryApi.Logger
    private var counter: any LongCounter

    init() throws {
        OpenTelemetry.registerDefaultConcurrencyContextManager()
        let tracers = TracerProviderBuilder().add(spanProcessor: BatchSpanProcessor(spanExporter: NoSpans())).build()
        let loggers = LoggerProviderBuilder().with(
            processors: [BatchLogRecordProcessor(logRecordExporter: NoopLogRecordExporter.instance)]
        ).build()
        let meters = MeterProviderSdk.builder()
            .registerView(
                selector: InstrumentSelector.builder().setInstrument(name: ".*").build(), view: View.builder().build()
            )
            .registerMetricReader(
                reader: PeriodicMetricReaderBuilder(exporter: NoMetrics()).setInterval(timeInterval: 60).build()
            )
            .build()
        tracer = tracers.get(instrumentationName: "peers")
        logger = loggers.get(instrumentationScopeName: "peers")
        counter = meters.get(name: "peers").counterBuilder(name: Values.counter).build()
    }

    func span() {
        let span = tracer.spanBuilder(spanName: Values.spanName).setSpanKind(spanKind: .client).startSpan()
        Self.describe(span)
        span.end()
    }

    func withSpan() {
        tracer.spanBuilder(spanName: Values.spanName).setSpanKind(spanKind: .client).withActiveSpan {
            Self.describe($0)
        }
    }

    private static func describe(_ span: any SpanBase) {
        span.setAttribute(key: "http.request.method", value: .string("GET"))
        span.setAttribute(key: "url.full", value: .string(Values.url))
        span.setAttribute(key: "server.address", value: .string(Values.host))
        span.setAttribute(key: "server.port", value: .int(8_080))
        span.setAttribute(key: "http.response.status_code", value: .int(200))
        span.setAttribute(key: "demo.product.id", value: .string(Values.product))
        span.setAttribute(key: "demo.cached", value: .bool(false))
        span.setAttribute(key: "demo.product.price", value: .double(101.96))
    }

    func event() {
        logger.logRecordBuilder().setEventName(Values.eventName).setAttributes([
            "demo.product.id": .string("OLJCESPC7Z"), "demo.product.quantity": .int(2),
            "demo.product.price": .double(101.96), "demo.cart.is_new": .bool(false),
        ]).emit()
    }

    func measurement() {
        counter.add(
            value: 1,
            attributes: [
                "demo.payment": .string("card"), "demo.country": .string("DE"), "demo.is_new": .bool(false),
            ])
    }

    func boundMeasurement() -> Bool { false }
}

private final class NoSpans: SpanExporter {
    func export(spans: [SpanData], explicitTimeout: TimeInterval?) -> SpanExporterResultCode { .success }
    func flush(explicitTimeout: TimeInterval?) -> SpanExporterResultCode { .success }
    func shutdown(explicitTimeout: TimeInterval?) {}
    func export(spans: [SpanData], explicitTimeout: TimeInterval?) async -> SpanExporterResultCode { .success }
    func flush(explicitTimeout: TimeInterval?) async -> SpanExporterResultCode { .success }
    func shutdown(explicitTimeout: TimeInterval?) async {}
}

private final class NoMetrics: MetricExporter {
    func getAggregationTemporality(for instrument: InstrumentType) -> AggregationTemporality { .cumulative }
    func getDefaultAggregation(for instrument: InstrumentType) -> any Aggregation {
        AggregationSelector.instance.getDefaultAggregation(for: instrument)
    }
    func export(metrics: [MetricData]) -> ExportResult { .success }
    func flush() -> ExportResult { .success }
    func shutdown() -> ExportResult { .success }
    func export(metrics: [MetricData]) async -> ExportResult { .success }
    func flush() async -> ExportResult { .success }
    func shutdown() async -> ExportResult { .success }
}
