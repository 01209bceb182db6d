package astrolabe.http

import okhttp3.Call
import okhttp3.OkHttpClient
import okhttp3.Request
import okhttp3.WebSocket
import okhttp3.WebSocketListener

/**
 * Makes calls of OkHttp that carry the context of the code that makes them, whichever thread sends them.
 *
 *     val calls = TracingCallFactory(client, rules) { currentContext() }
 *     val retrofit = Retrofit.Builder().callFactory(calls)
 *     calls.newCall(request).enqueue(callback)
 *
 * OkHttp sends the requests of `enqueue` on threads of its own, where no span of the app is current. Retrofit enqueues
 * each call of a coroutine. Headers are those of [TracingInterceptor], which it adds to a copy of the client.
 *
 * OkHttp calls no network interceptor for a WebSocket, so its headers are set here, and its upgrade follows no redirect
 * then: another host would get them.
 *
 * @param current Returns the current span and baggage. Called on the thread that makes the call.
 */
public class TracingCallFactory(
    private val client: OkHttpClient,
    private val rules: HeaderRules,
    private val current: () -> RequestContext
) : Call.Factory, WebSocket.Factory {
    private val traced = client.newBuilder().addNetworkInterceptor(TracingInterceptor(rules, current)).build()
    private val withoutRedirects = client.newBuilder().followRedirects(false).build()

    override fun newCall(request: Request): Call = traced.newCall(tagged(request))

    private fun tagged(request: Request): Request = try {
        request.newBuilder().tag(RequestContext::class.java, current()).build()
    } catch (_: Exception) {
        request
    }

    override fun newWebSocket(request: Request, listener: WebSocketListener): WebSocket {
        val upgrade = rules.applied(request, current)
        val sender = if (upgrade === request) client else withoutRedirects
        return sender.newWebSocket(upgrade, listener)
    }
}
