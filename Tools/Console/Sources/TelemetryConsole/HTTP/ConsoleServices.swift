import ConsoleAccess
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import ServerSupport

/// The services that respond to the requests of the routes.
struct ConsoleServices: Sendable {
    let ingest: IngestHandler
    let api: APIHandler
    let live: LiveHandler
    let uploads: SymbolHandler
    let releases: ReleaseHandler
    let policies: PolicyHandler
    let opamp: OpAMPHandler
    let assets: AssetLibrary
    let access: AccessHandler

    /// Returns the API's response to a `GET`, for the console itself or an assistant with a viewer's key.
    ///
    /// - Parameter target: Path and query.
    /// - Throws: `APIFailure` if viewers cannot read the path.
    func read(_ target: String) async throws -> Response {
        let head = HTTPRequest(method: .get, scheme: nil, authority: nil, path: target)
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
        guard let match = ConsoleRoute.match(request.uri.path), let route = match.route(.get),
            route.access == .key(.view), route.admission == .queries
        else { throw APIFailure(.notFound, "not found: \(request.uri.path)") }
        let call = RouteCall(
            request: request, values: match.values, key: nil, client: RequestClient([:], peer: nil), peer: nil)
        return try await route.respond(self, call)
    }

    /// The summaries that pages ask for when they open.
    private static let usual = [
        "status", "services", "devices?limit=50", "metrics", "health/releases", "health/screens",
    ]

    /// Makes the usual summaries before anyone asks, if the store is so large that they are kept.
    func prepareSummaries() async throws {
        guard try await api.keepsAnswers() else { return }
        try await api.health.update()
        for target in Self.usual { _ = try await read("/api/v1/" + target) }
    }
}
