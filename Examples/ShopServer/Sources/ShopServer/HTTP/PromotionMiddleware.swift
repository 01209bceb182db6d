import HTTPTypes
import Hummingbird
import NIOCore

/// Answers a console that asks for the shop's part of traces, before telemetry sees the request: it is no trace of the
/// shop's.
struct PromotionMiddleware: RouterMiddleware {
    typealias Context = ShopRequestContext

    let promotion: ShopBackend.Promotion

    func handle(
        _ request: Request, context: ShopRequestContext, next: (Request, ShopRequestContext) async throws -> Response,
    ) async throws -> Response {
        guard request.uri.path == promotion.path else { return try await next(request, context) }
        guard request.method == .post else {
            return try ShopFailure(
                status: .methodNotAllowed, message: "expected POST", allowedMethods: ["POST"],
            ).response
        }
        guard let body = try? await request.body.collect(upTo: promotion.maximumBodyBytes) else {
            return try ShopFailure(status: .contentTooLarge, message: "body: is too large").response
        }
        let answer = promotion.respond(request.headers[.authorization], Array(body.readableBytesView))
        return Response(
            status: HTTPResponse.Status(code: answer.status),
            headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: answer.body)))
    }
}
