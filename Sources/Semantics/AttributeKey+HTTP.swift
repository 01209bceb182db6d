extension AttributeKey {
    /// The request's method in upper case, or `_OTHER` where the conventions do not know it.
    ///
    /// String, such as `POST`. Stable.
    public static let httpRequestMethod = "http.request.method"

    /// The method as it was sent, where ``httpRequestMethod`` had to be normalised.
    ///
    /// String, such as `PoSt`. Stable.
    public static let httpRequestMethodOriginal = "http.request.method_original"

    /// The number of this attempt, counted from 1 at the first resend; absent on the first attempt.
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

    /// The duration of the lookup of the host's name; absent if there was none.
    ///
    /// Double, seconds, such as `0.018`. Not in the conventions.
    package static let astrolabeHTTPLookupDuration = "astrolabe.http.lookup.duration"

    /// The duration of connecting, with the TLS handshake; absent for a reused connection.
    ///
    /// Double, seconds, such as `0.074`. Not in the conventions.
    package static let astrolabeHTTPConnectDuration = "astrolabe.http.connect.duration"

    /// The duration of the TLS handshake; absent without one.
    ///
    /// Double, seconds, such as `0.042`. Not in the conventions.
    package static let astrolabeHTTPHandshakeDuration = "astrolabe.http.handshake.duration"

    /// The time from the request's first byte to the response's first byte.
    ///
    /// Double, seconds, such as `0.131`. Not in the conventions.
    package static let astrolabeHTTPFirstByteDuration = "astrolabe.http.first_byte.duration"

    /// True if the request went over a connection that an earlier request had opened.
    ///
    /// Bool, such as `true`. Not in the conventions.
    package static let astrolabeHTTPConnectionIsReused = "astrolabe.http.connection.is_reused"
}
