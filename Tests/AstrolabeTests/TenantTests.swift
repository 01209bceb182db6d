import AstrolabeDelivery
import AstrolabeOTLP
import AstrolabePlatform
import AstrolabeTesting
import Foundation
import Testing

@testable import Astrolabe

/// A server that is away or takes everything, and keeps the names of events.
private final class Region: OTLPTransport {
    let isAway = Locked(false)
    private let received = Locked<[String]>([])

    var names: Set<String> { Set(received.withLock { $0 }) }

    func send(_ request: OTLPRequest) async -> SendResult {
        if isAway.withLock({ $0 }) { return .unreachable("away") }
        if request.url.path.hasSuffix("logs"), let groups = try? OTLPDecoder.logs(protobuf: request.body) {
            let names = groups.flatMap { $0.scopes.flatMap(\.records) }.map(\.eventName)
            received.withLock { $0 += names }
        }
        return .response(status: 200, retryAfter: nil, body: [])
    }
}

@Suite(.timeLimit(.minutes(5))) struct `What was recorded for another endpoint` {
    private let folder = temporaryFolder()
    private let lines = Locked<[String]>([])

    private func start(_ tenant: String?, _ region: Region) -> Telemetry {
        var configuration = TelemetryConfiguration.quiet("tenant", in: folder)
        configuration.tenant = tenant
        configuration.onDiagnostic = { [lines] line in lines.withLock { $0.append(line) } }
        return Telemetry.start(configuration, transport: region)
    }

    /// A launch that records an event, sends nothing, and ends.
    private func record(_ name: String, for tenant: String?) async -> String {
        let region = Region()
        region.isAway.withLock { $0 = true }
        let telemetry = start(tenant, region)
        telemetry.logger("app").emit(name)
        await telemetry.flush()
        await telemetry.shutdown(sending: false)
        return telemetry.installationID
    }

    private var changes: Int { lines.withLock { $0.count { $0.contains("tenant has changed") } } }

    @Test(arguments: [nil, "eu"])
    func `goes to the new one by default, and for the same tenant`(tenant: String?) async {
        let before = await record("waiting", for: tenant)
        let region = Region()
        let telemetry = start(tenant, region)
        await telemetry.flush()
        #expect(region.names.contains("waiting"))
        #expect(telemetry.installationID == before && changes == 0)
        await telemetry.shutdown()
    }

    @Test(arguments: [nil, "eu"])
    func `is deleted if the app names another tenant, or the first`(tenant: String?) async {
        let before = await record("waiting", for: tenant)
        let region = Region()
        let telemetry = start("us", region)
        telemetry.logger("app").emit("new")
        let report = await telemetry.flush()
        #expect(region.names.contains("new") && !region.names.contains("waiting"))
        #expect(report.ledger.pending == 0 && report.ledger.isBalanced)
        #expect(telemetry.installationID != before && !telemetry.installationID.isEmpty)
        #expect(changes == 1)
        await telemetry.shutdown()
        let next = start("us", region)
        #expect(changes == 1)
        await next.shutdown()
    }

    @Test func `leaves the user's decision as it was`() async {
        let region = Region()
        let first = start("eu", region)
        await first.setConsent(.pending)
        await first.shutdown()
        let second = start("us", region)
        #expect(second.consent == .pending)
        await second.shutdown()
    }
}
