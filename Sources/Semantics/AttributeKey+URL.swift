/// The address of a request, its server, and its client.
extension AttributeKey {
    /// The whole address, with credentials, random tokens in the path and the values of query items redacted.
    ///
    /// String, such as `https://shop.example/api/products?currencyCode=REDACTED`. Stable.
    public static let urlFull = "url.full"

    /// The path, with its leading slash.
    ///
    /// String, such as `/api/products`. Stable.
    public static let urlPath = "url.path"

    /// The text after the question mark, with the values redacted.
    ///
    /// String, such as `currencyCode=REDACTED`. Stable.
    public static let urlQuery = "url.query"

    /// The scheme, without the colon.
    ///
    /// String, such as `https`. Stable.
    public static let urlScheme = "url.scheme"

    /// The client's own template of the path, with placeholders for what varies.
    ///
    /// String, such as `/api/products/{id}`. In development.
    public static let urlTemplate = "url.template"

    /// The name or address of the server that was asked.
    ///
    /// String, such as `shop.example`. Stable.
    public static let serverAddress = "server.address"

    /// The port of the server that was asked.
    ///
    /// Int, such as `443`. Stable.
    public static let serverPort = "server.port"

    /// The name or address of the client, on server spans.
    ///
    /// String, such as `127.0.0.1`. Stable.
    public static let clientAddress = "client.address"

    /// The port of the client, on server spans.
    ///
    /// Int, such as `51234`. Stable.
    public static let clientPort = "client.port"

    /// The value of the request's `User-Agent` header.
    ///
    /// String, such as `AstronomyShop/1.0 CFNetwork/1494.0.7`. Stable.
    public static let userAgentOriginal = "user_agent.original"
}
