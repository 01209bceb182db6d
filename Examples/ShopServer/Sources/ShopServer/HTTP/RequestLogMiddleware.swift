import AstrolabeSemantics
import HTTPTypes
import Hummingbird
import Logging

/// One log line a request, when it is answered: "POST /api/cart 200".
///
/// Hummingbird's `LogRequestsMiddleware` logs before there is a status, and with the query, which for a shipping quote
/// holds a postal address. This logs the route's template instead of the target.
///
/// Successes are logged at `info` (health checks at `debug`), 4xx at `notice`, 5xx at `error`.
struct RequestLogMiddleware: RouterMiddleware {
    typealias Context = ShopRequestContext

    func handle(
        _ request: Request, context: ShopRequestContext, next: (Request, ShopRequestContext) async throws -> Response,
    ) async throws -> Response {
        let start = ContinuousClock.now
        let response = try await next(request, context)
        let duration = ContinuousClock.now - start
        let route = context.endpointPath ?? "unknown path"
        let status = Int(response.status.code)
        context.logger.log(
            level: Self.level(status: status, route: route),
            "\(request.method.rawValue) \(route) \(status)",
            metadata: [
                "http.request.method": .string(request.method.rawValue),
                "http.route": .string(route),
                "http.response.status_code": .stringConvertible(status),
                MetricName.httpServerRequestDuration: .stringConvertible(duration / .seconds(1)),
            ],
        )
        return response
    }

    private static func level(status: Int, route: String) -> Logger.Level {
        switch status {
        case 500...: .error
        case 400...: .notice
        default: route == "/health" ? .debug : .info
        }
    }
}
