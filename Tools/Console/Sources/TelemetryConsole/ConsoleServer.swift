package import ConsoleStore
import Foundation
package import Hummingbird
import HummingbirdCore
import NIOCore
import ServerSupport
import Symbolication

/// A local OTLP receiver with web pages for sessions and traces, on one port and one SQLite file.
///
///     let console = try await ConsoleServer(ConsoleConfiguration(databasePath: "console.sqlite"))
///     try await console.run { port in print("http://127.0.0.1:\(port)") }      // until the task is cancelled
///
/// The store is open from `init` until `run` returns. Other code may read from it and write to it.
package struct ConsoleServer: Sendable {
    package let configuration: ConsoleConfiguration
    package let store: TelemetryStore
    let responder: ConsoleResponder
    private let alerts: AlertMonitor
    private let queries: QuerySource

    /// Opens the store and loads the pages. The console does not listen yet.
    ///
    /// - Parameter sites: Other sites to serve at this console's address.
    package init(_ configuration: ConsoleConfiguration, sites: [MountedSite] = []) async throws(ConsoleError) {
        let assets: AssetLibrary
        do {
            assets = try AssetLibrary(in: .module)
        } catch {
            throw .assetsMissing(path: error.path)
        }
        PrivateFiles.createDatabase(configuration.store.path)
        do {
            store = try await TelemetryStore(configuration.store)
            PrivateFiles.protectDatabase(configuration.store.path)
        } catch {
            throw .store(error)
        }
        self.configuration = configuration
        let symbols = SymbolStore(folder: configuration.symbolsFolder)
        let health = IssueIndexer(store: store, symbols: symbols, logger: configuration.logger)
        queries = QuerySource(
            store, engineLimits: configuration.limits.query, lineLimits: configuration.limits.queries,
            logger: configuration.logger,
            indexIssues: { try await health.update() }, )
        let boards = BoardLibrary(folder: configuration.boardsFolder)
        alerts = AlertMonitor(boards: boards, queries: queries, logger: configuration.logger)
        responder = ConsoleResponder(
            configuration: configuration, store: store, health: health, queries: queries, boards: boards,
            alerts: alerts, assets: assets, sites: sites, )
    }

    /// Creates a Hummingbird application, for `HummingbirdTesting` or the caller's own service group.
    ///
    /// The caller must close the store.
    ///
    /// - Parameter onReady: Called once with the bound port when the console listens.
    package func application(
        onReady: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        let connections = configuration.limits.connections
        return Application(
            responder: responder,
            server: .guarded(by: connections, idleTimeout: .seconds(120)),
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port),
                availableConnectionsDelegate: .maximum(connections.acceptLimit, logger: configuration.logger),
            ),
            services: [
                RetentionService(
                    store: store, interval: configuration.retentionInterval, logger: configuration.logger, ),
                QueryPreparation(queries: queries, api: responder.api, logger: configuration.logger),
                AlertService(
                    monitor: alerts, webhooks: WebhookSender(), store: store, interval: configuration.alertInterval,
                    logger: configuration.logger, ),
            ],
            onServerRunning: { channel in await onReady(channel.localAddress?.port ?? 0) },
            logger: configuration.logger,
        )
    }

    /// Runs the server until the task is cancelled or the service group shuts down, then closes the store.
    ///
    /// Active requests may finish for at most `shutdownTime`. Live connections are closed immediately.
    ///
    /// - Parameter onReady: Called once with the bound port when the console listens.
    /// - Throws: `ListeningError` if the console cannot listen.
    package func run(onReady: @escaping @Sendable (_ port: Int) async -> Void = { _ in }) async throws {
        let listening = ListeningService(
            host: configuration.host, port: configuration.port, shutdownTime: configuration.shutdownTime,
            logger: configuration.logger,
        )
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await listening.run(application(onReady: onReady)))
        } catch {
            outcome = .failure(error)
        }
        await store.close()
        try outcome.get()
    }
}
