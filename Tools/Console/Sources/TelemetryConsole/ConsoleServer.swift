import ClickHouse
import ConsoleAccess
package import ConsoleModel
import ConsoleStore
import Foundation
package import Hummingbird
import HummingbirdCore
import NIOCore
import ServerSupport
import ServiceLifecycle
import Symbolication

/// A local OTLP receiver with web pages for sessions and traces, on one SQLite file.
///
///     let console = try await ConsoleServer(ConsoleConfiguration(databasePath: "console.sqlite"))
///     try await console.run { ports in print("http://127.0.0.1:\(ports.http)") }      // until the task is cancelled
///
/// The store is open from `init` until `run` returns. Other code may read from it and write to it.
package struct ConsoleServer: Sendable {
    package let configuration: ConsoleConfiguration
    package let store: any TelemetryStore
    let responder: ConsoleResponder
    let receiver: IngestReceiver
    private let readiness: Readiness
    private let forwarder: Forwarder?
    private let asker: PromotionAsker?
    let alerts: AlertMonitor
    let notices: NoticeQueue
    let policies: PolicyLibrary
    private let queries: QuerySource
    private let access: AccessControl
    /// `nil` for HTTP.
    private let tls: ConsoleTLS?

    /// Read and joined once, also for several consoles in one process.
    private static let pages: Result<AssetLibrary, AssetLibrary.Missing> = Result {
        () throws(AssetLibrary.Missing) in try AssetLibrary(in: .module)
    }

    /// Opens the store and loads the pages. The console does not listen yet.
    ///
    /// - Parameter sites: Other sites to serve at this console's address.
    package init(_ configuration: ConsoleConfiguration, sites: [MountedSite] = []) async throws(ConsoleError) {
        let assets: AssetLibrary
        do {
            assets = try Self.pages.get()
        } catch {
            throw .assetsMissing(path: error.path)
        }
        try configuration.checkForwarding()
        access = try Self.access(configuration)
        tls = try Self.tls(configuration)
        if configuration.grpcPort != nil, configuration.capabilities.grpc == nil { throw .notBuilt("OTLP over gRPC") }
        do {
            store = try await Self.store(configuration)
        } catch let error as StoreError {
            throw .store(error)
        } catch {
            throw .store(.failed(detail: "\(error)"))
        }
        do {
            forwarder = try configuration.forwarding.map {
                try Forwarder(
                    $0, transport: configuration.capabilities.makeTransport(), logger: configuration.logger)
            }
        } catch {
            throw .store(.failed(detail: "\(error)"))
        }
        asker = configuration.recorderServer.map { [store] server in
            PromotionAsker(
                server, store: store, transport: configuration.capabilities.makeTransport(),
                logger: configuration.logger)
        }
        self.configuration = configuration
        let symbols = SymbolStore(folder: configuration.symbolsFolder)
        let health = IssueIndexer(store: store, symbols: symbols, logger: configuration.logger)
        queries = QuerySource(
            store, engineLimits: configuration.limits.query,
            scheduler: QueryScheduler(Self.turns(configuration)), logger: configuration.logger,
            indexIssues: { try await health.update() })
        let boards = BoardLibrary(folder: configuration.boardsFolder)
        notices = Self.notices(configuration)
        alerts = AlertMonitor(
            boards: boards, queries: queries, path: configuration.alertsPath, notices: notices,
            logger: configuration.logger)
        receiver = IngestReceiver(
            store: store, limits: configuration.limits, access: access, logger: configuration.logger,
            forwarder: forwarder, asker: asker, instruments: configuration.instruments)
        policies = PolicyLibrary(
            path: configuration.policiesPath, agentsPath: configuration.policyAgentsPath,
            lifetime: configuration.store.retention.age, logger: configuration.logger,
            now: { Int64(clamping: configuration.store.now() / 1_000_000_000) })
        readiness = Readiness(logger: configuration.logger) { [store] () throws(StoreError) in try await store.check() }
        responder = ConsoleResponder(
            configuration: configuration, store: store, receiver: receiver, health: health, queries: queries,
            boards: boards, alerts: alerts, assets: assets, symbols: symbols, policies: policies, access: access,
            readiness: readiness, sites: sites)
    }

    private static func turns(_ configuration: ConsoleConfiguration) -> QuerySchedule.Limits {
        var limits = configuration.limits.queries
        guard configuration.clickHouse != nil else { return limits }
        // ClickHouse evaluates queries on processors of its own.
        limits.runningOfViewer = max(limits.runningOfViewer, 4)
        limits.running = max(limits.running, limits.runningOfViewer + 1)
        return limits
    }

    /// - Throws: If other machines can reach the console and there is no key.
    private static func access(_ configuration: ConsoleConfiguration) throws(ConsoleError) -> AccessControl {
        let file = KeyFile(path: configuration.keysPath, digest: configuration.capabilities.digest)
        let isExposed = !RequestOrigin.isLoopback(configuration.host) || !configuration.publicNames.isEmpty
        do {
            let keys = try file.keys()
            guard keys.isEmpty || configuration.capabilities.digest != nil else { throw KeyFileError.noDigest }
            guard !isExposed || keys.contains(where: { $0.isValid(at: Date()) }) else {
                throw ConsoleError.keysMissing(
                    host: configuration.publicNames.first ?? configuration.host, path: file.path)
            }
        } catch let error as KeyFileError {
            throw .keys(error)
        } catch {
            throw (error as? ConsoleError) ?? .keysMissing(host: configuration.host, path: file.path)
        }
        return AccessControl(
            keys: file, isExposed: isExposed, own: configuration.ownKey,
            audit: AuditLog(path: configuration.auditPath), logger: configuration.logger)
    }

    private static func notices(_ configuration: ConsoleConfiguration) -> NoticeQueue {
        var webhooks = configuration.webhooks
        webhooks.transport = configuration.capabilities.makeTransport()
        webhooks.hosts = configuration.webhookHosts
        let port = configuration.port
        return NoticeQueue(
            path: configuration.noticesPath, sender: webhooks,
            address: port == 0 ? nil : configuration.linkAddress(port: port), logger: configuration.logger,
            now: { Int64(clamping: configuration.store.now()) })
    }

    private static func tls(_ configuration: ConsoleConfiguration) throws(ConsoleError) -> ConsoleTLS? {
        guard let certificate = configuration.tls else { return nil }
        guard let tls = configuration.capabilities.tls else { throw .notBuilt("TLS") }
        return try tls(certificate)
    }

    private static func store(_ configuration: ConsoleConfiguration) async throws -> any TelemetryStore {
        if let clickHouse = configuration.clickHouse {
            return try await ClickHouseStore(clickHouse, configuration.store)
        }
        OwnerFiles.createDatabase(configuration.store.path)
        let store = try await SQLiteStore(configuration.store)
        OwnerFiles.protectDatabase(configuration.store.path)
        return store
    }

    /// Reads the certificate and the keys again, for connections and requests from now on.
    ///
    /// - Throws: If the certificate cannot be used. The console goes on with the one before.
    package func reload() throws(ConsoleError) {
        access.reload()
        try tls?.reload()
    }

    /// Returns the receiver of OTLP over gRPC; `nil` if the console has none.
    private func makeGRPC() -> (any GRPCReceiver)? {
        guard let port = configuration.grpcPort else { return nil }
        return configuration.capabilities.grpc?(
            GRPCSettings(host: configuration.host, port: port, tls: tls), receiver)
    }

    /// Creates a Hummingbird application, for `HummingbirdTesting` or the caller's own service group.
    ///
    /// The caller must close the store.
    ///
    /// - Parameter onReady: Called once with the bound ports when the console listens.
    package func application(
        onReady: @escaping @Sendable (ConsolePorts) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        let connections = configuration.limits.connections
        let grpc = makeGRPC()
        let services: [any Service] = [
            RetentionService(store: store, interval: configuration.retentionInterval, logger: configuration.logger),
            UseService(access: access, policies: policies, interval: configuration.keyUseInterval),
            QueryPreparation(queries: queries, services: responder.services, logger: configuration.logger),
            AlertService(monitor: alerts, notices: notices, store: store, interval: configuration.alertInterval),
        ]
        let optional: [(any Service)?] = [forwarder, asker, grpc]
        var application = Application(
            responder: responder,
            server: .guarded(by: connections, idleTimeout: .seconds(120)) { [tls] in try tls?.start($0, .http1) },
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port),
                availableConnectionsDelegate: .maximum(connections.acceptLimit, logger: configuration.logger),
            ),
            services: services + optional.compactMap(\.self),
            onServerRunning: { channel in
                if let port = channel.localAddress?.port {
                    await notices.serve(at: configuration.linkAddress(port: port))
                }
                await onReady(ConsolePorts(http: channel.localAddress?.port ?? 0, grpc: try? await grpc?.port))
            },
            logger: configuration.logger,
        )
        if let grpc { application.beforeServerStarts { _ = try await grpc.port } }
        return application
    }

    /// Runs the server until the task is cancelled or the service group shuts down, then closes the store.
    ///
    /// It is not ready from then on, and listens for `drainTime` more. Then active requests may finish for at most
    /// `shutdownTime`. Live connections are closed immediately.
    ///
    /// - Parameter onReady: Called once with the bound ports when the console listens.
    /// - Throws: `ListeningError` if the console cannot listen.
    package func run(onReady: @escaping @Sendable (ConsolePorts) async -> Void = { _ in }) async throws {
        let listening = ListeningService(
            host: configuration.host, port: configuration.port, shutdownTime: configuration.shutdownTime,
            logger: configuration.logger,
            beforeStopping: {
                await readiness.drain()
                try? await Task.sleep(for: configuration.drainTime)
            },
        )
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await listening.run(application(onReady: onReady)))
        } catch {
            outcome = .failure(error)
        }
        forwarder?.close()
        access.audit.flush()
        access.storeUses()
        await policies.storeAgents()
        await store.close()
        try outcome.get()
    }
}
