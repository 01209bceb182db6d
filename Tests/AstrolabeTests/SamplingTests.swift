import Astrolabe
import AstrolabeRecording
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import AstrolabeTesting
import Testing

private struct Declined: Error, CustomStringConvertible {
    var description: String { "card declined" }
}

/// Sampling by session, over the real path to a collector.
@Suite(.timeLimit(.minutes(5))) struct `Traces that nobody chose a sampler for` {
    private let collector = TelemetryCollector()
    private let device = SimulatedDevice()

    /// The SDK as an app starts it, on a phone on battery, with a rate for that.
    private func start(rate: Double, _ change: (inout TelemetryConfiguration) -> Void = { _ in }) -> Telemetry {
        var configuration = TelemetryConfiguration(serviceName: "shop")
        configuration.conditions = device
        configuration.policy.samplingRates.normal = rate
        configuration.policy.samplingRates.reduced = 0
        // Whatever memory the machine has that runs the test.
        configuration.policy.largeMemoryFactor = 1
        change(&configuration)
        return collector.start(configuration, samplesSessions: true)
    }

    private func fail(_ telemetry: Telemetry) {
        let tracer = telemetry.tracer("shop")
        _ = try? tracer.withSpan("checkout") { _ in
            tracer.withSpan("quote") { _ in }
            try tracer.withSpan("charge") { _ in throw Declined() }
        }
    }

    @Test func `are left out at a rate of 0, counted as sampled out, and their events are not`() async {
        let telemetry = start(rate: 0)
        telemetry.tracer("shop").withSpan("browse") { _ in
            telemetry.tracer("shop").withSpan("request") { _ in telemetry.logger("shop").emit("demo.browsed") }
        }
        telemetry.meter("shop").counter("demo.pages").add(1)
        let ledger = await telemetry.flush().ledger
        #expect(collector.spans.isEmpty)
        #expect(collector.events(named: "demo.browsed").count == 1)
        #expect(collector.total(ofCounter: "demo.pages") == 1)
        #expect(ledger.dropped == [.sampledOut: 2])
        #expect(ledger.isBalanced)
    }

    @Test func `are dropped by beforeSend where it says so, and counted as filtered`() async {
        let telemetry = start(rate: 1) { configuration in
            configuration.beforeSend.append { $0.name != "quote" && $0.name != "demo.browsed" }
        }
        telemetry.tracer("shop").withSpan("browse") { _ in
            telemetry.tracer("shop").withSpan("quote") { _ in telemetry.logger("shop").emit("demo.browsed") }
        }
        let ledger = await telemetry.flush().ledger
        #expect(collector.spans.map(\.name) == ["browse"])
        #expect(collector.events(named: "demo.browsed").isEmpty)
        #expect(ledger.dropped == [.filtered: 2])
        #expect(ledger.isBalanced)
    }

    @Test func `are kept where they fail: the span and the first of its trace, delivered and not dropped`() async throws
    {
        let telemetry = start(rate: 0)
        fail(telemetry)
        telemetry.tracer("shop").withSpan("browse") { _ in }
        let ledger = await telemetry.flush().ledger
        #expect(collector.traces.map(\.description) == ["checkout\n  charge"])
        #expect(collector.spans.allSatisfy { $0.attributes["astrolabe.sampling.kept_by"] == "error" })
        #expect(collector.spans.allSatisfy { $0.context.traceState.isEmpty && !$0.context.isSampled })
        #expect(ledger.dropped == [.sampledOut: 2], "quote and browse")
        #expect(ledger.isBalanced)
    }

    @Test func `that fail are kept in the least mode too, where only errors are`() async {
        let telemetry = start(rate: 1)
        device.heatUp(to: .critical)
        fail(telemetry)
        telemetry.logger("shop").emit("demo.failed", severity: .error)
        telemetry.logger("shop").emit("demo.browsed", severity: .debug)
        #expect(telemetry.policyDecision?.mode == .minimal)
        device.coolDown()
        let ledger = await telemetry.flush().ledger
        #expect(collector.spans.map(\.name).sorted() == ["charge", "checkout"])
        #expect(collector.events(named: "demo.failed").count == 1)
        #expect(collector.events(named: "demo.browsed").isEmpty)
        #expect(ledger.isBalanced)
    }

    @Test func `follow the policy's rate from the next trace on, and say it`() async throws {
        let telemetry = start(rate: 0)
        let tracer = telemetry.tracer("shop")
        tracer.withSpan("on battery") { _ in
            device.plugIn()
            tracer.withSpan("still left out") { _ in }
        }
        tracer.withSpan("charging") { _ in
            device.unplug()
            tracer.withSpan("still recorded") { _ in }
        }
        tracer.withSpan("on battery again") { _ in }
        let ledger = await telemetry.flush().ledger
        #expect(collector.traces.map(\.description) == ["charging\n  still recorded"])
        #expect(collector.spans.allSatisfy { $0.context.traceState.header.hasPrefix("ot=th:0;rv:") })
        #expect(ledger.dropped == [.sampledOut: 3])
    }

    @Test func `are chosen by session: whole sessions, of which the rate is the share`() async {
        let telemetry = start(rate: 0.5)
        var sessions: [String] = []
        for _ in 0..<100 {
            sessions.append(telemetry.session.reset()?.id ?? "")
            for _ in 0..<3 { telemetry.tracer("shop").withSpan("work") { _ in } }
        }
        await telemetry.flush()
        let counts = Dictionary(grouping: collector.spans(named: "work")) { $0.attributes["session.id"]?.stringValue }
            .mapValues(\.count)
        #expect(counts.values.allSatisfy { $0 == 3 })
        // Outside of this once in a thousand million runs (a binomial distribution of 100 and a half). Session ids have
        // no seed; the exact share is tested with the sampler.
        #expect((20...80).contains(counts.count))
        #expect(counts.keys.allSatisfy { $0.map(sessions.contains) == true })
    }

    @Test func `of one session are decided alike in the next launch`() async {
        for _ in 0..<Thoroughness.count(4, thorough: 12) {
            let first = start(rate: 0.5)
            first.session.reset()
            first.tracer("shop").withSpan("first") { _ in }
            await first.shutdown()
            let second = start(rate: 0.5)
            second.tracer("shop").withSpan("second") { _ in }
            await second.shutdown()
            #expect(collector.spans(named: "first").count == collector.spans(named: "second").count)
        }
    }

    @Test func `are all recorded by a server, and by who asks for it`() async {
        let server = start(rate: 0) { $0.isServer = true }
        server.tracer("shop").withSpan("of a server") { _ in }
        await server.shutdown()
        let explicit = start(rate: 0) { $0.sampler = AlwaysOnSampler() }
        explicit.tracer("shop").withSpan("asked for") { _ in }
        await explicit.shutdown()
        #expect(collector.spans.map(\.name) == ["of a server", "asked for"])
        #expect(collector.spans.allSatisfy { $0.context.traceState.isEmpty })
    }

    @Test func `are asked for by the environment`() throws {
        let none = try TelemetryConfiguration.load(environment: [:])
        #expect(none.sampler == nil && none.description.contains("sampler: automatic"))
        let all = try TelemetryConfiguration.load(environment: ["OTEL_TRACES_SAMPLER": "parentbased_always_on"])
        #expect(all.sampler is ParentBasedSampler)
    }
}
