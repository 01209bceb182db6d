import Foundation
package import Hummingbird
import HummingbirdCore
import NIOCore
import ServerSupport

/// The astronomy shop's backend: the OpenTelemetry demo's `/api` over one SQLite database, on one socket.
///
/// ```swift
/// var configuration = ShopBackend.Configuration()
/// configuration.port = 8080
/// let shop = try ShopBackend(configuration: configuration)
/// try await shop.run { port in print("http://127.0.0.1:\(port)") }    // until the task is cancelled
/// ```
///
/// Traces, metrics and logs go to whatever backends swift-distributed-tracing, swift-metrics and swift-log have:
/// install those first, for the process or, with `withTracer` and `withMetricsFactory`, around ``run(onReady:)``.
package struct ShopBackend: Sendable {
    /// The fault flags, switchable while the shop runs, here or with `PUT /flags`.
    package let faults: FaultSwitches

    let configuration: Configuration
    let services: ShopServices

    /// Opens the database and reads the pictures; nothing listens yet.
    ///
    /// - Throws: ``ShopBackendError``.
    package init(configuration: Configuration = Configuration()) throws(ShopBackendError) {
        self.configuration = configuration
        faults = FaultSwitches(configuration.flags)
        services = try ShopServices(configuration: configuration, faults: faults)
    }

    /// The shop as a Hummingbird application, for `HummingbirdTesting` or a service group of the caller's.
    ///
    /// - Parameter onReady: called once with the bound port when the shop listens.
    package func application(
        onReady: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        let connections = ConnectionLimits(total: configuration.limits.connections)
        return Application(
            router: ShopRouter.make(services: services, configuration: configuration),
            server: .guarded(by: connections, idleTimeout: .seconds(60)),
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port),
                availableConnectionsDelegate: .maximum(connections.acceptLimit, logger: configuration.logger),
            ),
            onServerRunning: { channel in
                await onReady(channel.localAddress?.port ?? 0)
            },
            logger: configuration.logger,
        )
    }

    /// Listens and serves requests until the task is cancelled or the surrounding service group shuts down.
    ///
    /// Requests under way then end first, for at most ``Configuration/shutdownTime``; idle connections are closed.
    ///
    /// - Parameter onReady: called once with the bound port when the shop listens.
    /// - Throws: `ListeningError` if it cannot listen.
    package func run(onReady: @escaping @Sendable (_ port: Int) async -> Void = { _ in }) async throws {
        let listening = ListeningService(
            host: configuration.host, port: configuration.port, shutdownTime: configuration.shutdownTime,
            logger: configuration.logger,
        )
        try await listening.run(application(onReady: onReady))
    }
}
