import Astrolabe
import AstrolabeTesting
import Testing

/// Texts that must not leave the device, put in every place that an app can name.
@Suite struct `Secrets and personal data` {
    private let collector = TelemetryCollector()

    @Test(arguments: [
        "4111 1111 1111 1111", "jane.doe@example.com", "DE89 3704 0044 0532 0130 00",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.dBjftJeZ4CVPmB92K27uhbUJU1p1r",
    ])
    func `leave the device by no way`(secret: String) async throws {
        var configuration = TelemetryConfiguration(serviceName: "shop")
        configuration.serviceVersion = "1 \(secret)"
        configuration.resourceAttributes["demo.resource"] = .string("of \(secret)")
        configuration.resourceAttributes["demo.resources"] = .array([.map(["inner \(secret)": secret])])
        let telemetry = collector.start(configuration)
        let text = "for \(secret) now"
        let scope = "scope \(text)"
        let attributes: Attributes = [
            "key \(text)": 1, "demo.text": text, "demo.map": AttributeValue.map(["inner \(text)": text]),
            "demo.list": [text],
        ]
        telemetry.setAttribute("all \(text)", true)
        telemetry.setAttribute("demo.all", text)
        telemetry.setScreen(text, id: text)
        telemetry.addBreadcrumb(text, category: text, attributes: attributes)
        let tracer = telemetry.tracer(scope, version: text)
        tracer.withSpan(text, attributes: attributes) { span in
            span["set \(text)"] = 1
            span.addEvent(text, attributes: attributes)
            span.addLink(span.context, attributes: attributes)
            span.setStatus(.error(text))
        }
        telemetry.logger(scope, version: text).emit(
            text, severity: .error, body: .string(text), attributes: attributes)
        let meter = telemetry.meter(scope, version: text)
        meter.counter(text, unit: text, description: text).add(1, attributes: attributes)
        await telemetry.flush()
        await telemetry.shutdown()
        let spans = collector.spans.map { "\($0.record) \($0.scope) \($0.resource)" }
        let events = collector.events.map { "\($0.record) \($0.scope) \($0.resource)" }
        let metrics = collector.metrics.map { "\($0.record) \($0.scope) \($0.resource)" }
        #expect(collector.spans.count == 1)
        #expect(collector.metrics(named: "for REDACTED now").count == 1)
        for record in spans + events + metrics { #expect(!record.contains(secret)) }
        #expect(telemetry.screenName == "for REDACTED now")
    }

    @Test func `are kept out of numbers and bytes too`() async throws {
        let telemetry = collector.start(TelemetryConfiguration(serviceName: "shop"))
        let binary = AttributeValue.bytes([0xFF, 0xFE, 0x40, 0x00, 0x80])
        telemetry.tracer("shop").withSpan("values") { span in
            span.setAttribute("demo.int", 4_111_111_111_111_111)
            span.setAttribute("demo.double", 4_111_111_111_111_111.0)
            span.setAttribute("demo.bytes", AttributeValue.bytes(Array("card 4111 1111 1111 1111".utf8)))
            span.setAttribute("demo.list", AttributeValue.array([.double(4_111_111_111_111_111)]))
            span.setAttribute("demo.binary", binary)
            span.setAttribute("demo.size", 4_000_000_000_000_000.5)
        }
        await telemetry.shutdown()
        let attributes = try #require(collector.spans(named: "values").first).attributes
        for key in ["demo.int", "demo.double", "demo.bytes"] { #expect(attributes[key] == "REDACTED") }
        #expect(attributes["demo.list"] == ["REDACTED"])
        #expect(attributes["demo.binary"] == binary)
        #expect(attributes["demo.size"] == 4_000_000_000_000_000.5)
    }

    @Test(arguments: ["myapp://callback#code=hunter2&state=x", "see /login#code=hunter2"])
    func `and neither does what a fragment carries`(text: String) async throws {
        let telemetry = collector.start(TelemetryConfiguration(serviceName: "shop"))
        telemetry.tracer("shop").withSpan("link") { $0.setAttribute("demo.link", text) }
        await telemetry.shutdown()
        let link = try #require(collector.spans(named: "link").first?.attributes["demo.link"]?.stringValue)
        #expect(!link.contains("hunter2"))
    }
}
