import Astrolabe
import AstrolabeTesting
import Foundation
import Testing

@Suite struct `A span matcher` {
    private let trace = CheckoutTrace()

    @Test func `matches a span that meets each of its expectations`() async {
        await trace.record()
        let matchers: [SpanMatcher] = [
            .any.root(), "checkout", .named("checkout").kind(.internal).status(.unset),
            .named("charge card").kind(.client).status(.error("declined")).failed(),
            .named("checkout").attribute("demo.order.amount", 57.08).attribute("demo.order.items", 3),
            .named("checkout").attribute("demo.order.items").withoutAttribute("demo.coupon"),
            .named("checkout").attribute("demo.coupon", String?.none),
            .named("charge card").child(of: .named("checkout").root()).descendant(of: "checkout"),
            .named("checkout").event("demo.order.placed").event(
                "demo.order.placed", attributes: ["demo.order.amount": 57.08]),
            .named("ship order").event("label printed", attributes: ["demo.copies": 2]),
            .named("charge card").duration(atLeast: .seconds(2), atMost: .seconds(2)),
            .named("checkout").duration(atLeast: .milliseconds(2_001)),
            .named("checkout").satisfying("two or more items") { $0.attributes["demo.order.items"]?.intValue ?? 0 > 1 },
            .any.kind(.client).and(.named("charge card")).and(.any.failed()),
            .named("checkout").withoutPersonalData("Ada Lovelace"),
        ]
        for matcher in matchers { #expect(trace.collector.contains(matcher), "\(matcher)") }
    }

    @Test func `does not match if one expectation is not met`() async {
        await trace.record()
        let matchers: [SpanMatcher] = [
            "check out", .named("checkout").kind(.client), .named("checkout").status(.ok),
            .named("charge card").status(.error("expired")), .named("ship order").failed(),
            .named("checkout").attribute("demo.order.amount", 57),
            .named("checkout").attribute("demo.order.items", 3.0),
            .named("checkout").attribute("demo.coupon"), .named("checkout").withoutAttribute("demo.order.items"),
            .named("charge card").root(), .named("checkout").child(of: .any), .named("checkout").descendant(of: .any),
            .named("charge card").child(of: "ship order"), .named("charge card").child(of: .named("checkout").failed()),
            .named("charge card").descendant(of: "charge card"), .named("charge card").event("demo.order.placed"),
            .named("checkout").event("demo.order.placed", attributes: ["demo.order.amount": 1]),
            .named("charge card").duration(atLeast: .milliseconds(2_001)),
            .named("charge card").duration(atMost: .milliseconds(1_999)),
            .named("checkout").satisfying("no items") { $0.attributes["demo.order.items"] == 0 },
            .any.kind(.client).and("checkout"), .named("checkout").withoutPersonalData("57.08"),
        ]
        for matcher in matchers { #expect(!trace.collector.contains(matcher), "\(matcher)") }
    }

    @Test func `finds the spans, and requires one, so many or none`() async throws {
        await trace.record()
        let charge = try trace.collector.requireSpan(.any.failed())
        #expect(charge.name == "charge card")
        #expect(
            try trace.collector.requireSpans(.any.child(of: "checkout"), count: 2).map(\.name).sorted() == [
                "charge card", "ship order",
            ])
        #expect(trace.collector.spans(matching: .any.root()).map(\.name) == ["checkout"])
        try trace.collector.requireNoSpan("refund")
        #expect(throws: ExpectationFailure.self) { try trace.collector.requireNoSpan("checkout") }
    }

    @Test func `waits for a span that ends later`() async throws {
        let span = trace.telemetry.tracer("shop").spanBuilder("later").startSpan()
        async let found = trace.collector.waitForSpan(
            "later", flushing: trace.telemetry, timeout: .seconds(300))
        await trace.telemetry.flush()
        span.end()
        #expect(try await found.name == "later")
        await #expect(throws: ExpectationFailure.self) {
            try await trace.collector.waitForSpan("never", flushing: trace.telemetry, timeout: .zero)
        }
    }
}

@Suite struct `The failure of a span matcher` {
    private let trace = CheckoutTrace()

    private func failure(_ body: () throws -> Void) -> String {
        do {
            try body()
            return "no failure"
        } catch {
            // As XCTest shows it.
            #expect(error.localizedDescription == "\(error)")
            return error.localizedDescription
        }
    }

    @Test func `says what was expected, and how the nearest spans in their tree differ`() async {
        await trace.record()
        let text = failure {
            try trace.collector.requireSpan(
                .named("charge cart").kind(.client).child(of: "checkout"), file: "Shop/A.swift", line: 7)
        }
        #expect(
            text == """
                A.swift:7: Expected one span named "charge cart", of kind client, child of a span named "checkout", found \
                none. The nearest of 3 spans:
                  checkout   <- the name is "checkout"; the kind is internal; it has no parent
                    charge card   <- the name is "charge card"
                    ship order   <- the name is "ship order"; the kind is internal
                """)
    }

    @Test func `names the value that differs`() async {
        await trace.record()
        let matcher = SpanMatcher.named("checkout").attribute("demo.order.items", "3").status(.ok)
            .event("demo.order.placed", attributes: ["demo.order.amount": 1])
        let text = failure { try trace.collector.requireSpan(matcher) }
        #expect(text.contains("demo.order.items is 3;"))
        #expect(text.contains(#"with demo.order.items = "3""#))
        #expect(text.contains("the status is unset"))
        #expect(text.contains(#"its event "demo.order.placed" has ["#))
        #expect(text.hasPrefix("SpanMatcherTests.swift:"))
    }

    @Test func `marks each of several matches`() async {
        await trace.record()
        let text = failure { try trace.collector.requireSpan(.any.child(of: "checkout")) }
        #expect(text.contains("Expected one span child of a span named \"checkout\", found 2."))
        #expect(text.contains("  charge card   <- matches\n"))
        #expect(text.hasSuffix("  ship order   <- matches"))
    }

    @Test func `finds an ancestor above the parent, and none below`() async {
        let tracer = trace.telemetry.tracer("shop")
        tracer.withSpan("checkout") { _ in
            tracer.withSpan("pay") { _ in tracer.withSpan("charge card") { _ in } }
        }
        await trace.telemetry.flush()
        #expect(trace.collector.contains(.named("charge card").descendant(of: "checkout")))
        #expect(!trace.collector.contains(.named("charge card").child(of: "checkout")))
        #expect(!trace.collector.contains(.named("pay").descendant(of: "charge card")))
    }

    @Test func `shows the span whose name is most like the expected one, among many`() async {
        let tracer = trace.telemetry.tracer("shop")
        for name in ["alpha", "beta", "gamma", "delta", "chekout"] { tracer.withSpan(name) { _ in } }
        await trace.telemetry.flush()
        for matcher in [SpanMatcher.named("checkout"), .any.and("checkout")] {
            let text = failure { try trace.collector.requireSpan(matcher) }
            #expect(text.contains("The nearest of 5 spans:\n"))
            #expect(text.contains("  chekout   <- the name is \"chekout\""))
        }
    }

    @Test func `takes no log line for an event of its span`() async {
        trace.telemetry.tracer("shop").withSpan("work") { _ in trace.telemetry.logger("shop").info("done") }
        await trace.telemetry.flush()
        #expect(!trace.collector.contains(.named("work").event("")))
        #expect(trace.collector.traceText() == "span work")
    }

    @Test func `asks for a flush if no spans have arrived`() {
        let text = failure { try trace.collector.requireSpan("checkout") }
        #expect(text.contains("found none. No spans have arrived. Call `await telemetry.flush()`"))
    }

    @Test func `shows of a long trace what leads to the nearest spans`() async {
        let tracer = trace.telemetry.tracer("shop")
        tracer.withSpan("list") { _ in
            for number in 1...60 { tracer.withSpan("row \(number)") { _ in } }
            tracer.withSpan("footer") { _ in tracer.withSpan("total") { _ in } }
        }
        await trace.telemetry.flush()
        let text = failure { try trace.collector.requireSpan(.named("total").kind(.client)) }
        #expect(text.contains("total   <- the kind is internal"))
        #expect(text.contains("more)"))
        #expect(text.split(separator: "\n").count < 12)
    }
}

@Suite struct `The search for personal data` {
    private let collector = TelemetryCollector()

    @Test func `finds values of the test in spans, events, metrics and the resource`() async throws {
        var configuration = TelemetryConfiguration(serviceName: "shop")
        configuration.resourceAttributes["demo.owner"] = "Ada Lovelace"
        let telemetry = collector.start(configuration)
        telemetry.tracer("shop").withSpan("greet ada lovelace", attributes: ["demo.names": ["Bob", "Ada Lovelace"]]) {
            span in
            span.addEvent("called", attributes: ["demo.name": "ADA LOVELACE"])
        }
        telemetry.logger("shop").emit("demo.greeted", attributes: ["demo.name": "Dear Ada Lovelace"])
        telemetry.meter("shop").counter("demo.calls").add(1, attributes: ["demo.name": "Ada Lovelace"])
        await telemetry.flush()
        let findings = collector.personalData("Ada Lovelace")
        for place in [
            "span \"greet ada lovelace\", name", "span \"greet ada lovelace\", demo.names",
            "span \"greet ada lovelace\", event \"called\", demo.name", "event \"demo.greeted\", demo.name",
            "metric \"demo.calls\", demo.name", "resource, demo.owner",
        ] {
            #expect(findings.contains("\(place) has \"Ada Lovelace\""), "\(place)")
        }
        #expect(findings.count == 6)
        #expect(collector.personalData("Grace Hopper") == [])
        #expect(!collector.contains(.any.withoutPersonalData("Ada Lovelace")))
    }

    @Test func `finds values of the test in links, statuses, log lines and names of metrics`() async throws {
        let telemetry = collector.start(TelemetryConfiguration(serviceName: "shop"))
        let tracer = telemetry.tracer("shop")
        let other = tracer.withSpan("first") { $0.context }
        tracer.withSpan("second") { span in
            span.addLink(other, attributes: ["demo.name": "Zoe"])
            span.setStatus(.error("no order of Zoe"))
        }
        telemetry.logger("shop").info("Zoe has come")
        telemetry.meter("shop").counter("demo.zoe").add(1)
        await telemetry.flush()
        #expect(
            Set(collector.personalData("Zoe")) == [
                "span \"second\", link, demo.name has \"Zoe\"", "span \"second\", status has \"Zoe\"",
                "log record, body has \"Zoe\"", "metric \"demo.zoe\", name has \"Zoe\"",
            ])
    }

    @Test func `finds what redaction would have replaced`() async {
        var configuration = TelemetryConfiguration(serviceName: "shop")
        configuration.redaction.isEnabled = false
        let telemetry = collector.start(configuration)
        telemetry.tracer("shop").withSpan(
            "sign in", attributes: ["demo.note": "from ada@example.com", "password": "x"],
        ) { _ in }
        await telemetry.flush()
        // By chance, a random id may look like a number of a card.
        let ofSpan = collector.personalData().filter { $0.contains("demo.note") || $0.contains("password") }
        #expect(ofSpan.count == 2)
        #expect(!collector.contains(.named("sign in").withoutPersonalData()))
    }

    @Test func `finds nothing where the SDK has redacted`() async {
        let telemetry = collector.start(TelemetryConfiguration(serviceName: "shop"))
        telemetry.tracer("shop").withSpan(
            "sign in", attributes: ["demo.note": "from ada@example.com", "password": "x"],
        ) { _ in }
        await telemetry.flush()
        #expect(collector.personalData("ada@example.com") == [])
    }
}
