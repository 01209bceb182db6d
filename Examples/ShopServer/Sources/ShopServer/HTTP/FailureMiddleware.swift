import GRDB
import HTTPTypes
import Hummingbird
import Logging
import ShopAPI

/// Turns every error of a handler into a JSON answer, innermost, so that spans, metrics and the log see the status the
/// caller gets. A path that exists with another method becomes 405.
struct FailureMiddleware: RouterMiddleware {
    typealias Context = ShopRequestContext

    func handle(
        _ request: Request, context: ShopRequestContext, next: (Request, ShopRequestContext) async throws -> Response,
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let failure as ShopFailure {
            if failure.status.code >= 500 {
                context.logger.warning("\(failure.message)", metadata: ["error.type": "\(failure)"])
            }
            return try failure.response
        } catch let error as ShopRouteError {
            return try ShopFailure(error).response
        } catch let error as HTTPError where error.status == .notFound {
            let allowed = ShopRoute.allowedMethods(path: request.uri.path)
            context.coreContext.endpointPath.value = ShopRoute.template(path: request.uri.path)
            return try ShopFailure(allowed.isEmpty ? .notFound : .methodNotAllowed(allowed: allowed)).response
        } catch let error as DatabaseError {
            // The description of a database error holds the statement, never the values bound to it.
            context.logger.error("the database failed", metadata: ["error.type": "\(error)"])
            return try ShopFailure(
                status: .serviceUnavailable, message: "the shop's database does not answer; try again",
            ).response
        } catch let error as BodyError {
            throw error.underlying  // the connection is broken: Hummingbird closes it
        } catch {
            context.logger.error("a request failed", metadata: ["error.type": "\(type(of: error))"])
            return try ShopFailure(status: .internalServerError, message: "the shop failed; try again").response
        }
    }
}

/// The request's body cannot be read to its end.
struct BodyError: Error {
    let underlying: any Error
}
