/// The names of HTTP attributes before the conventions became stable in November 2023, for dashboards built on them.
extension AttributeKey {
    /// The request's method.
    ///
    /// String, such as `GET`. Deprecated: use `http.request.method`.
    package static let httpMethod = "http.method"

    /// The whole address that was asked for.
    ///
    /// String, such as `https://shop.example/api/products`. Deprecated: use `url.full`.
    package static let httpURL = "http.url"

    /// The status code of the answer.
    ///
    /// Int, such as `200`. Deprecated: use `http.response.status_code`.
    package static let httpStatusCode = "http.status_code"

    /// The path and the query that were asked for.
    ///
    /// String, such as `/api/cart?currencyCode=USD`. Deprecated: use `url.path` and `url.query`.
    package static let httpTarget = "http.target"

    /// The scheme of the address.
    ///
    /// String, such as `https`. Deprecated: use `url.scheme`.
    package static let httpScheme = "http.scheme"

    /// The name or address of the other side.
    ///
    /// String, such as `shop.example`. Deprecated: use `server.address` or `client.address`.
    package static let netPeerName = "net.peer.name"

    /// The port of the other side.
    ///
    /// Int, such as `443`. Deprecated: use `server.port` or `client.port`.
    package static let netPeerPort = "net.peer.port"
}
