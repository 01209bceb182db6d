import Astrolabe
import AstrolabePlatform
import AstrolabeTestSupport
import AstrolabeTesting
import Testing

struct SimulatedNetworkTests {
    private let clock = TestClock()

    private func start(_ collector: TelemetryCollector, on device: SimulatedDevice = SimulatedDevice()) -> Telemetry {
        var configuration = TelemetryConfiguration(serviceName: "shop")
        configuration.conditions = device
        return collector.start(configuration)
    }

    @Test func `offline, records wait in the queue, and leave when the network is back`() async {
        let collector = TelemetryCollector()
        let telemetry = start(collector)
        collector.network.goOffline()
        telemetry.tracer("shop").withSpan("in the lift") { _ in }
        let report = await telemetry.flush()
        #expect(report.ledger.inQueue > 0)
        #expect(report.lastFailure == "the simulated network is down")
        #expect(collector.spans.isEmpty)
        collector.network.goOnline()
        #expect(await telemetry.flush().ledger.pending == 0)
        #expect(collector.spans(named: "in the lift").count == 1)
    }

    @Test func `a phone that knows that it is offline tries nothing`() async {
        let collector = TelemetryCollector()
        let device = SimulatedDevice()
        device.goOffline()
        let telemetry = start(collector, on: device)
        telemetry.tracer("shop").withSpan("in the lift") { _ in }
        #expect(await telemetry.flush().blockers == [.noPath])
        #expect(collector.network.requests.isEmpty)
        device.goOnline()
        #expect(await telemetry.flush().ledger.pending == 0)
        #expect(collector.spans(named: "in the lift").count == 1)
    }

    @Test func `a refusal is tried again when the server says so, and not before`() async throws {
        let collector = TelemetryCollector(clock: clock)
        let telemetry = start(collector)
        collector.network.answerNext(.refused(status: 503, retryAfter: .seconds(30)))
        telemetry.tracer("shop").withSpan("work") { _ in }
        #expect(await telemetry.flush().blockers == [.backingOff(delay: .seconds(30), reason: "HTTP 503")])
        await telemetry.flush()
        #expect(collector.network.requests.map(\.answer) == [.refused(status: 503, retryAfter: .seconds(30))])
        clock.advance(by: .seconds(31))
        #expect(await telemetry.flush().ledger.pending == 0)
        #expect(collector.spans(named: "work").count == 1)
    }

    @Test func `what the server rejects in part is dropped and counted, and what it refuses is kept`() async {
        let collector = TelemetryCollector()
        let telemetry = start(collector)
        await telemetry.flush()
        collector.network.answerNext(.takenBut(rejected: 1, reason: "too old"))
        for _ in 0..<3 { telemetry.tracer("shop").withSpan("work") { _ in } }
        #expect(await telemetry.flush().ledger.dropped[.rejected] == 1)
        #expect(collector.spans(named: "work").count == 2)
        collector.network.answerNext(.refused(status: 400))
        telemetry.tracer("shop").withSpan("late") { _ in }
        let ledger = await telemetry.flush().ledger
        #expect(ledger.dropped[.rejected] == 1)
        #expect(ledger.pending == 1)
        #expect(ledger.isBalanced)
        #expect(collector.spans(named: "late").isEmpty)
    }

    @Test func `a slow network takes its time, and one slower than the time-out never answers`() async throws {
        let collector = TelemetryCollector(clock: clock)
        let telemetry = start(collector)
        telemetry.tracer("shop").withSpan("work") { _ in }
        collector.network.setDelay(.seconds(3))
        _ = try await flush(telemetry)
        #expect(collector.spans(named: "work").count == 1)
        #expect(clock.now.offset >= .seconds(3))
        telemetry.tracer("shop").withSpan("late") { _ in }
        collector.network.setDelay(.seconds(11))
        let report = try await flush(telemetry)
        #expect(report.ledger.pending > 0)
        #expect(report.lastFailure == "timed out")
        #expect(collector.spans(named: "late").isEmpty)
    }

    @Test func `an app that records nothing sends nothing, and an outage's end is reported once`() async throws {
        let collector = TelemetryCollector(clock: clock)
        var configuration = TelemetryConfiguration(serviceName: "shop")
        configuration.flushInterval = .seconds(30)
        configuration.viewTracing = .off
        configuration.health.isEnabled = false
        let telemetry = collector.start(configuration)
        telemetry.tracer("shop").withSpan("work") { _ in }
        try await clock.advance(by: .seconds(300), sleepers: 1)
        let settled = collector.network.requests.count
        try await clock.advance(by: .seconds(3_600), sleepers: 1)
        #expect(collector.network.requests.count == settled)
        telemetry.tracer("shop").withSpan("more work") { _ in }
        try await clock.advance(by: .seconds(300), sleepers: 1)
        #expect(collector.spans(named: "more work").count == 1)
    }

    /// Flushes while the time goes on.
    private func flush(_ telemetry: Telemetry) async throws -> DeliveryReport {
        let report = Locked<DeliveryReport?>(nil)
        let flush = Task {
            let final = await telemetry.flush()
            report.withLock { $0 = final }
            return final
        }
        try await eventually("the flush has ended") {
            clock.advance(by: .milliseconds(100))
            return report.withLock { $0 } != nil
        }
        return await flush.value
    }

    @Test func `a request shows its headers by name, and not their values in a text`() async throws {
        let collector = TelemetryCollector()
        var configuration = TelemetryConfiguration(serviceName: "shop")
        configuration.endpoint?.headers = ["x-honeycomb-team": "secret"]
        let telemetry = collector.start(configuration)
        telemetry.tracer("shop").withSpan("work") { _ in }
        await telemetry.flush()
        let request = try #require(collector.network.requests.first { $0.path == "/v1/traces" })
        #expect(request.headers["x-honeycomb-team"] == "secret")
        #expect(!request.description.contains("secret"))
    }
}
