package astrolabe.http

import okhttp3.Interceptor
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
 * no spans.
 *
 * @param current Returns the current span and baggage. Called on the thread that sends the request.
 */
public class TracingInterceptor(
    private val rules: HeaderRules,
    private val current: () -> RequestContext
) : Interceptor {
    override fun intercept(chain: Interceptor.Chain): Response {
        val request = chain.request()
        val headers = rules.headers(request.url().host(), current()) { name ->
            request.headers(name).joinToString(",").takeIf { it != "" }
        }
        if (headers.isEmpty()) return chain.proceed(request)
        val builder = request.newBuilder()
        for ((name, value) in headers) builder.header(name, value)
        return chain.proceed(builder.build())
    }
}
