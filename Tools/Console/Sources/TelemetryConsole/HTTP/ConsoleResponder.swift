import ConsoleStore
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import ServerSupport

/// Handles every request of the console.
struct ConsoleResponder: HTTPResponder {
    typealias Context = BasicRequestContext

    private let origin: RequestOrigin
    private let ingest: IngestHandler
    let api: APIHandler
    private let live: LiveHandler
    private let assets: AssetLibrary
    private let sites: [MountedSite]

    /// The maximum length of path and query in bytes, enough for a search with 8 words of 200 characters.
    private static let longestTarget = 8_192

    init(
        configuration: ConsoleConfiguration, store: TelemetryStore, health: IssueIndexer, queries: QuerySource,
        boards: BoardLibrary, alerts: AlertMonitor, assets: AssetLibrary, sites: [MountedSite],
    ) {
        origin = RequestOrigin(listeningOn: configuration.host)
        ingest = IngestHandler(store: store, limits: configuration.limits, logger: configuration.logger)
        api = APIHandler(
            store: store, configuration: configuration, health: health, queries: queries, boards: boards,
            alerts: alerts, sites: sites, )
        live = LiveHandler(store: store, limits: configuration.limits)
        self.assets = assets
        self.sites = sites
    }

    func respond(to request: Request, context: BasicRequestContext) async throws -> Response {
        var response: Response
        do {
            response = try await handle(request)
        } catch let failure as APIFailure {
            response = failure.response
        } catch let error as QuerySource.Busy {
            response = APIFailure(error).response
        } catch let error as QuerySource.Preparing {
            response = APIFailure(error).response
        } catch let error as StoreError {
            context.logger.error("query failed: \(error)")
            response = APIFailure(.internalServerError, "\(error)").response
        }
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.referrerPolicy] = "no-referrer"
        response.headers[.crossOriginResourcePolicy] = "same-origin"
        return request.method == .head ? response.createHeadResponse() : response
    }

    private func handle(_ request: Request) async throws -> Response {
        guard request.uri.string.utf8.count <= Self.longestTarget else {
            throw APIFailure(.uriTooLong, "the path and query are longer than \(Self.longestTarget) bytes")
        }
        do throws(RequestOrigin.Refusal) {
            try origin.check(request.head)
            if request.method != .get, request.method != .head { try origin.checkChange(request.head) }
        } catch {
            throw APIFailure(error.status, error.message)
        }
        if let site = sites.first(where: { $0.owns(request.uri.path) }) { return try await site.respond(request) }
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
        case .ingest(let signal): return await ingest.respond(to: request, signal: signal)
        case .page: return assets.page()
        case .asset(let name):
            guard let asset = assets.asset(name, unless: request.headers[.ifNoneMatch]) else {
                throw APIFailure(.notFound, "not found: asset \(name)")
            }
            return asset
        case .live:
            return request.method == .head
                ? Response(status: .ok, headers: LiveHandler.headers) : try await live.respond(to: request)
        default: return try await api.respond(to: route, request: request)
        }
    }
}

extension HTTPField.Name {
    static let xContentTypeOptions = Self("X-Content-Type-Options") ?? .contentType
    static let referrerPolicy = Self("Referrer-Policy") ?? .contentType
    static let crossOriginResourcePolicy = Self("Cross-Origin-Resource-Policy") ?? .contentType
}
