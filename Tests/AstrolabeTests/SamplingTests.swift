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

    @Test func `are left out at a rate of 0, counted as not sent, and their events are not`() async {
        let telemetry = start(rate: 0)
        telemetry.tracer("shop").withSpan("browse") { _ in
            telemetry.tracer("shop").withSpan("request") { _ in telemetry.logger("shop").emit("demo.browsed") }
        }
        telemetry.meter("shop").counter("demo.pages").add(1)
        let ledger = await telemetry.flush().ledger
        #expect(collector.spans.isEmpty)
        #expect(collector.events(named: "demo.browsed").count == 1)
        #expect(collector.total(ofCounter: "demo.pages") == 1)
        #expect(ledger.notSent == 2 && ledger.dropped.isEmpty)
        #expect(ledger.isBalanced)
    }

    @Test func `are neither recorded nor counted without a flight recorder`() async {
        let telemetry = start(rate: 0) { $0.recorder.isEnabled = false }
        fail(telemetry)
        #expect(!telemetry.keepRecording(reason: "feedback"))
        let ledger = await telemetry.flush().ledger
        #expect(collector.spans.isEmpty)
        #expect(ledger.notSent == 0 && ledger.dropped.isEmpty && ledger.isBalanced)
    }

    @Test func `are dropped by beforeSend where it says so, and counted as filtered`() async {
        let telemetry = start(rate: 1) { configuration in
            configuration.beforeSend.append { $0.name != "quote" && $0.name != "demo.browsed" }
        }
        telemetry.tracer("shop").withSpan("browse") { _ in
            telemetry.tracer("shop").withSpan("quote") { _ in telemetry.logger("shop").emit("demo.browsed") }
        }
        let ledger = await telemetry.flush().ledger
        #expect(telemetry.isSessionSampled == true)
        #expect(collector.spans.map(\.name) == ["browse"])
        #expect(collector.events(named: "demo.browsed").isEmpty)
        #expect(ledger.dropped == [.filtered: 2])
        #expect(ledger.isBalanced)
    }

    @Test func `are sent with their whole session where one fails`() async throws {
        let telemetry = start(rate: 0)
        telemetry.tracer("shop").withSpan("browse") { _ in }
        fail(telemetry)
        let ledger = await telemetry.flush().ledger
        #expect(collector.traces.map(\.description).sorted() == ["browse", "checkout\n  quote\n  charge"])
        #expect(collector.spans.allSatisfy { $0.attributes["astrolabe.recorder.trigger"] == "error" })
        #expect(Set(collector.spans.map { $0.attributes["astrolabe.recorder.id"] }).count == 1)
        #expect(collector.spans.allSatisfy { $0.context.traceState.isEmpty && !$0.context.isSampled })
        // The request, which stays for a minute.
        #expect(ledger.notSent == 1 && ledger.dropped.isEmpty && ledger.isBalanced)
    }

    @Test func `are sent when the app asks for them, and not those of an earlier session`() async throws {
        let telemetry = start(rate: 0)
        telemetry.tracer("shop").withSpan("earlier") { _ in }
        telemetry.session.reset()
        telemetry.tracer("shop").withSpan("browse") { _ in }
        #expect(telemetry.keepRecording(reason: "feedback"))
        telemetry.tracer("shop").withSpan("after") { _ in }
        #expect(telemetry.isSessionSampled == false)
        let report = await telemetry.flush()
        #expect(report.recorder?.promoted == ["app": 2])
        let ledger = report.ledger
        #expect(collector.spans.map(\.name) == ["browse", "after"])
        #expect(collector.spans.allSatisfy { $0.attributes["astrolabe.recorder.trigger"] == "app" })
        #expect(ledger.notSent == 2 && ledger.isBalanced)
    }

    @Test func `are sent with what previous runs have of their session`() async throws {
        for name in ["earliest", "before"] {
            let telemetry = start(rate: 0)
            telemetry.tracer("shop").withSpan(name) { _ in }
            await telemetry.shutdown()
        }
        let telemetry = start(rate: 0)
        await telemetry.flush()
        telemetry.tracer("shop").withSpan("after") { _ in }
        #expect(telemetry.keepRecording(reason: "feedback"))
        let ledger = await telemetry.flush().ledger
        #expect(collector.spans.map(\.name) == ["earliest", "before", "after"])
        #expect(ledger.isBalanced)
    }

    @Test func `are sent when their session ends within a flow of the app`() async throws {
        let telemetry = start(rate: 0) {
            $0.recorder.triggers.abandonedFlows = [.init(from: "Cart", to: "Confirmation")]
        }
        for (name, screens) in [("bought", ["Cart", "Confirmation"]), ("left", ["Home", "Cart"])] {
            for screen in screens {
                telemetry.setScreen(screen)
                telemetry.tracer("shop").withSpan("\(name) on \(screen)") { _ in }
            }
            telemetry.session.reset()
        }
        let ledger = await telemetry.flush().ledger
        #expect(collector.spans.map(\.name) == ["left on Home", "left on Cart"])
        #expect(collector.spans.allSatisfy { $0.attributes["astrolabe.recorder.trigger"] == "flow" })
        #expect(ledger.isBalanced)
    }

    @Test func `are kept until the user decides, and erased if they refuse`() async throws {
        let telemetry = start(rate: 0) { $0.consent = .pending }
        fail(telemetry)
        await telemetry.flush()
        #expect(collector.spans.isEmpty)
        await telemetry.setConsent(.granted)
        await telemetry.flush()
        #expect(collector.spans.count == 3)
        telemetry.tracer("shop").withSpan("later") { _ in }
        await telemetry.setConsent(.denied)
        fail(telemetry)
        await telemetry.setConsent(.granted)
        #expect(telemetry.keepRecording(reason: "feedback"))
        let ledger = await telemetry.flush().ledger
        #expect(collector.spans.count == 3)
        #expect(ledger.isBalanced)
    }

    @Test func `are not recorded in the least mode, where only errors' events are`() async {
        let telemetry = start(rate: 0)
        device.heatUp(to: .critical)
        fail(telemetry)
        telemetry.logger("shop").emit("demo.failed", severity: .error)
        telemetry.logger("shop").emit("demo.browsed", severity: .debug)
        #expect(telemetry.policyDecision?.mode == .minimal)
        device.coolDown()
        let ledger = await telemetry.flush().ledger
        #expect(collector.spans.isEmpty)
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
        #expect(ledger.notSent == 3 && ledger.dropped.isEmpty)
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

    @Test(arguments: [true, nil])
    func `that a server's caller left out are kept if it has a recorder, and sent one by one`(isOn: Bool?) async {
        let server = start(rate: 1) {
            $0.isServer = true
            $0.recorder.isEnabled = isOn
        }
        let traces = [UInt64(1), 2, 3].map { TraceID(high: 7, low: $0) }
        for (trace, name) in zip(traces, ["good", "bad", "asked for"]) {
            let caller = SpanContext(traceID: trace, spanID: SpanID(1), isSampled: false, isRemote: true)
            let span = server.tracer("shop").spanBuilder(name).setParent(caller).startSpan()
            if name == "bad" { span.setStatus(.error("no")) }
            span.end()
        }
        #expect(server.recordsTraces == (isOn == true))
        #expect(server.keepRecording(of: traces[2]) == (isOn == true))
        let ledger = await server.flush().ledger
        #expect(collector.spans.map(\.name).sorted() == (isOn == true ? ["asked for", "bad"] : []))
        let asked = collector.spans(named: "asked for")
        #expect(asked.allSatisfy { $0.attributes["astrolabe.recorder.trigger"] == "remote" })
        // The good one, and two requests that wait for the minute after them.
        #expect(ledger.notSent == (isOn == true ? 3 : 0) && ledger.isBalanced)
        await server.shutdown()
    }

    @Test func `are asked for by the environment`() throws {
        let none = try TelemetryConfiguration.load(environment: [:])
        #expect(none.sampler == nil && none.description.contains("sampler: automatic"))
        let all = try TelemetryConfiguration.load(environment: ["OTEL_TRACES_SAMPLER": "parentbased_always_on"])
        #expect(all.sampler is ParentBasedSampler)
    }
}
