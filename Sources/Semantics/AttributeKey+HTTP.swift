extension AttributeKey {
    /// The request's method in upper case, or `_OTHER` where the conventions do not know it.
    ///
    /// String, such as `POST`. Stable.
    public static let httpRequestMethod = "http.request.method"

    /// The method as it was sent, where ``httpRequestMethod`` had to be normalised.
    ///
    /// String, such as `PoSt`. Stable.
    public static let httpRequestMethodOriginal = "http.request.method_original"

    /// Which attempt this is, counted from 1 at the first resend; absent on the first attempt.
    ///
    /// Int, such as `2`. Stable.
    public static let httpRequestResendCount = "http.request.resend_count"

    /// The size of the request's body as transferred, after compression.
    ///
    /// Int, bytes, such as `512`. In development.
    public static let httpRequestBodySize = "http.request.body.size"

    /// The status code of the answer; absent where none came.
    ///
    /// Int, such as `200`. Stable.
    public static let httpResponseStatusCode = "http.response.status_code"

    /// The size of the answer's body as transferred, before decompression.
    ///
    /// Int, bytes, such as `3495`. In development.
    public static let httpResponseBodySize = "http.response.body.size"

    /// The server's template of the path, with placeholders for what varies; set on server spans alone.
    ///
    /// String, such as `/api/products/{id}`. Stable.
    public static let httpRoute = "http.route"
}
