import Astrolabe
import AstrolabePlatform
import AstrolabeTestSupport
import AstrolabeTesting
import Foundation
import Testing

@Test(.timeLimit(.minutes(5))) func `an app may send its telemetry by a transport of its own`() async throws {
    struct Recording: OTLPTransport {
        let paths = Locked<[String]>([])

        func send(_ request: OTLPRequest) async -> SendResult {
            paths.withLock { $0.append(request.url.path) }
            return .response(status: 200, retryAfter: nil, body: [])
        }
    }
    let folder = TestFolders.folder("transport")
    let transport = Recording()
    var configuration = TelemetryConfiguration(serviceName: "app")
    configuration.isServer = true
    configuration.storageDirectory = folder
    configuration.transport = transport
    let telemetry = Telemetry.start(configuration)
    telemetry.logger("app").emit("demo.order.placed")
    let report = await telemetry.shutdown()
    #expect(transport.paths.withLock { $0 }.contains("/v1/logs"))
    #expect(report.ledger.delivered > 0)
}
