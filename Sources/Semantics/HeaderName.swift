/// The names of HTTP headers by which an app and its backend recognise each other's telemetry.
///
/// Header names know no case; these are spelled as their specifications spell them.
public enum HeaderName {
    /// The caller's trace id, span id and sampling flag (W3C Trace Context, section 3.2).
    ///
    /// Such as `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01`.
    public static let traceParent = "traceparent"

    /// The entries of tracing systems that travel along with the trace (W3C Trace Context, section 3.3).
    ///
    /// Such as `ot=th:8`.
    public static let traceState = "tracestate"

    /// Application data that travels with the request and on from it (W3C Baggage); see ``BaggageKey``.
    ///
    /// Such as `session.id=00112233-4455-6677-8899-aabbccddeeff`.
    public static let baggage = "baggage"

    /// One request, new for each attempt: a UUID.
    public static let requestID = "X-Request-Id"

    /// The session the request belongs to, the value of ``AttributeKey/sessionID``.
    public static let sessionID = "X-Session-Id"

    /// The installation the request comes from, the value of ``AttributeKey/appInstallationID``; no hardware id.
    public static let deviceID = "X-Device-Id"

    /// The version of the app, such as `1.4.0`.
    public static let appVersion = "X-App-Version"

    /// The time to wait before another attempt: seconds or an HTTP date (RFC 9110, section 10.2.3).
    public static let retryAfter = "Retry-After"

    /// The key of a Honeycomb team, which its OTLP endpoint asks for; a secret.
    public static let honeycombTeam = "x-honeycomb-team"
}
