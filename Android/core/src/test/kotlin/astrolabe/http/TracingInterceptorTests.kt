package astrolabe.http

import com.sun.net.httpserver.Headers
import com.sun.net.httpserver.HttpServer
import java.net.InetSocketAddress
import java.util.concurrent.ConcurrentHashMap
import okhttp3.OkHttpClient
import okhttp3.Request
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNotEquals
import org.junit.Assert.assertNull
import org.junit.Test

class TracingInterceptorTests {
    private val received = ConcurrentHashMap<String, Headers>()
    private val server = HttpServer.create(InetSocketAddress("127.0.0.1", 0), 0).apply {
        createContext("/") { exchange ->
            received[exchange.requestURI.path] = exchange.requestHeaders
            // 127.0.0.1 is an allowed host in these tests, and localhost is not.
            val target = mapOf("/own" to "http://127.0.0.1:$port/end", "/other" to "http://localhost:$port/end")
            target[exchange.requestURI.path]?.let { exchange.responseHeaders.add("Location", it) }
            exchange.sendResponseHeaders(if (exchange.requestURI.path in target) 302 else 200, -1)
            exchange.close()
        }
        start()
    }
    private val HttpServer.port: Int get() = address.port

    private val span = SpanContext("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7", isSampled = true)
    private val client: OkHttpClient

    init {
        val identity = HttpIdentity({ "s1" }, "i1", "1.4.0", hasHeaders = true)
        val rules = HeaderRules(AllowedHosts("127.0.0.1"), identity)
        client = OkHttpClient.Builder().addNetworkInterceptor(TracingInterceptor(rules) { RequestContext(span) }).build()
    }

    @After
    fun stop(): Unit = server.stop(0)

    private fun get(path: String, configure: Request.Builder.() -> Unit = {}) {
        val request = Request.Builder().url("http://127.0.0.1:${server.port}$path").apply(configure).build()
        client.newCall(request).execute().close()
    }

    @Test
    fun `a request to an allowed host carries the trace, the session and the identity`() {
        get("/api") { addHeader("baggage", "a=1").addHeader("baggage", "b=2") }
        val headers = received.getValue("/api")
        assertEquals(span.traceParent, headers.getFirst("traceparent"))
        assertEquals("a=1,b=2,session.id=s1", headers.getFirst("baggage"))
        assertEquals("s1", headers.getFirst("x-session-id"))
        assertEquals("i1", headers.getFirst("x-device-id"))
        assertEquals("1.4.0", headers.getFirst("x-app-version"))
    }

    @Test
    fun `a redirect within the allowed hosts carries them too, with another request id`() {
        get("/own")
        assertEquals(span.traceParent, received.getValue("/end").getFirst("traceparent"))
        assertNotEquals(received.getValue("/own").getFirst("x-request-id"), received.getValue("/end").getFirst("x-request-id"))
    }

    @Test
    fun `a redirect to another host carries nothing`() {
        get("/other")
        assertEquals(span.traceParent, received.getValue("/other").getFirst("traceparent"))
        for (name in listOf("traceparent", "baggage", "x-session-id", "x-device-id", "x-request-id")) {
            assertNull(name, received.getValue("/end").getFirst(name))
        }
    }
}
