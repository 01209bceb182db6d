import AstrolabeDelivery
import AstrolabeDeviceConditions
import AstrolabePlatform
import AstrolabePolicy
import AstrolabeRecording
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import AstrolabeTesting
import Foundation
import Testing

@testable import Astrolabe

@Suite(.timeLimit(.minutes(5))) struct `A server` {
    /// Records 12,000 spans while the collector is away, and sends them when it is back.
    ///
    /// - Returns: The ledger during the outage, the last report, and the requests that the collector took.
    private func outage(isServer: Bool) async -> (kept: RecordLedger, sent: DeliveryReport, requests: Int) {
        let folder = TemporaryDirectory()
        let network = FallibleNetwork()
        var configuration = TelemetryConfiguration(serviceName: "server")
        configuration.isServer = isServer
        configuration.storageDirectory = URL(fileURLWithPath: folder.path)
        configuration.sampler = AlwaysOnSampler()
        configuration.flushInterval = .seconds(3_600)
        configuration.conditions = SimulatedConditions(Conditions(network: .wifi, lifecycle: .active))
        let telemetry = Telemetry.start(configuration, transport: network)
        let tracer = telemetry.tracer("test")
        for _ in 0..<12_000 { tracer.spanBuilder("work").startSpan().end() }
        // The first one may be answered by a flush that began before the last spans were recorded.
        await telemetry.flush()
        let kept = await telemetry.flush().ledger
        network.isAway.withLock { $0 = false }
        await telemetry.delivery?.flush(.conditions(.networkReturned))
        let requests = network.taken.withLock { $0 }
        return (kept, await telemetry.shutdown(timeout: .seconds(300)), requests)
    }

    @Test func `keeps more than an app while the collector is away, and sends it in fewer requests`() async {
        let server = await outage(isServer: true)
        #expect(server.kept.dropped == [:])
        #expect(server.sent.ledger.delivered >= 12_000)
        #expect(server.requests < 20)
        let app = await outage(isServer: false)
        #expect(app.kept.dropped[.evicted] ?? 0 >= 2_000)
        #expect(app.requests > 20)
    }

    @Test func `that another program asks for a trace of which its recorder has nothing sends nothing`() async throws {
        let collector = TelemetryCollector()
        var configuration = TelemetryConfiguration(serviceName: "server")
        configuration.isServer = true
        configuration.recorder.isEnabled = true
        let telemetry = collector.start(configuration)
        #expect(telemetry.keepRecording(of: TraceID(high: 1, low: 2)))
        await telemetry.flush()
        #expect(collector.events(named: "astrolabe.recorder.promotion").isEmpty)
        await telemetry.shutdown()
    }
}

private final class FallibleNetwork: OTLPTransport {
    let isAway = Locked(true)
    let taken = Locked(0)

    func send(_ request: OTLPRequest) async -> SendResult {
        if isAway.withLock({ $0 }) { return .unreachable("away") }
        taken.withLock { $0 += 1 }
        return .response(status: 200, retryAfter: nil, body: [])
    }
}
