import AstrolabeDelivery
import AstrolabeOTLP
import AstrolabePlatform
import AstrolabeTesting
import Foundation
import Testing

@testable import Astrolabe

/// Takes every request, and keeps the names of metrics.
private final class MetricNames: OTLPTransport {
    private let received = Locked<Set<String>>([])

    var names: Set<String> { received.withLock { $0 } }

    func send(_ request: OTLPRequest) async -> SendResult {
        if request.url.path.hasSuffix("metrics"), let groups = try? OTLPDecoder.metrics(protobuf: request.body) {
            received.withLock { $0.formUnion(groups.flatMap { $0.scopes.flatMap(\.records) }.map(\.name)) }
        }
        return .response(status: 200, retryAfter: nil, body: [])
    }
}

@Suite(.timeLimit(.minutes(5))) struct `Metrics of the process` {
    @Test(arguments: [true, false])
    func `are made only if the app asks for them`(isAsked: Bool) async {
        #expect(!TelemetryConfiguration(serviceName: "shop").health.measuresProcess)
        var configuration = TelemetryConfiguration(serviceName: "shop")
        configuration.storageDirectory = temporaryFolder()
        configuration.conditions = SimulatedDevice()
        configuration.endpoint?.isCompressed = false
        configuration.health.measuresProcess = isAsked
        let transport = MetricNames()
        let telemetry = Telemetry.start(configuration, transport: transport, recordsHealth: true)
        telemetry.meter("shop").counter("demo.orders").add(1)
        await telemetry.flush()
        await telemetry.shutdown()
        #expect(transport.names.contains("demo.orders"))
        #expect(transport.names.contains("process.cpu.time") == isAsked)
        #expect(transport.names.contains("process.memory.usage") == isAsked)
    }
}
