import Astrolabe
import AstrolabePlatform
import AstrolabeTelemetryModel
import AstrolabeTesting
import Testing

struct TelemetryCollectorTests {
    private let collector = TelemetryCollector()

    @Test func `what the app records is found by name, with its attributes, resource and scope`() async throws {
        let telemetry = collector.start(TelemetryConfiguration(serviceName: "shop"))
        telemetry.tracer("cart", version: "2").withSpan("add to cart", attributes: ["demo.product.quantity": 3]) { _ in
        }
        telemetry.logger("cart").emit("demo.added", attributes: ["demo.product.id": "OLJCESPC7Z"])
        telemetry.meter("cart").counter("demo.items").add(2)
        telemetry.meter("cart").counter("demo.items").add(3)
        await telemetry.flush()
        let span = try #require(collector.spans(named: "add to cart").first)
        #expect(span.attributes["demo.product.quantity"] == 3)
        #expect(span.resource.attributes["service.name"] == "shop")
        #expect(span.scope == InstrumentationScope(name: "cart", version: "2"))
        #expect(collector.events(named: "demo.added").map { $0.attributes["demo.product.id"] } == ["OLJCESPC7Z"])
        #expect(collector.total(ofCounter: "demo.items") == 5)
        #expect(collector.spans(named: "remove from cart").isEmpty)
    }

    @Test func `a trace is a tree, and its text is the expectation`() async throws {
        let telemetry = collector.start(TelemetryConfiguration(serviceName: "shop"))
        let tracer = telemetry.tracer("shop")
        tracer.withSpan("checkout") { _ in
            tracer.withSpan("charge") { _ in
                tracer.withSpan("POST") { _ in telemetry.logger("shop").emit("demo.charged") }
            }
            tracer.withSpan("ship") { _ in }
        }
        tracer.withSpan("home") { _ in }
        await telemetry.flush()
        #expect(collector.traces.map(\.description) == ["checkout\n  charge\n    POST\n  ship", "home"])
        let root = try #require(collector.spans(named: "checkout").first)
        #expect(collector.children(of: root).map(\.name) == ["charge", "ship"])
        let post = try #require(collector.spans(named: "POST").first)
        #expect(collector.events(of: post).map(\.eventName) == ["demo.charged"])
        #expect(collector.description.contains("    charge"))
    }

    @Test func `a span whose parent has not come stands at the top`() async {
        let telemetry = collector.start(TelemetryConfiguration(serviceName: "shop"))
        let parent = telemetry.tracer("shop").spanBuilder("never ends").startSpan()
        telemetry.tracer("shop").spanBuilder("child").setParent(parent).startSpan().end()
        await telemetry.flush()
        #expect(collector.traces.map(\.description) == ["child"])
    }

    @Test func `what comes twice is held once`() async {
        let telemetry = collector.start(TelemetryConfiguration(serviceName: "shop"))
        collector.network.answerNext(.answerLost)
        telemetry.tracer("shop").withSpan("work") { _ in }
        await telemetry.flush()
        await telemetry.flush()
        #expect(collector.spans(named: "work").count == 1)
        #expect(collector.repetitionCount > 0)
    }

    @Test func `a second start is the next launch of the same app, which sends what the first has left`() async {
        collector.network.goOffline()
        let first = collector.start(TelemetryConfiguration(serviceName: "shop"))
        first.tracer("shop").withSpan("before") { _ in }
        #expect(await first.shutdown(timeout: .milliseconds(100)).ledger.pending > 0)
        collector.network.goOnline()
        let second = collector.start(TelemetryConfiguration(serviceName: "shop"))
        #expect(await second.flush().ledger.pending == 0)
        #expect(collector.spans(named: "before").count == 1)
        #expect(second.installationID == first.installationID)
    }

    @Test func `two collectors know nothing of each other, nor of the shared telemetry`() async {
        let other = TelemetryCollector()
        let telemetry = collector.start(TelemetryConfiguration(serviceName: "shop"))
        telemetry.tracer("shop").withSpan("work") { _ in }
        await telemetry.flush()
        #expect(other.spans.isEmpty)
        #expect(Telemetry.shared !== telemetry)
        collector.reset()
        #expect(collector.spans.isEmpty)
    }
}
