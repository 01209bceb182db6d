import Foundation
import HTTPTypes
import Hummingbird
import ShopAPI
import Tracing

/// One server span a request, after OpenTelemetry's semantic conventions for HTTP.
///
/// It stands in for Hummingbird's `TracingMiddleware` for three reasons. That one names the span by the route alone, so
/// that reading, changing and emptying a cart look alike. It writes every query value to the span, postal addresses
/// included. It leaves a 5xx response without an error status. This one also puts the phone's ids on the span.
///
/// The span starts when the request's head was read and ends when the answer is ready to be written.
struct ServerSpanMiddleware: RouterMiddleware {
    typealias Context = ShopRequestContext

    /// Query values that say nothing about a person; others are shown as "REDACTED".
    private static let openParameters: Set<Substring> = [
        "currencyCode", "sessionId", "productIds", "contextKeys", "itemList",
    ]

    func handle(
        _ request: Request, context: ShopRequestContext, next: (Request, ShopRequestContext) async throws -> Response,
    ) async throws -> Response {
        var parent = InstrumentationContext.current ?? .topLevel
        InstrumentationSystem.instrument.extract(request.headers, into: &parent, using: HeaderExtractor())
        return try await withSpan(request.method.rawValue, context: parent, ofKind: .server) { span in
            span.updateAttributes { attributes in
                attributes["http.request.method"] = request.method.rawValue
                attributes["url.scheme"] = "http"
                attributes["url.path"] = request.uri.path
                attributes["url.query"] = Self.redacted(request.uri.query)
                let server = request.head.authority.flatMap { URLComponents(string: "http://\($0)") }
                attributes["server.address"] = server?.host
                attributes["server.port"] = server?.port
                attributes["user_agent.original"] = request.headers[.userAgent].map { String($0.prefix(256)) }
                for (name, value) in context.correlation.attributes {
                    attributes[name] = value
                }
            }
            let response = try await next(request, context)
            if let route = context.endpointPath {
                span.operationName = "\(request.method.rawValue) \(route)"
                span.attributes["http.route"] = route
            }
            let status = Int(response.status.code)
            span.attributes["http.response.status_code"] = status
            if status >= 500 {
                span.attributes["error.type"] = String(status)
                span.setStatus(SpanStatus(code: .error))
            }
            return response
        }
    }

    static func redacted(_ query: String?) -> String? {
        query?.split(separator: "&").map { pair in
            let name = pair.prefix { $0 != "=" }
            return openParameters.contains(name) ? String(pair) : "\(name.prefix(64))=REDACTED"
        }.joined(separator: "&")
    }
}

private struct HeaderExtractor: Extractor {
    func extract(key: String, from headers: HTTPFields) -> String? {
        HTTPField.Name(key).flatMap { headers[$0] }
    }
}
