import Astrolabe
import AstrolabeServer
import AstrolabeTestSupport
import Foundation
import Logging
import ServiceLifecycle
import Testing

/// The one test that starts the SDK of this process.
@Suite(.timeLimit(.minutes(5))) struct `The SDK of a server as a service` {
    private struct Work: Service {
        let telemetry: Telemetry

        func run() async {
            telemetry.tracer("test").withSpan("work") { _ in }
        }
    }

    @Test func `sends what the other services recorded when the group ends`() async throws {
        let server = try RawServer { _, connection in connection.answer(200, "") }
        let folder = TemporaryDirectory()
        var configuration = TelemetryConfiguration(serviceName: "server-test")
        configuration.endpoint = OTLPEndpoint(url: try server.baseURL)
        configuration.storageDirectory = URL(fileURLWithPath: folder.path)
        // Only the end sends.
        configuration.flushInterval = .seconds(3_600)
        var telemetry = ServerTelemetry(configuration)
        telemetry.shutdownTimeout = .seconds(60)
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [
                    .init(service: telemetry),
                    .init(
                        service: Work(telemetry: telemetry.telemetry),
                        successTerminationBehavior: .gracefullyShutdownGroup),
                ],
                logger: Logging.Logger(label: "test"),
            ))
        try await group.run()
        #expect(server.requests.map(\.target).contains("/v1/traces"))
        #expect(await telemetry.telemetry.report.ledger.pending == 0)
    }
}
