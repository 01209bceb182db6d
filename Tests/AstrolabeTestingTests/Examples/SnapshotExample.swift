import Astrolabe
import AstrolabeTesting
import Testing

@Test func `the trace of a checkout stays as it is`() async throws {
    let collector = TelemetryCollector()
    let telemetry = collector.start(TelemetryConfiguration(serviceName: "shop"))

    Checkout(telemetry: telemetry).placeOrder(total: 57.08)
    await telemetry.flush()

    try collector.requireSnapshot(at: "Snapshots/checkout.txt", of: "checkout", attributes: ["demo.*"])
}
