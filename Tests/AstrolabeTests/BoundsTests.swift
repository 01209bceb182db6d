import Astrolabe
import AstrolabePlatform
import AstrolabeRecording
import AstrolabeTelemetryModel
import AstrolabeTesting
import Testing

/// Attributes that an app sets on all records have limits of their own.
@Suite struct `Attributes of all records` {
    private let collector = TelemetryCollector()
    private let lines = Locked<[String]>([])

    private func start(_ change: (inout TelemetryConfiguration) -> Void = { _ in }) -> Telemetry {
        var configuration = TelemetryConfiguration(serviceName: "shop")
        configuration.onDiagnostic = { [lines] line in lines.withLock { $0.append(line) } }
        change(&configuration)
        return collector.start(configuration)
    }

    @Test func `keep no span and no event from the server, however large they are`() async throws {
        let telemetry = start()
        let text = String(repeating: "x", count: 16_000)
        for number in 0..<17 { telemetry.setAttribute("demo.large.\(number)", text) }
        telemetry.setAttribute("demo.list", (0..<100_000).map { $0 })
        telemetry.setAttribute(String(repeating: "k", count: 300_000), 1)
        telemetry.setScreen(String(repeating: "n", count: 200_000), id: String(repeating: "i", count: 200_000))
        telemetry.tracer("shop").withSpan("add to cart") { $0.setAttribute("demo.own", text) }
        telemetry.logger("shop").emit("demo.added", attributes: ["demo.own": text])
        let ledger = await telemetry.shutdown().ledger
        #expect(collector.spans(named: "add to cart").first?.attributes["demo.own"]?.stringValue == text)
        #expect(collector.events(named: "demo.added").first?.attributes["demo.own"]?.stringValue == text)
        #expect(ledger.dropped[.oversized] == nil)
        let screen = try #require(telemetry.screenName)
        #expect(screen.utf8.count == 256)
    }

    @Test func `leave a span and an event all attributes of their own`() async throws {
        let telemetry = start()
        for number in 0..<200 { telemetry.setAttribute("demo.all.\(number)", number) }
        let own = Attributes(Dictionary(uniqueKeysWithValues: (0..<128).map { ("demo.own.\($0)", $0) }))
        telemetry.tracer("shop").withSpan("full") { $0.setAttributes(own) }
        telemetry.logger("shop").emit("full", attributes: own)
        telemetry.tracer("shop").withSpan("small") { $0.setAttribute("demo.own.0", 0) }
        await telemetry.shutdown()
        let (span, event) = (
            try #require(collector.spans(named: "full").first), try #require(collector.events(named: "full").first),
        )
        #expect(own.allSatisfy { span.attributes[$0.key] == $0.value })
        #expect(own.allSatisfy { event.attributes[$0.key] == $0.value })
        #expect(span.attributes.filter { $0.key.hasPrefix("demo.") }.count == 128)
        #expect(span.attributes["session.id"] != nil, "the SDK's own context comes on top")
        #expect(span.droppedAttributesCount == 64)
        #expect(event.droppedAttributesCount == 64)
        let small = try #require(collector.spans(named: "small").first).attributes
        #expect(small["demo.own.0"] == 0)
        #expect(small["demo.all.0"] == 0)
        #expect(small["session.id"] != nil)
    }

    @Test func `are refused beyond their number or size, and a line says so once`() async throws {
        let telemetry = start()
        for number in 0..<5_000 { telemetry.setAttribute("demo.all.\(number)", number) }
        telemetry.setAttribute("demo.all.0", "changed")
        telemetry.removeAttribute("demo.all.1")
        telemetry.setAttribute("demo.room", true)
        telemetry.tracer("shop").withSpan("some") { _ in }
        await telemetry.shutdown()
        let attributes = try #require(collector.spans(named: "some").first).attributes
        let taken = attributes.filter { $0.key.hasPrefix("demo.all.") }
        #expect(taken.count == AmbientAttributes.countLimit - 1)
        #expect(attributes["demo.all.0"] == "changed")
        #expect(attributes["demo.room"] == true)
        #expect(lines.withLock { $0 }.filter { $0.contains("demo.all.") }.count == 1)
    }

    @Test func `that no longer fit are removed, so that no old value stays`() async throws {
        let telemetry = start()
        for number in 0..<7 { telemetry.setAttribute("demo.\(number)", String(repeating: "x", count: 1_000)) }
        telemetry.setAttribute("demo.list", [1])
        telemetry.setAttribute("demo.list", (0..<10_000).map { $0 })
        telemetry.tracer("shop").withSpan("one") { _ in }
        await telemetry.shutdown()
        let attributes = try #require(collector.spans(named: "one").first).attributes
        #expect(attributes["demo.6"] != nil)
        #expect(attributes["demo.list"] == nil)
    }
}

@Suite struct `Records that are too large` {
    private let collector = TelemetryCollector()

    @Test func `lose their largest attributes, say how many, and a line says so once`() async throws {
        let lines = Locked<[String]>([])
        var configuration = TelemetryConfiguration(serviceName: "shop")
        configuration.onDiagnostic = { line in lines.withLock { $0.append(line) } }
        let telemetry = collector.start(configuration)
        let (large, late) = (String(repeating: "l", count: 16_000), String(repeating: "s", count: 10_000))
        for _ in 0..<3 {
            telemetry.tracer("shop").withSpan("large") { span in
                for number in 0..<20 { span.setAttribute("demo.large.\(number)", large) }
                for number in 0..<5 { span.setAttribute("demo.late.\(number)", late) }
                span.setAttribute("demo.last", true)
            }
            // A burst of the largest records would fill the journal.
            await telemetry.flush()
        }
        await telemetry.shutdown()
        let spans = collector.spans(named: "large")
        #expect(spans.count == 3)
        let span = try #require(spans.first)
        #expect((0..<5).allSatisfy { span.attributes["demo.late.\($0)"]?.stringValue == late })
        #expect(span.attributes["demo.last"] == true)
        let kept = span.attributes.filter { $0.key.hasPrefix("demo.large.") }.count
        #expect(kept >= 10)
        #expect(Int(span.droppedAttributesCount) == 20 - kept)
        #expect(lines.withLock { $0 }.filter { $0.contains("\"large\"") }.count == 1)
    }

    @Test(arguments: [Int.max, Int.min, 0])
    func `limits of any size end no app`(limit: Int) async throws {
        var configuration = TelemetryConfiguration(serviceName: "shop")
        configuration.limits.attributeValueLength = limit
        configuration.limits.attributeCount = limit
        configuration.limits.eventCount = limit
        configuration.limits.linkCount = limit
        configuration.limits.recordSize = limit
        let telemetry = collector.start(configuration)
        telemetry.setAttribute("demo.all", "text")
        telemetry.addBreadcrumb("opened the cart")
        telemetry.tracer("shop").withSpan("limits") { span in
            span.setAttribute("demo.text", "text")
            span.addEvent("demo.event")
        }
        telemetry.logger("shop").error("failed", ["demo.text": "text"])
        telemetry.meter("shop").counter("demo.count").add(1, attributes: ["demo.text": "text"])
        await telemetry.shutdown()
        #expect(collector.spans.count == 1)
    }

    @Test func `a length limit of the largest number means none`() async throws {
        let configuration = try TelemetryConfiguration.load(
            environment: ["OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT": "9223372036854775807"])
        let telemetry = collector.start(configuration)
        let text = String(repeating: "x", count: 100_000)
        telemetry.tracer("shop").withSpan("long") { $0.setAttribute("demo.text", text) }
        await telemetry.shutdown()
        #expect(collector.spans(named: "long").first?.attributes["demo.text"]?.stringValue == text)
    }
}

@Suite struct `Times of a configuration` {
    @Test(arguments: [Duration.zero, .seconds(-1), .seconds(Int64.max), .nanoseconds(1)])
    func `are held to what a device can do`(time: Duration) {
        var configuration = TelemetryConfiguration(serviceName: "shop")
        configuration.flushInterval = time
        configuration.metricInterval = time
        configuration.endpoint?.timeout = time
        configuration.policy.flushIntervals = ModeTable(full: time, normal: time, reduced: time, minimal: time)
        let bounded = configuration.bounded
        let day = Duration.seconds(86_400)
        #expect((.milliseconds(50)...day).contains(bounded.flushInterval ?? .zero))
        #expect((.milliseconds(50)...day).contains(bounded.metricInterval))
        #expect((.milliseconds(1)...day).contains(bounded.endpoint?.timeout ?? .zero))
        #expect((.seconds(1)...day).contains(bounded.policy.bounded().flushIntervals.minimal))
    }

    @Test func `a time-out of 0 means none`() {
        var configuration = TelemetryConfiguration(serviceName: "shop")
        configuration.endpoint?.timeout = .zero
        #expect(configuration.bounded.endpoint?.timeout == .seconds(86_400))
    }
}
