package astrolabe.http

import java.util.UUID

/**
 * What travels with a request: the current span and the current baggage.
 *
 * @property span `null` if no span is current.
 */
public class RequestContext(
    public val span: SpanContext? = null,
    public val baggage: Baggage = Baggage()
) {
    public companion object {
        /**
         * Reads the context that another SDK has written as headers, with its `tracestate` and its baggage.
         *
         *     val headers = HashMap<String, String>()
         *     propagator.inject(Context.current(), headers) { map, name, value -> map?.put(name, value) }
         *     RequestContext.of(headers::get)
         *
         * @param header Returns the value of a header by its name in lower case.
         */
        public fun of(header: (String) -> String?): RequestContext = RequestContext(
            header(HeaderName.TRACE_PARENT)?.let { SpanContext.parse(it, header(HeaderName.TRACE_STATE)) },
            header(HeaderName.BAGGAGE)?.let(Baggage.Companion::parse) ?: Baggage()
        )
    }
}

/** The requests that carry their trace to the server. */
public enum class Propagation {
    /** Those of traces that are recorded. Most servers sample by parent, and would record none of the others. */
    SAMPLED_ONLY,

    /** All. The flag of `traceparent` says truthfully whether the trace is recorded here. */
    ALWAYS
}

/**
 * Who a request says that it comes from, to hosts that may know.
 *
 * The session travels as baggage `session.id`. The headers are sent only if the app opts in.
 *
 * @property sessionId Asked for each request; empty if there is none.
 * @property installationId Tells installations apart, not people or hardware.
 * @property hasHeaders Whether the identity goes in headers of its own too: `X-Request-Id`, `X-Session-Id`,
 *   `X-Device-Id` and `X-App-Version`. A value is not sent if it is empty, or if a header cannot carry it because it is
 *   not printable ASCII.
 */
public class HttpIdentity(
    public val sessionId: () -> String = { "" },
    public val installationId: String = "",
    public val appVersion: String = "",
    public val hasHeaders: Boolean = false
) {
    internal fun headers(sessionId: String): List<Pair<String, String>> {
        if (!hasHeaders) return emptyList()
        return listOf(
            HeaderName.REQUEST_ID to UUID.randomUUID().toString(),
            HeaderName.SESSION_ID to sessionId,
            HeaderName.DEVICE_ID to installationId,
            HeaderName.APP_VERSION to appVersion
        ).filter { (_, value) -> value != "" && value.all { it in ' '..'~' } }
    }
}

/** Decides which headers a request gets. [TracingInterceptor] applies it to calls of OkHttp. */
public class HeaderRules(
    private val allowedHosts: AllowedHosts,
    private val identity: HttpIdentity = HttpIdentity(),
    private val propagation: Propagation = Propagation.SAMPLED_ONLY
) {
    /**
     * Returns the headers to set, by name; none for a host that is not allowed.
     *
     * Baggage of the request, the current baggage and the session are merged in this order; the last wins. Headers of
     * the identity do not replace those of the request.
     *
     * @param present Returns the value of a header that the request has.
     */
    public fun headers(host: String, current: RequestContext, present: (String) -> String?): Map<String, String> {
        if (host !in allowedHosts) return emptyMap()
        val headers = LinkedHashMap<String, String>()
        val span = current.span
        if (span != null && span.isValid && (propagation == Propagation.ALWAYS || span.isSampled)) {
            headers[HeaderName.TRACE_PARENT] = span.traceParent
            if (span.traceState != TraceState.empty) headers[HeaderName.TRACE_STATE] = span.traceState.header
        }
        val sessionId = identity.sessionId()
        val carried = present(HeaderName.BAGGAGE)?.let(Baggage.Companion::parse) ?: Baggage()
        val session = if (sessionId == "") Baggage() else Baggage().with(SESSION_ID, sessionId)
        carried.merging(current.baggage).merging(session).header?.let { headers[HeaderName.BAGGAGE] = it }
        for ((name, value) in identity.headers(sessionId)) if (present(name) == null) headers[name] = value
        return headers
    }

    private companion object {
        const val SESSION_ID = "session.id"
    }
}
