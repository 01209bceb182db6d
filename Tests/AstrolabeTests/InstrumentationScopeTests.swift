import Astrolabe
import AstrolabeTelemetryModel
import AstrolabeTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Instrumentation scopes` {
    private static let schema = "https://opentelemetry.io/schemas/1.30.0"

    @Test func `have what the app says of them, in spans, log records and metrics`() async throws {
        let collector = TelemetryCollector()
        let telemetry = collector.start(TelemetryConfiguration(serviceName: "shop"))
        let attributes: Attributes = ["demo.part": "cart"]
        telemetry.tracer("cart", version: "2", schemaURL: Self.schema, attributes: attributes)
            .withSpan("add") { _ in }
        telemetry.logger("cart", version: "2", schemaURL: Self.schema, attributes: attributes).emit("demo.added")
        telemetry.meter("cart", version: "2", schemaURL: Self.schema, attributes: attributes)
            .counter("demo.items").add(1)
        telemetry.tracer("cart").withSpan("remove") { _ in }
        await telemetry.flush()
        let scope = InstrumentationScope(name: "cart", version: "2", schemaURL: Self.schema, attributes: attributes)
        #expect(try #require(collector.spans(named: "add").first).scope == scope)
        #expect(try #require(collector.events(named: "demo.added").first).scope == scope)
        #expect(try #require(collector.metrics(named: "demo.items").first).scope == scope)
        #expect(try #require(collector.spans(named: "remove").first).scope == InstrumentationScope(name: "cart"))
        await telemetry.shutdown()
    }
}
