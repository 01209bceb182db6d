import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ShopAPI

/// Registers every endpoint of ``ShopRoute`` with Hummingbird, and gives each request to the route's own parser.
enum ShopRouter {
    static func make(
        services: ShopServices, configuration: ShopBackend.Configuration,
    ) -> Router<ShopRequestContext> {
        let limits = configuration.limits
        let router = Router(context: ShopRequestContext.self)
        router.add(middleware: RequestGate(host: configuration.host))
        if let promotion = configuration.promotion { router.add(middleware: PromotionMiddleware(promotion: promotion)) }
        router.add(middleware: ServerSpanMiddleware())
        router.add(middleware: ServerMetricsMiddleware())
        router.add(middleware: RequestLogMiddleware())
        router.add(middleware: FailureMiddleware())
        for endpoint in ShopRoute.Endpoint.allCases {
            let path = RouterPath(endpoint.template)
            router.on(path, method: endpoint.httpMethod) { request, context in
                try await answer(request, context, services, limits)
            }
            if endpoint.method == .get {
                router.on(path, method: .head) { request, context in
                    try await answer(request, context, services, limits).createHeadResponse()
                }
            }
        }
        return router
    }

    private static func answer(
        _ request: Request, _ context: ShopRequestContext, _ services: ShopServices, _ limits: ShopBackend.Limits,
    ) async throws -> Response {
        let route = try ShopRoute(
            method: request.method.rawValue, path: request.uri.path, query: request.uri.query,
            body: try await body(of: request, limit: limits.bodyBytes),
        )
        return try await services.respond(to: route, request: request, context: context)
    }

    private static func body(of request: Request, limit: Int) async throws -> Data {
        let tooLarge = ShopFailure(status: .contentTooLarge, message: "body: is larger than \(limit) bytes")
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit { throw tooLarge }
        do {
            let buffer = try await request.body.collect(upTo: limit)
            // A page of another site cannot send JSON without asking the shop first, and the shop never allows it.
            guard buffer.readableBytes == 0 || isJSON(request.headers[.contentType]) else {
                throw ShopFailure(
                    status: .unsupportedMediaType, message: "body: expected Content-Type: application/json",
                )
            }
            return Data(buffer.readableBytesView)
        } catch let failure as ShopFailure {
            throw failure
        } catch is NIOTooManyBytesError {
            throw tooLarge
        } catch {
            throw BodyError(underlying: error)
        }
    }

    private static func isJSON(_ contentType: String?) -> Bool {
        let type = (contentType ?? "").prefix { $0 != ";" }
        return type.filter { !$0.isWhitespace }.lowercased() == "application/json"
    }
}

extension ShopRoute.Endpoint {
    var httpMethod: HTTPRequest.Method {
        switch method {
        case .get: .get
        case .post: .post
        case .put: .put
        case .delete: .delete
        }
    }
}
