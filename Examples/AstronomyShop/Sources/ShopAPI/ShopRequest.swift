public import Foundation

/// A ``ShopRoute`` as HTTP sends it, ready for any client: join ``target`` to the shop's base URL.
public struct ShopRequest: Hashable, Sendable {
    public let method: ShopRoute.Method

    /// Percent-encoded, from the root: "/api/products/OLJCESPC7Z".
    public let path: String

    /// Percent-encoded, without the question mark; nil if there is nothing to ask.
    public let query: String?

    /// JSON, or nil for none.
    public let body: Data?

    /// Path and query, as in a request line.
    public var target: String {
        query.map { "\(path)?\($0)" } ?? path
    }

    /// The request's URL under a base such as `http://127.0.0.1:8080`; a path of the base stays in front.
    ///
    /// - Returns: nil if the base is not the start of an HTTP URL.
    public func url(relativeTo base: URL) -> URL? {
        let start = base.absoluteString
        return URL(string: (start.hasSuffix("/") ? String(start.dropLast()) : start) + target)
    }
}

extension ShopRequest: Redacted {
    public var description: String { "\(method.rawValue) \(path)" }
}
