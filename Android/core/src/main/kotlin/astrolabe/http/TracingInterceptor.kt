package astrolabe.http

import okhttp3.Interceptor
import okhttp3.Request
import okhttp3.Response

/**
 * Adds the trace context, the baggage and the app's identity to requests of OkHttp, for allowed hosts only.
 *
 *     val rules = HeaderRules(AllowedHosts("shop.example.com"), HttpIdentity(sessionId = { session.id }))
 *     val client = OkHttpClient.Builder()
 *         .addNetworkInterceptor(TracingInterceptor(rules) { currentContext() })
 *         .build()
 *
 * As a network interceptor it sees each hop of a redirect, so that a host that is not allowed gets no header. It makes
 * no spans, and it fails no request: if [rules] or [current] throws, the request proceeds as it is.
 *
 * Of an asynchronous call it does not know the thread that made it, so such a call needs [TracingCallFactory].
 *
 * @param current Returns the current span and baggage. Called on the thread that sends the request, unless
 *   [TracingCallFactory] has asked before.
 */
public class TracingInterceptor(
    private val rules: HeaderRules,
    private val current: () -> RequestContext
) : Interceptor {
    override fun intercept(chain: Interceptor.Chain): Response {
        val request = chain.request()
        return chain.proceed(rules.applied(request) { request.tag(RequestContext::class.java) ?: current() })
    }
}

/** Returns the request with the headers that the rules set; the same one if they set none, or if something throws. */
internal fun HeaderRules.applied(request: Request, context: () -> RequestContext): Request = try {
    val headers = headers(request.url().host(), context()) { name ->
        request.headers(name).joinToString(",").takeIf { it != "" }
    }
    if (headers.isEmpty()) {
        request
    } else {
        request.newBuilder().also { for ((name, value) in headers) it.header(name, value) }.build()
    }
} catch (_: Exception) {
    request
}
