import AstrolabeSemantics
import HTTPTypes
import Hummingbird
import Metrics

/// Counts active requests and measures how long each takes, after OpenTelemetry's semantic conventions for HTTP.
///
/// Replaces Hummingbird's `MetricsMiddleware`, which leaves out the required `url.scheme` and the `error.type` of a
/// failure, and counts each request again under a name of its own. A duration ends when the response is ready to be
/// written.
struct ServerMetricsMiddleware: RouterMiddleware {
    typealias Context = ShopRequestContext

    func handle(
        _ request: Request, context: ShopRequestContext, next: (Request, ShopRequestContext) async throws -> Response,
    ) async throws -> Response {
        let start = ContinuousClock.now
        var method = request.method.rawValue
        if !KnownValue.httpMethods.contains(method) { method = KnownValue.otherHTTPMethod }
        var dimensions = [(AttributeKey.httpRequestMethod, method), (AttributeKey.urlScheme, "http")]
        let active = Meter(label: ShopMetrics.activeRequests, dimensions: dimensions)
        active.increment()
        defer { active.decrement() }
        let response = try await next(request, context)
        let status = String(response.status.code)
        dimensions.append((AttributeKey.httpResponseStatusCode, status))
        if let route = context.endpointPath { dimensions.append((AttributeKey.httpRoute, route)) }
        if response.status.code >= 500 { dimensions.append((AttributeKey.errorType, status)) }
        Timer(label: MetricName.httpServerRequestDuration, dimensions: dimensions, preferredDisplayUnit: .seconds)
            .record(duration: .now - start)
        return response
    }
}
