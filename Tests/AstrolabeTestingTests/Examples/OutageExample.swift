import Astrolabe
import AstrolabeTesting
import Testing

@Test func `an order placed in a tunnel is reported when the server takes it`() async {
    let clock = TestClock()
    let collector = TelemetryCollector(clock: clock)
    let telemetry = collector.start(TelemetryConfiguration(serviceName: "shop"))

    collector.network.goOffline()
    telemetry.logger("shop").emit("demo.order.placed")
    let offline = await telemetry.flush()
    #expect(offline.ledger.inQueue > 0)
    #expect(collector.events.isEmpty)

    collector.network.goOnline()
    collector.network.answerNext(.refused(status: 503, retryAfter: .seconds(30)))
    let refused = await telemetry.flush()
    #expect(refused.blockers == [.backingOff(delay: .seconds(30), reason: "HTTP 503")])

    clock.advance(by: .seconds(31))
    let delivered = await telemetry.flush()
    #expect(delivered.ledger.pending == 0)
    #expect(collector.events(named: "demo.order.placed").count == 1)
}
