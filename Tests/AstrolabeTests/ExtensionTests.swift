import AstrolabeDelivery
import AstrolabeDeviceConditions
import AstrolabePlatform
import AstrolabeTestSupport
import Foundation
import Testing

@testable import Astrolabe

@Suite(.timeLimit(.minutes(5))) struct `An app extension` {
    @Test func `stores apart from the app, observes nothing and sends when it asks for it`() async throws {
        let folder = TemporaryDirectory()
        let network = CountingNetwork()
        var configuration = TelemetryConfiguration.appExtension(serviceName: "shop")
        let storage = try #require(configuration.storageDirectory)
        let app = TelemetryConfiguration(serviceName: "shop").defaultStorageDirectory
        #expect(storage.path == app.path + "/extension")
        configuration.storageDirectory = URL(fileURLWithPath: folder.path)
        configuration.sampling = .everything
        let telemetry = Telemetry.start(configuration, transport: network, recordsHealth: true)
        #expect(telemetry.conditions is SimulatedConditions)
        #expect(!telemetry.views.isEnabled)
        #expect(telemetry.screenRecorder == nil)
        #expect(telemetry.run.withLock { $0?.health == nil })
        telemetry.tracer("share").withSpan("share") { _ in }
        #expect(network.bodies.withLock { $0 } == 0)
        telemetry.flushBeforeSuspension()
        for await _ in network.arrivals.stream where network.bodies.withLock({ $0 > 0 }) { break }
        try await eventually("nothing is pending") { await telemetry.report.ledger.pending == 0 }
        #expect(await telemetry.report.ledger.dropped == [:])
        await telemetry.shutdown()
    }

    @Test func `has nothing to send if the SDK is disabled`() {
        Telemetry.disabled.flushBeforeSuspension()
    }
}

private final class CountingNetwork: OTLPTransport {
    let bodies = Locked(0)
    let arrivals = AsyncStream.makeStream(of: Void.self)

    func send(_ request: OTLPRequest) async -> SendResult {
        bodies.withLock { $0 += 1 }
        arrivals.continuation.yield()
        return .response(status: 200, retryAfter: nil, body: [])
    }
}
