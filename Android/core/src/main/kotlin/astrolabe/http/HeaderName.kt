package astrolabe.http

/** The names of HTTP headers by which an app and its backend recognise each other's telemetry. */
public object HeaderName {
    public const val TRACE_PARENT: String = "traceparent"
    public const val TRACE_STATE: String = "tracestate"
    public const val BAGGAGE: String = "baggage"

    /** One request, new for each attempt: a UUID. */
    public const val REQUEST_ID: String = "X-Request-Id"
    public const val SESSION_ID: String = "X-Session-Id"

    /** The installation that the request comes from; no hardware id. */
    public const val DEVICE_ID: String = "X-Device-Id"
    public const val APP_VERSION: String = "X-App-Version"
}
