import Astrolabe
import AstrolabeDeviceConditions
import AstrolabePlatform
import AstrolabeRecording
import AstrolabeTestSupport
import Foundation
import Testing

/// Spans that are recorded as fast as one thread can, with default settings.
@Suite(.serialized) struct `A burst of spans` {
    /// By default `FloodTests` of the SDK tell of a burst.
    @Test(.enabled(if: Thoroughness.isThorough, "runs with ./astrolabe test --thorough"))
    func `of 20,000 without a pause loses none, though the collector takes none before its end`() async throws {
        let gate = Gate()
        let collector = try TestCollector { gate.pass() }
        var configuration = TelemetryConfiguration(serviceName: "durability")
        let folder = TemporaryDirectory()
        configuration.storageDirectory = URL(fileURLWithPath: folder.path)
        configuration.endpoint = OTLPEndpoint(url: try #require(URL(string: "http://127.0.0.1:\(collector.port)")))
        configuration.sampler = ParentBasedSampler(root: AlwaysOnSampler())
        configuration.conditions = SimulatedConditions(Conditions(network: .wifi, lifecycle: .active))
        let telemetry = Telemetry.start(configuration)
        let tracer = telemetry.tracer("test")
        for number in 0..<20_000 {
            tracer.withSpan("work", attributes: ["fixture.number": Int64(number)]) { span in
                for key in ["a", "b", "c", "d", "e", "f", "g"] {
                    span.setAttribute("demo.attribute.\(key)", "a value of twenty-four bytes")
                }
            }
        }
        gate.open()
        let report = await telemetry.shutdown(timeout: .seconds(300))
        collector.kill()
        #expect(report.ledger.dropped == [:])
        #expect(report.ledger.pending == 0)
        #expect(Set(collector.log.delivered) == Set(0..<20_000))
    }
}
