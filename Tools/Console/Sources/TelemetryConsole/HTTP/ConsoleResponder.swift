import ConsoleAccess
import ConsoleModel
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import ServerSupport
import Symbolication

/// Handles every request of the console.
struct ConsoleResponder: HTTPResponder {
    typealias Context = ConsoleContext

    private let origin: RequestOrigin
    private let pages: CrossOriginPages
    let services: ConsoleServices
    private let sites: [MountedSite]
    private let readiness: Readiness
    private let instruments: ConsoleInstruments
    private let scheme: String
    private let watch = ConnectionWatch()

    /// The maximum length of path and query in bytes, enough for a search with 8 words of 200 characters.
    private static let longestTarget = 8_192

    init(
        configuration: ConsoleConfiguration, store: any TelemetryStore, receiver: IngestReceiver, health: IssueIndexer,
        queries: QuerySource, boards: BoardLibrary, alerts: AlertMonitor, assets: AssetLibrary, symbols: SymbolStore,
        policies: PolicyLibrary, access: AccessControl, readiness: Readiness, sites: [MountedSite],
    ) {
        instruments = configuration.instruments
        scheme = configuration.tls == nil ? "http" : "https"
        origin = RequestOrigin(listeningOn: configuration.host, publicNames: configuration.publicNames)
        pages = CrossOriginPages(configuration.corsOrigins)
        let markers = ReleaseMarkerFile(path: configuration.releasesPath)
        let releases = ReleaseHandler(file: markers)
        let access = AccessHandler(access, port: configuration.port, isEncrypted: configuration.tls != nil)
        services = ConsoleServices(
            ingest: IngestHandler(receiver: receiver),
            api: APIHandler(
                store: store, configuration: configuration, health: health, queries: queries, boardFiles: boards,
                monitor: alerts, sites: sites, forwarder: receiver.forwarder, asker: receiver.asker,
                markers: markers),
            live: LiveHandler(store: store, limits: configuration.limits),
            uploads: SymbolHandler(symbols, releases: releases, limits: configuration.limits), releases: releases,
            policies: PolicyHandler(policies: policies), opamp: OpAMPHandler(policies, access: access),
            assets: assets, access: access)
        self.readiness = readiness
        self.sites = sites
    }

    func respond(to request: Request, context: ConsoleContext) async throws -> Response {
        try await instruments.respond(to: request, scheme: scheme) { try await answer(request, context: context) }
    }

    private func answer(_ request: Request, context: ConsoleContext) async throws -> Response {
        let page = pages.origin(of: request)
        var response: Response
        do {
            response = try await handle(request, context, page: page)
        } catch {
            guard let failure = APIFailure(of: error) else { throw error }
            if error is StoreError, failure.status == .internalServerError {
                context.logger.error("query failed: \(error)")
            }
            response = failure.response
        }
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.referrerPolicy] = "no-referrer"
        response.headers[.crossOriginResourcePolicy] = "same-origin"
        if let page { CrossOriginPages.permit(page, to: &response) }
        response.headers[.strictTransportSecurity] = services.access.transportSecurity(of: request, peer: context.peer)
        return request.method == .head ? response.createHeadResponse() : response
    }

    /// - Parameter page: The origin of a page of another site that may send the request; `nil` if there is none.
    private func handle(_ request: Request, _ context: ConsoleContext, page: String?) async throws -> Response {
        guard request.uri.string.utf8.count <= Self.longestTarget else {
            throw APIFailure(.uriTooLong, "the path and query are longer than \(Self.longestTarget) bytes")
        }
        // A balancer sends no key and its own host name, or none at all.
        if let probe = HealthProbe(path: request.uri.path), [.get, .head].contains(request.method) {
            return await probe.response(readiness)
        }
        do throws(RequestOrigin.Refusal) {
            try origin.check(request.head)
            if page == nil, request.method != .get, request.method != .head { try origin.checkChange(request.head) }
        } catch {
            throw APIFailure(error.status, error.message)
        }
        if page != nil, let response = CrossOriginPages.preflight(request) { return response }
        let client = services.access.client(request.headers, peer: context.peer)
        if let site = sites.first(where: { $0.owns(request.uri.path) }) {
            do {
                _ = try admit(request, to: .key(.view), from: client)
            } catch {
                guard error.status == 401, request.method == .get, request.headers[.accept]?.contains("html") == true
                else { throw error }
                return AccessHandler.signIn(returningTo: request.uri.string)
            }
            return try await site.respond(request)
        }
        guard let match = ConsoleRoute.match(request.uri.path) else {
            throw APIFailure(.notFound, "not found: \(request.uri.path)")
        }
        guard let route = match.route(request.method) else {
            let allowed = match.methods.map(\.rawValue).joined(separator: ", ")
            var failure = APIFailure(.methodNotAllowed, "\(request.uri.path) allows only \(allowed)")
            failure.headers[.allow] = allowed
            throw failure
        }
        let key = try admit(request, to: route.access, from: client)
        let call = RouteCall(request: request, values: match.values, key: key, client: client, peer: context.peer)
        try route.check(call)
        switch route.admission {
        case .ingest, .plain: return try await route.respond(services, call)
        case .queries:
            let asker = QueryAsker(viewer: key?.id ?? client.address.text, kind: try call.query.queryClass())
            return try await answering(asker, context) { [services] in try await route.respond(services, call) }
        }
    }

    /// Checks the key that a route needs. Returns `nil` if it needs none, or the console has none.
    private func admit(
        _ request: Request, to access: ConsoleRoute.Access, from client: RequestClient,
    ) throws(AccessRefusal) -> AccessKey? {
        switch access {
        case .open, .sender: return nil
        case .key(let use): return try services.access.admit(request, for: use, from: client)
        }
    }

    /// Makes a response whose queries are those of `asker`. They end when the connection closes.
    private func answering(
        _ asker: QueryAsker, _ context: ConsoleContext, _ make: @escaping @Sendable () async throws -> Response,
    ) async throws -> Response {
        try await QueryAsker.$current.withValue(asker) {
            guard let connection = context.connection else { return try await make() }
            return try await watch.run(for: connection, make)
        }
    }
}

extension HTTPField.Name {
    static let xContentTypeOptions = Self("X-Content-Type-Options") ?? .contentType
    static let referrerPolicy = Self("Referrer-Policy") ?? .contentType
    static let crossOriginResourcePolicy = Self("Cross-Origin-Resource-Policy") ?? .contentType
}
