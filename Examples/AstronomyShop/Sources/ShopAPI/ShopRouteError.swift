/// Why a request is not one of ``ShopRoute``. Its message never holds a value of the request's body.
public enum ShopRouteError: Error, Hashable, Sendable {
    /// No endpoint has this path.
    case notFound

    /// The path is an endpoint's, the method is not; `allowed` lists those that are.
    case methodNotAllowed(allowed: [ShopRoute.Method])

    /// A parameter or the body is missing or malformed. `field` is its name, as in "item.quantity".
    case badRequest(field: String, reason: String)

    /// The HTTP status that says the same: 404, 405 or 400.
    public var status: Int {
        switch self {
        case .notFound: 404
        case .methodNotAllowed: 405
        case .badRequest: 400
        }
    }
}

extension ShopRouteError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notFound:
            "no such page in this shop"
        case .methodNotAllowed(let allowed):
            "this page takes " + allowed.map(\.rawValue).joined(separator: ", ")
        case .badRequest(let field, let reason):
            "\(field): \(reason)"
        }
    }
}
