import HTTPTypes
import Hummingbird
import Logging
import ServerSupport

/// Rejects requests of other sites' pages and targets longer than ``longestTarget``, before they reach telemetry. All
/// others get the phone's ids, in the context and in every log line.
struct RequestGate: RouterMiddleware {
    typealias Context = ShopRequestContext

    private let origin: RequestOrigin

    init(host: String) {
        origin = RequestOrigin(listeningOn: host)
    }

    /// Bytes of path and query; a shipping quote for 50 products with a long address takes under 6,000.
    static let longestTarget = 16_384

    func handle(
        _ request: Request, context: ShopRequestContext, next: (Request, ShopRequestContext) async throws -> Response,
    ) async throws -> Response {
        guard request.uri.string.utf8.count <= Self.longestTarget else {
            return try ShopFailure(
                status: .uriTooLong, message: "path and query: are longer than \(Self.longestTarget) bytes",
            ).response
        }
        do throws(RequestOrigin.Refusal) {
            try origin.check(request.head)
            if request.method != .get, request.method != .head { try origin.checkChange(request.head) }
        } catch {
            return try ShopFailure(status: error.status, message: error.message).response
        }
        var context = context
        context.correlation = Correlation(headers: request.headers)
        for (name, value) in context.correlation.attributes {
            context.logger[metadataKey: name] = .string(value)
        }
        return try await next(request, context)
    }
}
