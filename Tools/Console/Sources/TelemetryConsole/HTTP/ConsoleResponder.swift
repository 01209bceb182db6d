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
    private let ingest: IngestHandler
    let api: APIHandler
    private let mcp: MCPHandler
    private let live: LiveHandler
    let uploads: SymbolHandler
    private let releases: ReleaseHandler
    private let assets: AssetLibrary
    private let sites: [MountedSite]
    private let access: AccessHandler
    private let readiness: Readiness
    private let instruments: ConsoleInstruments
    private let scheme: String
    private let watch = ConnectionWatch()

    /// The maximum length of path and query in bytes, enough for a search with 8 words of 200 characters.
    private static let longestTarget = 8_192

    init(
        configuration: ConsoleConfiguration, store: any TelemetryStore, receiver: IngestReceiver, health: IssueIndexer,
        queries: QuerySource, boards: BoardLibrary, alerts: AlertMonitor, assets: AssetLibrary, symbols: SymbolStore,
        access: AccessControl, readiness: Readiness, sites: [MountedSite],
    ) {
        instruments = configuration.instruments
        scheme = configuration.tls == nil ? "http" : "https"
        origin = RequestOrigin(listeningOn: configuration.host, publicNames: configuration.publicNames)
        pages = CrossOriginPages(configuration.corsOrigins)
        self.access = AccessHandler(access, isEncrypted: configuration.tls != nil)
        let markers = ReleaseMarkerFile(path: configuration.releasesPath)
        releases = ReleaseHandler(file: markers)
        uploads = SymbolHandler(symbols, releases: releases, limits: configuration.limits)
        ingest = IngestHandler(receiver: receiver)
        api = APIHandler(
            store: store, configuration: configuration, health: health, queries: queries, boards: boards,
            alerts: alerts, sites: sites, forwarder: receiver.forwarder, releases: markers, )
        mcp = MCPHandler(api: api)
        live = LiveHandler(store: store, limits: configuration.limits)
        self.assets = assets
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
        response.headers[.strictTransportSecurity] = access.transportSecurity(of: request, peer: context.peer)
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
        let client = access.client(request.headers, peer: context.peer)
        if let site = sites.first(where: { $0.owns(request.uri.path) }) {
            do {
                _ = try access.admit(request, for: .view, from: client)
            } catch {
                guard error.status == 401, request.method == .get, request.headers[.accept]?.contains("html") == true
                else { throw error }
                return AccessHandler.signIn(returningTo: request.uri.string)
            }
            return try await site.respond(request)
        }
        guard let route = ConsoleRoute(path: request.uri.path) else {
            throw APIFailure(.notFound, "not found: \(request.uri.path)")
        }
        guard route.methods.contains(request.method) else {
            let allowed = route.methods.map(\.rawValue).joined(separator: ", ")
            var failure = APIFailure(.methodNotAllowed, "\(request.uri.path) allows only \(allowed)")
            failure.headers[.allow] = allowed
            throw failure
        }
        switch route {
        case .ingest(let signal): return await ingest.respond(to: request, signal: signal, peer: context.peer)
        case .mcp:
            let key = try access.admit(request, for: .view, from: client)
            let asker = QueryAsker(viewer: key?.id ?? client.address.text)
            return try await answering(asker, context) { try await mcp.respond(to: request) }
        case .access: return try await access.respond(to: request, from: client)
        case .symbols:
            let key = try access.admit(request, for: .symbols, from: client)
            let (response, names) = try await uploads.respond(to: request, from: client.address.account(of: key))
            access.record("symbols-uploaded", by: key, from: client, detail: names)
            return response
        case .symbolsOf(let build):
            _ = try access.admit(request, for: .symbols, from: client)
            return try uploads.find(build)
        case .releases where request.method == .post:
            let key = try access.admit(request, for: .symbols, from: client)
            let (response, version) = try await releases.record(request)
            access.record("release-recorded", by: key, from: client, detail: version)
            return response
        case .releases:
            _ = try access.admit(request, for: .view, from: client)
            return try await releases.list(QueryReader(request.uri))
        case .page: return assets.page()
        case .asset(let name):
            guard let asset = assets.asset(name, unless: request.headers[.ifNoneMatch]) else {
                throw APIFailure(.notFound, "not found: asset \(name)")
            }
            return asset
        case .live:
            _ = try access.admit(request, for: .view, from: client)
            return request.method == .head
                ? Response(status: .ok, headers: LiveHandler.headers)
                : try await live.respond(to: request) { access.isAdmitted(request) }
        default:
            let key = try access.admit(request, for: .view, from: client)
            let kind = try QueryReader(request.uri).queryClass()
            let asker = QueryAsker(viewer: key?.id ?? client.address.text, kind: kind)
            let response = try await answering(asker, context) {
                try await api.respond(to: route, request: request)
            }
            if case .board(.board(let id)) = route, request.method == .put || request.method == .delete {
                access.record("board-changed", by: key, from: client, detail: id)
            }
            return response
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
