import HTTPTypes
import Hummingbird
import ShopAPI

/// An answer that is not a success. The message goes to the caller and, for a 5xx, to the log: no value of the
/// request's body is ever in it.
struct ShopFailure: Error {
    let status: HTTPResponse.Status
    let message: String
    var allowedMethods: [String] = []

    /// The name of the failure on a span: the flag's name, "payment refused" and the like.
    var reason: String?

    static func badRequest(_ field: String, _ reason: String) -> ShopFailure {
        ShopFailure(status: .badRequest, message: "\(field): \(reason)")
    }

    static func fault(_ flag: FaultFlags.Name, status: HTTPResponse.Status, _ message: String) -> ShopFailure {
        ShopFailure(status: status, message: message, reason: flag.rawValue)
    }

    init(status: HTTPResponse.Status, message: String, allowedMethods: [String] = [], reason: String? = nil) {
        self.status = status
        self.message = message
        self.allowedMethods = allowedMethods
        self.reason = reason
    }

    init(_ error: ShopRouteError) {
        switch error {
        case .notFound:
            self.init(status: .notFound, message: error.description)
        case .methodNotAllowed(let allowed):
            let names = allowed.flatMap { $0 == .get ? ["GET", "HEAD"] : [$0.rawValue] }
            self.init(status: .methodNotAllowed, message: error.description, allowedMethods: names)
        case .badRequest:
            self.init(status: .badRequest, message: error.description)
        }
    }

    var response: Response {
        get throws {
            var response = try Response.json(ShopErrorBody(error: message), status: status)
            if !allowedMethods.isEmpty {
                response.headers[.allow] = allowedMethods.joined(separator: ", ")
            }
            return response
        }
    }
}

extension ShopFailure: CustomStringConvertible {
    var description: String { reason ?? "\(status.code) \(status.reasonPhrase)" }
}

extension Response {
    /// A JSON response in the shop's form, which no cache keeps: carts are personal and change.
    static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        Response(
            status: status, headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try ShopJSON.encode(value))),
        )
    }
}
