/// Names of the headers by which a request is followed from a phone to the backend's log.
public enum ShopHeader {
    /// W3C baggage; carries `session.id` and, for a load generator, `synthetic_request`.
    public static let baggage = "baggage"

    /// The session's UUID, for servers that do not read baggage.
    public static let sessionId = "X-Session-Id"

    /// The installation's id; not an identifier of the hardware.
    public static let deviceId = "X-Device-Id"

    /// The app's marketing version.
    public static let appVersion = "X-App-Version"

    /// Unique to one attempt of one request.
    public static let requestId = "X-Request-Id"
}

/// Keys within the ``ShopHeader/baggage`` header.
public enum ShopBaggage {
    /// The session's UUID.
    public static let sessionId = "session.id"

    /// "true" marks traffic of a load generator: its orders are not charged.
    public static let syntheticRequest = "synthetic_request"
}
