import HTTPTypes
import Hummingbird
import Logging
import ShopContract

/// Turns away what would reach telemetry without a bound: made-up methods, which become metric dimensions, and targets
/// longer than ``longestTarget``. Whoever passes is given the phone's ids, in the context and in every log line.
struct RequestGate: RouterMiddleware {
    typealias Context = ShopRequestContext

    /// Bytes of path and query; a shipping quote for 50 products with a long address takes under 6,000.
    static let longestTarget = 16_384

    private static let methods: Set<HTTPRequest.Method> = [
        .get, .head, .post, .put, .delete, .patch, .options, .trace, .connect,
    ]

    func handle(
        _ request: Request, context: ShopRequestContext, next: (Request, ShopRequestContext) async throws -> Response
    ) async throws -> Response {
        guard request.uri.string.utf8.count <= Self.longestTarget else {
            return try ShopFailure(
                status: .uriTooLong, message: "path and query: are longer than \(Self.longestTarget) bytes"
            ).response
        }
        guard Self.methods.contains(request.method) else {
            let allowed = ShopRoute.allowedMethods(path: request.uri.path)
            return try ShopFailure(allowed.isEmpty ? .notFound : .methodNotAllowed(allowed: allowed)).response
        }
        var context = context
        context.correlation = Correlation(headers: request.headers)
        for (name, value) in context.correlation.attributes {
            context.logger[metadataKey: name] = .string(value)
        }
        return try await next(request, context)
    }
}
